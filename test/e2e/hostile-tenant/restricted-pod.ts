import { smallTemplate } from '../pinion-suite';

/** Returns a pod that Pod Security accepts in every project. */
export function restrictedPod() {
  const { spec } = smallTemplate();
  return {
    ...spec,
    securityContext: { ...spec.securityContext, runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    containers: spec.containers.map((container) => ({
      ...container,
      securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
    })),
  };
}
