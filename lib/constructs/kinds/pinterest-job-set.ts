import { type Construct } from 'constructs';
import { type PinterestJobSetSpec, type Problem } from '../../api';
import { hostOfMember } from '../host-of-member';
import { unresolvedHost } from '../unresolved';
import { WorkloadConstruct, type WorkloadProps } from '../workload-construct';
import { type PropFields } from '../plus-values';

/** Props of a `PinterestJobSet`. */
export interface PinterestJobSetProps extends PropFields<PinterestJobSetSpec>, WorkloadProps {}

/** A sharded workload that runs to completion. `DnsNames` is the type of its field `dnsNames`. */
export class PinterestJobSet<DnsNames extends boolean = boolean> extends WorkloadConstruct<'PinterestJobSet'> {
  /** Whether its shards have DNS names; exists for the compiler only. */
  declare protected readonly hasDnsNames: DnsNames;

  constructor(scope: Construct, id: string, props: PinterestJobSetProps & { readonly dnsNames?: DnsNames }) {
    super(scope, id, 'PinterestJobSet', props);
  }

  /**
   * Returns the DNS name of a shard, such as `primes-0.primes.numbers.svc`.
   *
   * Compiles only for a job set that is created with `dnsNames: true`; others have no such names. With `replicatedJobs`,
   * an index is a problem, because each Job has shards of its own.
   */
  memberHost(this: PinterestJobSet<true>, index: number): string {
    if (this.endpoints && this.endpoints.membersHost === undefined) {
      this.report([noNames]);
      return unresolvedHost;
    }
    const [job] = this.input.spec.replicatedJobs ?? [];
    if (job) {
      this.report([ambiguous(index, this.endpoints?.members.get(index))]);
      return unresolvedHost;
    }
    return hostOfMember(this.endpoints, index, 'shards', (problem) => this.report([problem]));
  }
}

const ambiguous = (index: number, example = 'that of the Job and the index'): Problem => ({
  code: 'unknown-reference',
  path: ['spec', 'replicatedJobs'],
  value: index,
  reason: 'is ambiguous as the index of a shard, because each Job of a set with several jobs has shards of its own',
  remedy: `write the host name, such as ${example}, or set coordinator and use $(PINION_COORDINATOR)`,
});

const noNames: Problem = {
  code: 'required',
  path: ['spec', 'dnsNames'],
  reason: 'must be true, because others refer to its shards by DNS name',
  remedy: 'set dnsNames: true',
};
