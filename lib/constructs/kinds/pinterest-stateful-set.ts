import { type Construct } from 'constructs';
import { type PinterestStatefulSetSpec } from '../../api';
import { hostOfMember, noMembers } from '../host-of-member';
import { referenceTemplate } from '../reference-template';
import { ServingConstruct } from '../serving-construct';
import { unresolvedHost, unresolvedPort } from '../unresolved';
import { type WorkloadProps } from '../workload-construct';
import { type PropFields } from '../plus-values';

/** Props of a reference to a stateful set of another app: the fields that determine its names and ports. Target ports are numbers. */
export type PinterestStatefulSetReferenceProps = Pick<
  PinterestStatefulSetProps,
  'project' | 'name' | 'replicas' | 'ordinals' | 'membersService' | 'loadBalancer' | 'ports'
>;

/** Props of a `PinterestStatefulSet`. */
export interface PinterestStatefulSetProps extends PropFields<PinterestStatefulSetSpec>, WorkloadProps {}

/** A workload whose members have stable names and volumes. */
export class PinterestStatefulSet extends ServingConstruct<'PinterestStatefulSet'> {
  constructor(scope: Construct, id: string, props: PinterestStatefulSetProps) {
    super(scope, id, 'PinterestStatefulSet', props);
  }

  /** Returns a stateful set of another app, for its addresses and for connections. Adds no objects. */
  static fromName(scope: Construct, id: string, props: PinterestStatefulSetReferenceProps): PinterestStatefulSet {
    return new PinterestStatefulSetReference(scope, id, { ...props, template: referenceTemplate });
  }

  /** DNS name that resolves to the addresses of all members, such as `kafka-members.shop.svc`. */
  get membersHost(): string {
    return this.endpoints?.membersHost ?? unresolvedHost;
  }

  /** Returns the DNS name of a member, such as `kafka-0.kafka-members.shop.svc`; `index` is its ordinal. */
  memberHost(index: number): string {
    return hostOfMember(this.endpoints, index, 'replicas', (problem) => this.report([problem]));
  }

  /** Returns `host:port` of a member; `port` is the name of a port. Defaults to the only port. */
  memberAddress(index: number, port?: string): string {
    return `${this.memberHost(index)}:${this.memberPort(port)}`;
  }

  /** `host:port` of all members, separated by commas. A set with several ports has `bootstrapServersOn`. */
  get bootstrapServers(): string {
    return this.serversOn(undefined);
  }

  /** Returns `host:port` of all members, separated by commas; `port` is the name of a port. */
  bootstrapServersOn(port: string): string {
    return this.serversOn(port);
  }

  private serversOn(name: string | undefined): string {
    const port = this.memberPort(name, 'use bootstrapServersOn with the name of one');
    const indexes = [...(this.endpoints?.members.keys() ?? [0])];
    if (indexes.length === 0) this.report([noMembers('replicas')]);
    return indexes.map((index) => `${this.memberHost(index)}:${port}`).join(',');
  }

  /** Returns a port of the members: connections to them bypass Services, which could map it to another one. */
  private memberPort(name: string | undefined, naming?: string): number {
    if (!this.endpoints) return unresolvedPort;
    return this.portAmong(this.endpoints.ports, name, naming)?.pod ?? unresolvedPort;
  }
}

class PinterestStatefulSetReference extends PinterestStatefulSet {
  override get isReference(): boolean {
    return true;
  }
}
