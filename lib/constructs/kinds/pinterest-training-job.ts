import { type Construct } from 'constructs';
import { safeParseManifest, type PinterestTrainingJobSpec, type Problem, type Workload } from '../../api';
import { trainingHosts } from '../../expand';
import { unresolvedHost } from '../unresolved';
import { WorkloadConstruct, type WorkloadProps } from '../workload-construct';
import { type PropFields } from '../plus-values';

/** Props of a `PinterestTrainingJob`. */
export interface PinterestTrainingJobProps extends PropFields<PinterestTrainingJobSpec>, WorkloadProps {}

/** A distributed training job. */
export class PinterestTrainingJob extends WorkloadConstruct<'PinterestTrainingJob'> {
  constructor(scope: Construct, id: string, props: PinterestTrainingJobProps) {
    super(scope, id, 'PinterestTrainingJob', props);
  }

  /** Returns the DNS name of a member, by its role and its index in the role; a job with a single member has none. */
  memberHost(role: string, index: number): string {
    const { manifest } = safeParseManifest(this.input);
    if (!manifest) return unresolvedHost;
    const hosts = trainingHosts(manifest as Workload<'PinterestTrainingJob'>);
    const host = hosts.get(role)?.[index];
    if (host === undefined) this.report([unknownMember(hosts, role, index)]);
    return host ?? unresolvedHost;
  }
}

function unknownMember(hosts: ReadonlyMap<string, readonly string[]>, role: string, index: number): Problem {
  const members = [...hosts].filter(([, names]) => names.length > 0);
  const known = members.map(([name, { length }]) => (length === 1 ? `${name} 0` : `${name} 0 to ${length - 1}`));
  return {
    code: 'unknown-reference',
    path: ['spec', 'roles'],
    value: `${role} ${index}`,
    reason: `is not a member with a DNS name${known.length > 0 ? `; they are ${known.join(', ')}` : ', because there is only one member'}`,
    remedy: known.length > 0 ? 'use a role and an index of these' : 'add members',
  };
}
