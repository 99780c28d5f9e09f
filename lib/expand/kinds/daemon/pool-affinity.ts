import { type Affinity, type Spec, type Toleration } from '../../../api';

type Pool = Spec<'Platform'>['pools'][number];
type NodeSelector = NonNullable<
  NonNullable<Affinity['nodeAffinity']>['requiredDuringSchedulingIgnoredDuringExecution']
>;
type NodeSelectorTerm = NodeSelector['nodeSelectorTerms'][number];

/** Restricts an affinity to nodes of any of the pools; a pool without labels matches every node. */
export function poolAffinity(pools: readonly Pool[] | undefined, own: Affinity | undefined): Affinity | undefined {
  if (!pools || pools.some(({ nodeSelector }) => Object.keys(nodeSelector).length === 0)) return own;
  const node = own?.nodeAffinity;
  const alternatives = node?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [{}];
  const nodeSelectorTerms = alternatives.flatMap((term) => pools.map((pool) => narrowed(term, pool)));
  return {
    ...own,
    nodeAffinity: { ...node, requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
  };
}

const narrowed = (term: NodeSelectorTerm, { nodeSelector }: Pool): NodeSelectorTerm => ({
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
  const seen = new Map(tolerations.map((toleration) => [identity(toleration), toleration]));
  return [...seen.values()];
}

const identity = ({ key, operator = 'Equal', value, effect, tolerationSeconds }: Toleration): string =>
  JSON.stringify([key, operator, value, effect, tolerationSeconds]);
