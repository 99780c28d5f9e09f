import { type KubernetesObject } from '../objects/kubernetes-object';
import { podSpecOf } from '../objects/pod-spec-of';

/** Host names of members by index, and the headless Service that is their domain. */
interface MemberHosts {
  readonly domain?: string;
  readonly hosts: ReadonlyMap<number, string>;
}

interface StatefulSetSpec {
  readonly serviceName: string;
  readonly replicas?: number;
  readonly ordinals?: { readonly start?: number };
}

interface IndexedJobSpec {
  readonly completionMode?: string;
  readonly completions?: number;
}

/** Returns the host names of members: of a StatefulSet, or of Jobs whose pods have a subdomain. */
export function memberHosts(objects: readonly KubernetesObject[]): MemberHosts {
  const set = objects.find(({ kind }) => kind === 'StatefulSet');
  if (set) {
    const { serviceName, replicas = 1, ordinals } = set['spec'] as StatefulSetSpec;
    return { domain: serviceName, hosts: numbered(set.metadata.name, replicas, ordinals?.start ?? 0) };
  }
  const jobs = objects.flatMap((object) => {
    const domain = object.kind === 'Job' ? podSpecOf(object)?.subdomain : undefined;
    return domain === undefined ? [] : [{ object, domain }];
  });
  const domain = jobs[0]?.domain;
  const hosts = jobs.flatMap(({ object }) => [...hostsOfJob(object)]);
  return { ...(domain !== undefined && { domain }), hosts: new Map(hosts.sort(([a], [b]) => a - b)) };
}

/** Returns the host names of a Job: that of its pod template, or one for each index. */
export function hostsOfJob(job: KubernetesObject): ReadonlyMap<number, string> {
  const { completionMode, completions = 1 } = job['spec'] as IndexedJobSpec;
  const hostname = podSpecOf(job)?.hostname;
  if (hostname !== undefined) return new Map([[Number(hostname.slice(hostname.lastIndexOf('-') + 1)), hostname]]);
  return completionMode === 'Indexed' ? numbered(job.metadata.name, completions, 0) : new Map();
}

const numbered = (name: string, count: number, first: number): ReadonlyMap<number, string> =>
  new Map(Array.from({ length: count }, (_, index) => [first + index, `${name}-${first + index}`]));
