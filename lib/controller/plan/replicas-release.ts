import { type KubernetesObject } from '../../expand';
import { type Child } from '../observed/child';

type Fields = Readonly<Record<string, unknown>>;

/**
 * A workload whose number of pods an autoscaler is to say: the number is kept as long as we alone own the field.
 *
 * Dropping it at once would set it to 1. The autoscaler's first change makes the field its own, and then it is released.
 */
export function withReplicasKept(
  desired: KubernetesObject,
  child: Child | undefined,
  scaled: ReadonlySet<string>,
): KubernetesObject {
  const { kind, metadata } = desired;
  if (!child?.scale?.ours || child.scale.others || !scaled.has(`${kind}/${metadata.name}`)) return desired;
  const spec = desired['spec'] as Fields;
  return spec['replicas'] === undefined ? { ...desired, spec: { ...spec, replicas: child.scale.replicas } } : desired;
}

/** What the desired autoscalers scale, as `Kind/name`. */
export const scaledBy = (desired: readonly KubernetesObject[]): ReadonlySet<string> =>
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
