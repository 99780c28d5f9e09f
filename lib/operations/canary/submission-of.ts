import { readFileSync } from 'node:fs';
import { ArtifactStore, type BlobStore, readSigningKey, signedByKey } from '../../artifact';
import { ServiceClient } from '../../contract';
import { type Clock } from '../../kube';
import { canaryStage } from '../../programs';
import { type CanaryDeployer } from './canary-deployer';
import { CanaryPublisher } from './canary-publisher';
import { type CanarySubmissionSettings } from './canary-settings';
import { submissionDoor } from './submission-door';

/** The door through the submission service; with a key that cannot be read it is missing. */
export function submissionOf(
  told: CanarySubmissionSettings,
  objects: BlobStore,
  project: string,
  clock: Clock,
  ask: typeof fetch,
): CanaryDeployer {
  const key = readSigningKey(told.key);
  const { issuer, repository, ref, target, tokenFile, url } = told;
  const stage = canaryStage;
  const publisher = new CanaryPublisher({
    store: new ArtifactStore(objects),
    sign: (payload) => (key ? Promise.resolve(signedByKey(payload, key)) : Promise.reject(new Error('no key'))),
    // What it publishes comes of no repository's commit, but of the canary's own text.
    identity: { issuer, repository, ref, commit: '0'.repeat(40) },
    project,
    stage,
    target,
    clock,
  });
  const client = new ServiceClient({
    server: url,
    // Tokens of service accounts are exchanged while the process lives.
    token: () => readFileSync(tokenFile, 'utf8').trim(),
    fetch: ask,
    clock,
    userAgent: 'pinion-canary',
    // Below the limit of a step that only asks.
    timeouts: { attempt: 6_000, total: 8_000 },
  });
  const door = submissionDoor({ client, publisher, clock, stage, project });
  return key ? door : { ...door, missing: 'CANARY_SIGNING_KEY is no private key that can sign' };
}
