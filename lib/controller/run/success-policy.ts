import { type Spec } from '../../api';

/** Whether the shards that have succeeded are enough. */
export function hasSucceeded(
  { shards, successPolicy }: Pick<Spec<'PinterestJobSet'>, 'shards' | 'successPolicy'>,
  succeeded: ReadonlySet<number>,
): boolean {
  const deciding = successPolicy?.shards && new Set(successPolicy.shards);
  const needed = successPolicy?.count ?? deciding?.size ?? shards;
  let count = 0;
  for (const index of succeeded) if (!deciding || deciding.has(index)) count++;
  return count >= needed;
}
