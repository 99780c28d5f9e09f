import { isDeepStrictEqual } from 'node:util';
import { type Workload } from '../../api';
import { hookSelectorOf, selectorOf, type KubernetesObject } from '../../expand';
import { type Child } from '../observed/child';
import { unchangedObject } from '../run/job-of-attempt';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns an existing NetworkPolicy that also admits pods of hooks where the workload's pods reach each other; undefined if
 * nothing is missing. It is the only change before the first hook: a tightened `access` waits for the hooks.
 */
export function policyWithHooks(workload: Workload, child: Child): KubernetesObject | undefined {
  if (child.kind !== 'NetworkPolicy' || child.deleting || child.isPartial) return undefined;
  const object = unchangedObject(child);
  const { ingress, ...spec } = object['spec'] as Fields & { readonly ingress?: readonly Fields[] };
  const [own, ofHooks] = [selectorOf(workload), hookSelectorOf(workload)].map((matchLabels) => ({
    podSelector: { matchLabels },
  }));
  const hasPeer = (rule: Fields, peer: unknown) =>
    ((rule['from'] ?? []) as readonly unknown[]).some((other) => isDeepStrictEqual(other, peer));
  const isMissing = (rule: Fields) => hasPeer(rule, own) && !hasPeer(rule, ofHooks);
  if (!ingress?.some(isMissing)) return undefined;
  const admitting = ingress.map((rule) =>
    isMissing(rule) ? { ...rule, from: [...(rule['from'] as readonly unknown[]), ofHooks] } : rule,
  );
  return { ...object, spec: { ...spec, ingress: admitting } };
}
