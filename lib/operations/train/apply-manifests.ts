import { type Clock, isApiError, type KubeClient, type SentObject } from '../../kube';
import { delay } from '../../process';

/** Field manager of what a train applies; a field that another manager has changed is a conflict, which stops the train. */
const fieldManager = 'pinion-train';

interface ApplyTrainOptions {
  readonly clock: Clock;
  /** Whether to take over fields that other field managers have set; otherwise they are a conflict. */
  readonly force: boolean;
}

/**
 * Applies manifests in their order. All are first sent as a dry run, so that one that is rejected changes nothing; one whose
 * kind or namespace another one brings is checked when it is applied.
 */
export async function applyManifests(
  client: KubeClient,
  manifests: readonly SentObject[],
  { clock, force }: ApplyTrainOptions,
): Promise<void> {
  await dryRunManifests(client, manifests, { force });
  for (const manifest of manifests) await applyOnceServed(client, manifest, { clock, force });
}

/** Sends manifests as a dry run; rejects with the `ApiError` of the first one that the API server rejects. */
export async function dryRunManifests(
  client: KubeClient,
  manifests: readonly SentObject[],
  { force }: Pick<ApplyTrainOptions, 'force'>,
): Promise<void> {
  for (const manifest of manifests) {
    try {
      await client.apply(manifest, { fieldManager, force, dryRun: true });
    } catch (error) {
      if (!isApiError(error, 404)) throw error;
    }
  }
}

const attempts = 30;

/** Applies a manifest; if a definition before it has just been applied, the API server serves its kind a moment later. */
async function applyOnceServed(
  client: KubeClient,
  manifest: SentObject,
  { clock, force }: ApplyTrainOptions,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.apply(manifest, { fieldManager, force });
      return;
    } catch (error) {
      if (!isApiError(error, 404) || attempt >= attempts) throw error;
      await delay(clock, 200);
    }
  }
}
