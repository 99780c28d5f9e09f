import { type Spec } from '../../api';

/** Whether the shards that have succeeded are enough. */
export function hasSucceeded(
  { shards, success }: Pick<Spec<'PinterestJobSet'>, 'shards' | 'success'>,
  succeeded: ReadonlySet<number>,
): boolean {
  const deciding = success?.shards && new Set(success.shards);
  const needed = success?.count ?? deciding?.size ?? shards;
  let count = 0;
  for (const index of succeeded) if (!deciding || deciding.has(index)) count++;
  return count >= needed;
}
