import { type ControlPlaneSpec, type Flags, type Member } from '../../stacks/plan/bootstrap';
import { etcdFlags } from '../../stacks/plan/bootstrap/control-plane/etcd-unit';
import { apiServerFlags, servingFlags } from '../../stacks/plan/bootstrap/control-plane/kubeadm-configuration';

/** Every flag that the plan decides, of each program of a master, by the name of its pod or its unit. */
export const plannedFlags = (spec: ControlPlaneSpec, member: Member): Readonly<Record<string, Flags>> => ({
  'kube-apiserver': { ...apiServerFlags(spec, member), ...spec.flags['kube-apiserver'] },
  'kube-controller-manager': { ...servingFlags(member), ...spec.flags['kube-controller-manager'] },
  'kube-scheduler': { ...servingFlags(member), ...spec.flags['kube-scheduler'] },
  ...Object.fromEntries(
    spec.etcds.map(({ name, flags }) => [`etcd-${name}.service`, { ...etcdFlags(spec, member, name), ...flags }]),
  ),
});

/** Flags of a command line with every value that each is given. */
export function flagsOf(words: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const flags: Record<string, string[]> = {};
  for (const word of words.slice(1)) {
    const match = /^--([a-z0-9-]+)=(.*)$/s.exec(word);
    if (!match) throw new Error(`${word} is no flag with a value`);
    (flags[match[1] ?? ''] ??= []).push(match[2] ?? '');
  }
  return flags;
}
