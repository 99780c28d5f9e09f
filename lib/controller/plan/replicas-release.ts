import { type KubernetesObject } from '../../expand';
import { type Child } from '../observed/child';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns a workload that an autoscaler will scale, with its current number of pods as long as only pinion owns the
 * field.
 *
 * Dropping the number at once would set it to 1. The autoscaler's first change makes it the owner of the field, and
 * then pinion releases it.
 */
export function withReplicasKept(
  desired: KubernetesObject,
  child: Child | undefined,
  scaleTargets: ReadonlySet<string>,
): KubernetesObject {
  const { kind, metadata } = desired;
  if (!child?.scale?.ownedByPinion || child.scale.ownedByOthers || !scaleTargets.has(`${kind}/${metadata.name}`))
    return desired;
  const spec = desired['spec'] as Fields;
  return spec['replicas'] === undefined ? { ...desired, spec: { ...spec, replicas: child.scale.replicas } } : desired;
}

/** Returns the scale targets of the desired autoscalers, as `Kind/name`. */
export const scaleTargetsOf = (desired: readonly KubernetesObject[]): ReadonlySet<string> =>
  new Set(
    desired
      .filter(({ kind }) => kind === 'HorizontalPodAutoscaler')
      .map((autoscaler) => {
        const { scaleTargetRef } = autoscaler['spec'] as {
          readonly scaleTargetRef: { readonly kind: string; readonly name: string };
        };
        return `${scaleTargetRef.kind}/${scaleTargetRef.name}`;
      }),
  );
