import { type Affinity, type Spec, type Toleration } from '../../../api';

type Pool = Spec<'Platform'>['pools'][number];
type NodeSelector = NonNullable<
  NonNullable<Affinity['nodeAffinity']>['requiredDuringSchedulingIgnoredDuringExecution']
>;
type NodeSelectorTerm = NodeSelector['nodeSelectorTerms'][number];

/** Restricts an affinity to the nodes of the pools; a pool without labels matches every node. */
export function poolAffinity(pools: readonly Pool[] | undefined, own: Affinity | undefined): Affinity | undefined {
  if (!pools || pools.some(({ nodeSelector }) => Object.keys(nodeSelector).length === 0)) return own;
  const node = own?.nodeAffinity;
  const terms = node?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [{}];
  const nodeSelectorTerms = terms.flatMap((term) => pools.map((pool) => restrictTerm(term, pool)));
  return {
    ...own,
    nodeAffinity: { ...node, requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
  };
}

const restrictTerm = (term: NodeSelectorTerm, { nodeSelector }: Pool): NodeSelectorTerm => ({
  ...term,
  matchExpressions: [
    ...(term.matchExpressions ?? []),
    ...Object.keys(nodeSelector)
      .sort()
      .map((key) => ({ key, operator: 'In' as const, values: [nodeSelector[key] ?? ''] })),
  ],
});

/** Returns the tolerations without duplicates, in order. */
export function distinctTolerations(tolerations: readonly Toleration[]): Toleration[] {
  const byKey = new Map(tolerations.map((toleration) => [tolerationKey(toleration), toleration]));
  return [...byKey.values()];
}

const tolerationKey = ({ key, operator = 'Equal', value, effect, tolerationSeconds }: Toleration): string =>
  JSON.stringify([key, operator, value, effect, tolerationSeconds]);
