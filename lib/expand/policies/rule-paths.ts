import { type FieldPath, type PodSpec } from '../../api';
import { type ProjectContext } from '../project-context';

/** A field of a workload that violates a platform rule. */
export interface RulePath {
  /** Path under `spec`. */
  readonly path: FieldPath;
  /** Value of the field; absent if the field is. */
  readonly value?: unknown;
  /** Values that the platform offers instead. */
  readonly offered?: readonly string[];
  /** @default - the reason of the rule */
  readonly reason?: string;
  /** @default - a suggestion from `offered`, or the remedy of the rule */
  readonly remedy?: string;
}

/** Maximum number of names that a remedy lists. */
const maxNames = 12;

/** Returns a remedy that lists the available values: `use general, highmem or gpu`. */
export function suggestValues(names: readonly string[]): string {
  if (names.length === 0) return 'remove it; none is available';
  if (names.length > maxNames)
    return `use ${names.slice(0, maxNames).join(', ')} or one of ${names.length - maxNames} more`;
  return `use ${[names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' or ')}`;
}

/** Lists the names of the Platform's node pools. */
export const poolNames = ({ platform }: ProjectContext): string[] => platform.spec.pools.map(({ name }) => name);

/** Lists entries with an unknown name, or with an unknown name in `field` if it is set. */
export const unknownPaths = (
  names: readonly (string | undefined)[],
  offered: readonly string[],
  at: FieldPath,
  reason: string,
  field?: string,
): RulePath[] =>
  names.flatMap((value, index) =>
    value === undefined || offered.includes(value)
      ? []
      : [{ path: [...at, index, ...(field === undefined ? [] : [field])], value, offered, reason }],
  );

type ContainerList = 'containers' | 'initContainers';

/** Lists the containers and init containers of a pod, each with its path. */
export const containerPaths = (pod: Pick<PodSpec, ContainerList>, at: FieldPath) =>
  (['containers', 'initContainers'] as const).flatMap((list) =>
    (pod[list] ?? []).map((container, index) => ({ container, path: [...at, list, index] })),
  );
