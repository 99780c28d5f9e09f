import { type PlatformManifest } from '../../api';

/** Host names that a Project claims: exact names, and `*.` patterns that cover one label. */
export interface HostClaim {
  readonly project: string;
  readonly patterns: readonly string[];
  /** Creation time of the Project; claims without one are ordered by `uid` and `project`. */
  readonly created?: string;
  readonly uid?: string;
}

/** Host name that a Project claims and an older Project has. */
export interface HostConflict {
  readonly host: string;
  /** The older Project. */
  readonly owner: string;
}

/** Host names of a Project: patterns, and after them the names that a pattern covers and an older Project has, as `!name`. */
export interface OwnedHosts {
  readonly hosts: readonly string[];
  readonly conflicts: readonly HostConflict[];
}

/** Returns the base domains of generated host names. */
export function hostDomains({ spec }: PlatformManifest<'Platform'>): readonly string[] {
  const { internal, external } = spec.ingress;
  return [...new Set([spec.domain, internal?.domain, external?.domain].filter((domain) => domain !== undefined))];
}

/** Returns the host names that a Project claims: those generated for its workloads, and `hosts`. */
export const claimedHosts = (
  project: string,
  hosts: readonly string[],
  domains: readonly string[],
): readonly string[] => [...new Set([...domains.map((domain) => `*.${project}.${domain}`), ...hosts])];

/** Returns the host names of a Project whose claims are not compared with those of other Projects. */
export const uncontestedHosts = (
  { metadata, spec }: PlatformManifest<'Project'>,
  platform: PlatformManifest<'Platform'>,
): readonly string[] => claimedHosts(metadata.name, spec.hosts, hostDomains(platform));

const hostLabel = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
/** The only spelling of a host name: lower case, without a trailing dot, in Punycode. */
export const hostForm = new RegExp(`^([*][.])?${hostLabel}([.]${hostLabel})*$`);

/** Returns whether a name or pattern is among the host names of a Project. */
export function ownsHost(hosts: readonly string[], name: string): boolean {
  if (!hostForm.test(name)) return false;
  if (isWildcard(name))
    // A pattern would also receive the requests for the names that another project has.
    return hosts.includes(name) && !hosts.some((host) => host.startsWith('!') && wildcardOf(host) === name);
  return hosts.includes(name) || (hosts.includes(wildcardOf(name)) && !hosts.includes(`!${name}`));
}

/**
 * Owners of host names: a name belongs to the oldest Project that claims it, then to the one with the lower UID.
 *
 * Names are compared as text, because manifests and the API server accept one spelling of a name only: lower case,
 * without a trailing dot, in Punycode.
 */
export class HostOwnership {
  readonly #claims = new Map<string, HostClaim>();
  readonly #claimants = new Map<string, Set<string>>();
  /** Claimed exact names by the pattern that covers them. */
  readonly #names = new Map<string, Set<string>>();

  constructor(claims: readonly HostClaim[] = []) {
    for (const claim of claims) this.set(claim);
  }

  /** Replaces the claim of a Project; returns the other Projects whose host names this may change. */
  set(claim: HostClaim): readonly string[] {
    const affected = new Set(this.delete(claim.project));
    this.#claims.set(claim.project, claim);
    for (const pattern of claim.patterns) {
      addTo(this.#claimants, pattern, claim.project);
      if (!isWildcard(pattern)) addTo(this.#names, wildcardOf(pattern), pattern);
    }
    for (const rival of this.#rivalsOf(claim)) affected.add(rival.project);
    return [...affected];
  }

  /** Removes the claim of a Project; returns the other Projects whose host names this may change. */
  delete(project: string): readonly string[] {
    const claim = this.#claims.get(project);
    if (!claim) return [];
    const affected = new Set(this.#rivalsOf(claim).map((rival) => rival.project));
    this.#claims.delete(project);
    for (const pattern of claim.patterns) {
      removeFrom(this.#claimants, pattern, project);
      if (!isWildcard(pattern) && !this.#claimants.has(pattern)) removeFrom(this.#names, wildcardOf(pattern), pattern);
    }
    return [...affected];
  }

  /** Returns the host names of a Project, and those that an older one has. */
  of(project: string): OwnedHosts {
    const claim = this.#claims.get(project);
    if (!claim) return { hosts: [], conflicts: [] };
    const owned: string[] = [];
    const conflicts = new Map<string, string>();
    const lose = (host: string): boolean => {
      const owner = this.#ownerBefore(claim, host);
      if (owner !== undefined) conflicts.set(host, owner);
      return owner !== undefined;
    };
    for (const pattern of claim.patterns) {
      if (lose(pattern)) continue;
      owned.push(pattern);
      for (const name of this.#names.get(pattern) ?? []) lose(name);
    }
    const lost = [...conflicts.keys()].filter((host) => !isWildcard(host) && owned.includes(wildcardOf(host))).sort();
    return {
      hosts: [...owned, ...lost.map((host) => `!${host}`)],
      conflicts: [...conflicts].map(([host, owner]) => ({ host, owner })),
    };
  }

  /** Returns the oldest other Project that is older than a claim and claims a host name, or the whole of a pattern. */
  #ownerBefore(claim: HostClaim, host: string): string | undefined {
    const patterns = isWildcard(host) ? [host] : [host, wildcardOf(host)];
    return this.#claimsOf(patterns)
      .filter((other) => compareAge(other, claim) < 0)
      .sort(compareAge)[0]?.project;
  }

  /** Returns the other claims with a name in common. */
  #rivalsOf(claim: HostClaim): readonly HostClaim[] {
    const patterns = claim.patterns.flatMap((pattern) =>
      isWildcard(pattern) ? [pattern, ...(this.#names.get(pattern) ?? [])] : [pattern, wildcardOf(pattern)],
    );
    return this.#claimsOf(patterns).filter(({ project }) => project !== claim.project);
  }

  #claimsOf(patterns: readonly string[]): HostClaim[] {
    const projects = new Set(patterns.flatMap((pattern) => [...(this.#claimants.get(pattern) ?? [])]));
    return [...projects].flatMap((project) => this.#claims.get(project) ?? []);
  }
}

const isWildcard = (pattern: string): boolean => pattern.startsWith('*.');

/** Returns the pattern that covers a name; for a single label, none does. */
const wildcardOf = (host: string): string => (host.indexOf('.') > 0 ? `*${host.slice(host.indexOf('.'))}` : '');

/** Orders claims by age, the oldest first; two claims are never equal. */
function compareAge(a: HostClaim, b: HostClaim): number {
  const keys = ({ created = '', uid = '', project }: HostClaim) => [created, uid, project];
  const [first, second] = [keys(a), keys(b)];
  const index = first.findIndex((key, at) => key !== second[at]);
  if (index < 0) return 0;
  return (first[index] as string) < (second[index] as string) ? -1 : 1;
}

function addTo(map: Map<string, Set<string>>, key: string, value: string): void {
  const values = map.get(key);
  if (values) values.add(value);
  else map.set(key, new Set([value]));
}

function removeFrom(map: Map<string, Set<string>>, key: string, value: string): void {
  const values = map.get(key);
  values?.delete(value);
  if (values?.size === 0) map.delete(key);
}
