import { type ControlPlaneSpec, type Flags, type Member } from '../../stacks/plan/bootstrap';
import { etcdFlags } from '../../stacks/plan/bootstrap/control-plane/etcd-unit';
import { allApiServerFlags, servingFlags } from '../../stacks/plan/bootstrap/control-plane/kubeadm-configuration';

/** Planned flags of each control plane program, by the name of its pod or unit. */
export const plannedFlags = (spec: ControlPlaneSpec, member: Member): Readonly<Record<string, Flags>> => ({
  'kube-apiserver': allApiServerFlags(spec, member),
  'kube-controller-manager': { ...servingFlags(member), ...spec.flags['kube-controller-manager'] },
  'kube-scheduler': { ...servingFlags(member), ...spec.flags['kube-scheduler'] },
  ...Object.fromEntries(
    spec.etcds.map(({ name, flags }) => [`etcd-${name}.service`, { ...etcdFlags(spec, member, name), ...flags }]),
  ),
});

/** Parses the flags of a command line with all values of each. */
export function flagsOf(words: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const flags: Record<string, string[]> = {};
  for (const word of words.slice(1)) {
    const match = /^--([a-z0-9-]+)=(.*)$/s.exec(word);
    if (!match) throw new Error(`${word} is not a flag with a value`);
    (flags[match[1] ?? ''] ??= []).push(match[2] ?? '');
  }
  return flags;
}
