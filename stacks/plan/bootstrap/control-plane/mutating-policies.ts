import { type KubernetesPatchVersion } from '../node-cluster-config';
import { type Flags } from './control-plane-spec';

/** Flags with which an API server of 1.35 serves MutatingAdmissionPolicy, which is beta and off; later versions serve it. */
const required = {
  'feature-gates': { MutatingAdmissionPolicy: 'true' },
  'runtime-config': { 'admissionregistration.k8s.io/v1beta1': 'true' },
} as const;

/**
 * Returns the flags of an API server, with those that mutating admission policies need, by which the gateway leads native
 * pods to itself. They are added to the lists of a flag that is set already; a key that is set there keeps its value.
 */
export function withMutatingPolicies(version: KubernetesPatchVersion, flags: Flags): Flags {
  if (!version.startsWith('1.35.')) return flags;
  const lists = Object.entries(required).map(([name, values]) => [name, listWith(flags[name], values)]);
  return { ...flags, ...(Object.fromEntries(lists) as Flags) };
}

/** Adds settings to a list such as `A=true,B=false`; a name alone in it means `true`. */
function listWith(list: string | undefined, settings: Readonly<Record<string, string>>): string {
  const given = (list ?? '').split(',').filter((setting) => setting.trim() !== '');
  const names = given.map((setting) => setting.split('=')[0]?.trim());
  const added = Object.entries(settings).filter(([name]) => !names.includes(name));
  return [...given, ...added.map(([name, value]) => `${name}=${value}`)].join(',');
}
