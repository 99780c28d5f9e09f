import { textAt } from '../../../api';
import { currentRollout, isOpenRollout, rolloutPhaseOf, type StoredRollout } from '../../../expand';
import { type KubeClient, type LiveObject } from '../../../kube';
import { type ClusterConnection } from '../../cluster/cluster-connection';
import { UnavailableError } from '../../io/io';

/** Thrown when a rollout is missing or its phase does not allow what was asked for. */
export class RolloutError extends Error {
  override readonly name = 'RolloutError' as const;
}

type Reader = Pick<ClusterConnection, 'client' | 'kube'>;

/** Reads all rollouts of a cluster. Throws an `UnavailableError` if its definitions lack the kind. */
export async function readRollouts({ client, kube }: Reader): Promise<readonly StoredRollout[]> {
  try {
    return (await kube.listAllPages(client, 'PlatformRollout')).map(asRollout);
  } catch (error) {
    if (!kube.isApiError(error, 404)) throw error;
    throw new UnavailableError(
      'the cluster has no definition of PlatformRollout; apply the output of "pinion crds" of this version',
    );
  }
}

/** Reads one rollout. Throws a `RolloutError` if it does not exist. */
export async function readRollout(name: string, { client, kube }: Reader): Promise<StoredRollout> {
  const live = await client.get(kube.resourceOf('PlatformRollout'), { name });
  if (live) return asRollout(live);
  const known = (await readRollouts({ client, kube })).map(({ metadata }) => metadata.name);
  throw new RolloutError(
    `no PlatformRollout ${name}; ${known.length > 0 ? `the cluster has ${known.join(', ')}` : 'the cluster has none'}`,
  );
}

/** Returns the object that the API server has validated. */
export const asRollout = (live: LiveObject): StoredRollout => live as unknown as StoredRollout;

/** Returns the rollout of a name; without one, the open one, or what `fallback` selects. Throws a `RolloutError` without any. */
export async function selectRollout(
  name: string | undefined,
  reader: Reader,
  fallback: 'open' | 'last',
): Promise<StoredRollout> {
  if (name !== undefined) return readRollout(name, reader);
  const rollouts = await readRollouts(reader);
  const open = rollouts.filter(isOpenRollout).map(({ metadata }) => metadata.name);
  // A change must not reach another one than the user means.
  if (fallback === 'open' && open.length > 1)
    throw new RolloutError(`several rollouts are in progress; name one of ${open.join(', ')}`);
  const current = currentRollout(rollouts);
  if (!current) throw new RolloutError(await reasonForNone(reader));
  if (fallback === 'last' || isOpenRollout(current)) return current;
  throw new RolloutError(
    `no rollout is in progress; the last one, ${current.metadata.name}, is ${rolloutPhaseOf(current)}`,
  );
}

/** Returns why a cluster has no rollout. */
export async function reasonForNone({ client, kube }: Reader): Promise<string> {
  const platform = await readPlatform({ client, kube });
  if (!platform) return 'no rollout: there is no Platform, so pinion is not installed';
  const spec = platform['spec'] as { readonly rollouts?: unknown } | undefined;
  if (spec?.rollouts === undefined)
    return 'no rollout: the Platform has no spec.rollouts, so changes reach workloads as its spec.runtime states; see docs/rollouts.md';
  const completed = textAt(platform['status'], 'revisions', 'completed');
  return completed === undefined
    ? 'no rollout: the controller has not recorded a revision of the Platform yet'
    : `no rollout: workloads follow revision ${completed}, and no change of the Platform has reached them since`;
}

const readPlatform = async ({ client, kube }: { client: KubeClient; kube: Reader['kube'] }) =>
  (await kube.listAllPages(client, 'Platform'))[0];
