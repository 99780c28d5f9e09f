import { type PodTemplate } from '../../../api';

/**
 * Adds the affinity of a Job that has a topology domain to itself: its pods run together, and not in a domain with a pod
 * that has another value of the label.
 *
 * The API server admits the first pod although no other matches its affinity, because it matches that itself.
 */
export function withExclusiveTopology(
  template: PodTemplate,
  label: string,
  value: string,
  topologyKey: string,
): PodTemplate {
  const { affinity } = template.spec;
  const term = (expressions: readonly { key: string; operator: 'In' | 'NotIn' | 'Exists'; values?: string[] }[]) => ({
    labelSelector: { matchExpressions: [...expressions] },
    // Jobs of other projects use the same nodes.
    namespaceSelector: {},
    topologyKey,
  });
  const own = term([{ key: label, operator: 'In', values: [value] }]);
  const others = term([
    { key: label, operator: 'Exists' },
    { key: label, operator: 'NotIn', values: [value] },
  ]);
  const required = 'requiredDuringSchedulingIgnoredDuringExecution';
  return {
    ...template,
    spec: {
      ...template.spec,
      affinity: {
        ...affinity,
        podAffinity: { ...affinity?.podAffinity, [required]: [...(affinity?.podAffinity?.[required] ?? []), own] },
        podAntiAffinity: {
          ...affinity?.podAntiAffinity,
          [required]: [...(affinity?.podAntiAffinity?.[required] ?? []), others],
        },
      },
    },
  };
}
