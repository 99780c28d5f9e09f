import { type PlatformManifest } from '../../api';
import { ownsName, type OwnedNameForm } from './name-ownership';

/** Returns the base domains of generated host names. */
export function hostDomains({ spec }: PlatformManifest<'Platform'>): readonly string[] {
  const { internal, external } = spec.ingress;
  return [...new Set([spec.domain, internal?.domain, external?.domain].filter((domain) => domain !== undefined))];
}

/** Returns the host names that a Project claims: those generated for its workloads, and `hosts`. */
export const claimedHosts = (
  project: string,
  hosts: readonly string[],
  platform: PlatformManifest<'Platform'>,
): readonly string[] => [...new Set([...hostDomains(platform).map((domain) => `*.${project}.${domain}`), ...hosts])];

const hostLabel = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';

/** Host names, and `*.` patterns that cover one label. */
export const hostForm: OwnedNameForm = {
  what: 'a host name',
  // The only spelling of a host name: lower case, without a trailing dot, in Punycode.
  spelling: new RegExp(`^([*][.])?${hostLabel}([.]${hostLabel})*$`),
  isPattern: (name) => name.startsWith('*.'),
  // No pattern covers a single label.
  patternOf: (name) => (name.indexOf('.') > 0 ? `*${name.slice(name.indexOf('.'))}` : ''),
};

/** Returns whether a name or pattern is among the host names of a Project. */
export const ownsHost = (hosts: readonly string[], name: string): boolean => ownsName(hosts, name, hostForm);
