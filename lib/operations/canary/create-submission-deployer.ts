import { readFileSync } from 'node:fs';
import { ArtifactStore, type BlobStore, readSigningKey, signedByKey } from '../../artifact';
import { ServiceClient } from '../../contract';
import { type Clock } from '../../kube';
import { canaryStage } from '../../programs';
import { type CanaryDeployer } from './canary-deployer';
import { CanaryPublisher } from './canary-publisher';
import { type CanarySubmissionSettings } from './canary-settings';
import { submissionDeployer } from './submission-deployer';

/** Creates the deployment path through the submission service; it is unavailable if the signing key is invalid. */
export function createSubmissionDeployer(
  settings: CanarySubmissionSettings,
  objects: BlobStore,
  project: string,
  clock: Clock,
  fetcher: typeof fetch,
): CanaryDeployer {
  const key = readSigningKey(settings.key);
  const { issuer, repository, ref, target, tokenFile, url } = settings;
  const stage = canaryStage;
  const publisher = new CanaryPublisher({
    store: new ArtifactStore(objects),
    sign: (payload) => (key ? Promise.resolve(signedByKey(payload, key)) : Promise.reject(new Error('no key'))),
    // Its artifacts come from the canary itself, not from a commit.
    identity: { issuer, repository, ref, commit: '0'.repeat(40) },
    project,
    stage,
    target,
    clock,
  });
  const client = new ServiceClient({
    server: url,
    // The kubelet rotates service account tokens.
    token: () => readFileSync(tokenFile, 'utf8').trim(),
    fetch: fetcher,
    clock,
    userAgent: 'pinion-canary',
    // Below the limit of a step that only sends requests.
    timeouts: { attempt: 6_000, total: 8_000 },
  });
  const deployer = submissionDeployer({ client, publisher, clock, stage, project });
  return key ? deployer : { ...deployer, missing: 'CANARY_SIGNING_KEY is not a private signing key' };
}
