import { type PodTemplate } from '../../api';

/** Default fsGroup of pods with volumes; any value works, because all containers of the pod are in the group. */
const volumeGroup = 65532;

/** Sets an fsGroup on a template with volumes: new volumes belong to root, and containers that run as another user could not write to them. */
export function withVolumeGroup(template: PodTemplate): PodTemplate {
  const own = template.spec.securityContext;
  const first = template.spec.containers[0]?.securityContext;
  if (own?.fsGroup !== undefined || (first?.runAsUser ?? own?.runAsUser) === 0) return template;
  const fsGroup = first?.runAsGroup ?? own?.runAsGroup ?? first?.runAsUser ?? own?.runAsUser ?? volumeGroup;
  const securityContext = { fsGroupChangePolicy: 'OnRootMismatch' as const, ...own, fsGroup };
  return { ...template, spec: { ...template.spec, securityContext } };
}
