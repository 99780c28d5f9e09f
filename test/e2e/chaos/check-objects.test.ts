import { apiVersion, type ManifestInput, parseManifest, type PlatformManifest } from '../../../lib/api';
import { type KubernetesObject, resolvePlatform } from '../../../lib/expand';
import { type LiveObject } from '../../../lib/kube';
import { barePlatform } from '../../local/bare-platform';
import { smallTemplate } from '../pinion-suite';
import { checkObjects, expandedObjects } from './check-objects';
import { type ClusterSnapshot } from './cluster-snapshot';

const namespace = 'chaos';
const project: ManifestInput<'Project'> = {
  apiVersion,
  kind: 'Project',
  metadata: { name: namespace },
  spec: { team: 'chaos' },
};
const platform = [...barePlatform, project].map((document) => parseManifest(document) as PlatformManifest);

/** Returns a set whose job `driver` waits until the two Jobs of `data` have succeeded. */
const jobSet = (suspend: boolean, status: object = {}): LiveObject => ({
  apiVersion,
  kind: 'PinterestJobSet',
  metadata: { name: 'set', namespace, uid: 'set', resourceVersion: '1' },
  spec: {
    suspend,
    replicatedJobs: [
      { name: 'data', replicas: 2, template: smallTemplate() },
      { name: 'driver', template: smallTemplate(), dependsOn: [{ name: 'data', status: 'Ready' }] },
    ],
  },
  status,
});

const isTrue = (type: string) => ({ conditions: [{ type, status: 'True' }] });

/** Returns the problems of a set with all its objects, but for missing ones; others may have another status. */
function problemsOf(
  document: LiveObject,
  missing: readonly string[],
  changed: Readonly<Record<string, object>> = {},
): readonly string[] {
  const { apiVersion: version, kind, metadata } = document;
  const owner = { apiVersion: version, kind, name: metadata.name, uid: metadata.uid, controller: true };
  const liveOf = (object: KubernetesObject): LiveObject => ({
    ...object,
    metadata: {
      name: object.metadata.name,
      labels: object.metadata.labels ?? {},
      annotations: object.metadata.annotations ?? {},
      namespace,
      uid: object.metadata.name,
      resourceVersion: '1',
      ownerReferences: [owner],
    },
    ...changed[object.metadata.name],
  });
  const cluster = resolvePlatform(platform);
  const snapshot: ClusterSnapshot = {
    documents: new Map([[metadata.uid, document]]),
    children: expandedObjects(document, (project) => cluster.project(project))
      .filter((object) => !missing.includes(object.metadata.name))
      .map(liveOf),
    pods: [],
    histories: [],
    platform,
  };
  return checkObjects(snapshot);
}

const succeeded = { status: isTrue('Complete') };
const missingDriver = ['PinterestJobSet chaos/set: Job chaos/set-driver-0 is missing'];

test('a Job of a suspended set may be missing only while a job that it waits for has not succeeded', () => {
  expect(problemsOf(jobSet(true), [])).toEqual([]);
  expect(problemsOf(jobSet(true), ['set-driver-0'])).toEqual([]);
  expect(problemsOf(jobSet(true), ['set-driver-0'], { 'set-data-0': succeeded })).toEqual([]);
  const all = { 'set-data-0': succeeded, 'set-data-1': succeeded };
  expect(problemsOf(jobSet(true), ['set-driver-0'], all)).toEqual(missingDriver);
  expect(problemsOf(jobSet(false), ['set-driver-0'])).toEqual(missingDriver);
  expect(problemsOf(jobSet(true), ['set-data-1'])).toEqual([
    'PinterestJobSet chaos/set: Job chaos/set-data-1 is missing',
  ]);
});

test('an existing Job of a suspended set must be as its spec says, unless the spec was changed while it ran', () => {
  const other = { 'set-data-0': { spec: { completions: 7 } } };
  expect(problemsOf(jobSet(true), [], other)).toEqual([
    expect.stringMatching(/^PinterestJobSet chaos\/set: Job chaos\/set-data-0 differs at /),
  ]);
  expect(problemsOf(jobSet(true, { cause: { reason: 'DestructiveChangeBlocked' } }), [], other)).toEqual([]);
});
