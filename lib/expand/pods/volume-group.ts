import { type PodTemplate } from '../../api';

/** Group of volumes whose person says nothing of users: any will do, for every container of the pod joins it. */
const volumeGroup = 65532;

/** The template for pods with volumes of their own: a new volume belongs to root, so that without a group another user could not write it. */
export function withVolumeGroup(template: PodTemplate): PodTemplate {
  const own = template.spec.securityContext;
  const first = template.spec.containers[0]?.securityContext;
  if (own?.fsGroup !== undefined || (first?.runAsUser ?? own?.runAsUser) === 0) return template;
  const fsGroup = first?.runAsGroup ?? own?.runAsGroup ?? first?.runAsUser ?? own?.runAsUser ?? volumeGroup;
  const securityContext = { fsGroupChangePolicy: 'OnRootMismatch' as const, ...own, fsGroup };
  return { ...template, spec: { ...template.spec, securityContext } };
}
