import { amountsOf, apiVersion, parseManifest, type ResourceList, type ManifestInput } from '../lib/api';
import { type ArtifactResource } from '../lib/artifact';
import { defaultPlatform, defaultProfile } from '../lib/expand';
import { type LiveObject } from '../lib/kube';
import { previewTarget } from '../lib/submission/preview/preview-target';
import { TargetSnapshot } from '../lib/submission/preview/target-snapshot';
import { makeService } from '../lib/testing';
import { median, ratio } from './ratio';

/** Number of workloads in the project. */
const workloads = 20;
const rounds = 7;
const artifactsPerRound = 400;

const project: ManifestInput<'Project'> = {
  apiVersion,
  kind: 'Project',
  metadata: { name: 'shop' },
  spec: { team: 'commerce', quota: { 'requests.cpu': '40', 'requests.memory': '100Gi', pods: '120' } },
};

const serviceOf = (name: string, replicas: number): ManifestInput =>
  makeService({
    name,
    replicas,
    config: { env: { MODE: 'live', REGION: 'one' } },
    links: { runbook: 'https://example.com/runbook' },
  });

const live = Array.from({ length: workloads }, (_, index): LiveObject => {
  const { kind, metadata, spec } = parseManifest(serviceOf(`service-${index}`, 3));
  const { name, namespace } = metadata;
  return { apiVersion, kind, metadata: { name, namespace, uid: name, resourceVersion: '1', generation: 1 }, spec };
});

const target = new TargetSnapshot({
  name: 'prod-1',
  documents: [parseManifest(defaultPlatform), parseManifest(defaultProfile), parseManifest(project)],
  nodes: 50,
});
const reservations = new Map<string, ResourceList>([['PinterestService/service-7', amountsOf({ pods: '6' })]]);
const used = amountsOf({ pods: '61', 'requests.cpu': '14' });

/** Returns distinct artifacts, so that none is cached. */
const artifactsOf = (size: number): ArtifactResource[][] =>
  Array.from({ length: artifactsPerRound }, (_, round) =>
    Array.from(
      { length: size },
      (_, index) => structuredClone(serviceOf(`service-${index}`, 400 + round)) as unknown as ArtifactResource,
    ),
  );

function rejectionsPerSecond(artifacts: readonly ArtifactResource[][]): number {
  const started = process.cpuUsage();
  for (const resources of artifacts) {
    const stage = { name: 'production', resources };
    const preview = previewTarget({
      target,
      project: 'shop',
      workflow: 'cart',
      stage,
      live,
      reservations,
      used,
    });
    if (preview.decision !== 'refuse' || preview.preview.fits) throw new Error('was not rejected by quota');
  }
  // CPU time: the machine may be busy.
  const { user, system } = process.cpuUsage(started);
  return (artifacts.length * 1_000_000) / (user + system);
}

const medianRate = (artifacts: () => readonly ArtifactResource[][]): number =>
  median(
    Array.from({ length: rounds }, () => rejectionsPerSecond(artifacts())),
    (rate) => rate,
  );
const printRate = (what: string, rate: number): void =>
  console.log(`${what}: ${Math.round(rate)} rejections per second on one core`);

const singleRate = medianRate(() => artifactsOf(1));
printRate('one workload, a new artifact', singleRate);
printRate(
  'three workloads, a new artifact',
  medianRate(() => artifactsOf(3)),
);
const [observed = []] = artifactsOf(1);
printRate(
  'one workload, a cached artifact',
  medianRate(() => Array.from({ length: artifactsPerRound }, () => observed)),
);
ratio('submission-check-refusals', singleRate / 300, '>=', 1);
