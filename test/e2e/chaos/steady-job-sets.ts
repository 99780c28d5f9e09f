import { apiVersion } from '../../../lib/api';
import { type LiveObject } from '../../../lib/kube';
import { podBehavior } from '../../control-plane/pod-behavior';
import { smallTemplate } from '../pinion-suite';
import { type ClusterSnapshot } from './cluster-snapshot';
import { type RoundProjects, type WorkloadManifest } from './random-workloads';
import { keyOf } from './user';

type Fields = Readonly<Record<string, unknown>>;

/** Restarts of the job sets that fail. */
const restarts = 2;

const template = (exitAfter: string, exitCode = 0) =>
  smallTemplate({ [podBehavior.exitAfter]: exitAfter, [podBehavior.exitCode]: String(exitCode) });
const after = (name: string, status: 'Ready' | 'Complete') => ({ dependsOn: [{ name, status }] });

/**
 * Job sets whose end depends on nothing but their specs, by name. Only one Job fails: of two, the first to fail might end
 * the set before the other has.
 */
const specs: Readonly<Record<string, Fields>> = {
  failing: { template: template('1s', 3), shards: 2, failurePolicy: { maxRestarts: restarts } },
  ordered: {
    replicatedJobs: [
      { name: 'data', replicas: 2, template: template('1s') },
      { name: 'driver', template: template('2s'), ...after('data', 'Complete') },
      { name: 'workers', replicas: 2, shards: 2, template: template('1s'), ...after('driver', 'Ready') },
      { name: 'report', template: template('300ms'), ...after('workers', 'Complete') },
    ],
  },
  restarted: {
    failurePolicy: {
      maxRestarts: restarts,
      rules: [
        { action: 'FailJobSet', jobs: ['data'] },
        { action: 'RestartJobSet', jobs: ['workers'], reasons: ['FailedIndexes'] },
      ],
    },
    replicatedJobs: [
      { name: 'data', shards: 2, template: template('300ms') },
      { name: 'workers', shards: 2, template: template('1s', 3), ...after('data', 'Complete') },
    ],
  },
};

/** Returns job sets that the user does not change; a prefix tells two copies apart. */
export const steadyJobSets = (prefix: string, { project }: RoundProjects): readonly WorkloadManifest[] =>
  Object.entries(specs).map(([name, spec]) => ({
    apiVersion,
    kind: 'PinterestJobSet',
    metadata: { name: `${prefix}-${name}`, namespace: project },
    spec: { retries: 0, ...spec },
  }));

/** Returns differences of job sets that ran during faults from their copies, which ran before. */
export function checkSteadyJobSets(
  snapshot: ClusterSnapshot,
  [before, during]: readonly [string, string],
  projects: RoundProjects,
  created: ReadonlyMap<string, number>,
): string[] {
  return Object.keys(specs).flatMap((name) => {
    const [earlier, later] = [before, during].map((prefix) => {
      const key = keyOf({
        kind: 'PinterestJobSet',
        metadata: { namespace: projects.project, name: `${prefix}-${name}` },
      });
      const document = [...snapshot.documents.values()].find((one) => keyOf(one) === key);
      return {
        end: document && endOf(document, prefix, snapshot),
        jobs: creations(created, `${prefix}-${name}`, prefix),
      };
    }) as [SteadyRun, SteadyRun];
    const difference =
      earlier.end !== undefined && JSON.stringify(earlier.end) === JSON.stringify(later.end)
        ? []
        : [`${name} ended ${JSON.stringify(later.end)}, without faults ${JSON.stringify(earlier.end)}`];
    // A killed API server may not have logged a creation that it stored.
    const repeated = [...later.jobs].filter(([job, count]) => count > (earlier.jobs.get(job) ?? 0));
    return [
      ...difference,
      ...(earlier.jobs.size > 0 ? [] : [`no Job of ${name} was created`]),
      ...repeated.map(
        ([job, count]) => `Job ${job} was created ${count} times, without faults ${earlier.jobs.get(job) ?? 0}`,
      ),
    ];
  });
}

interface SteadyRun {
  readonly end: object | undefined;
  readonly jobs: ReadonlyMap<string, number>;
}

/** Returns what remains of a run, without times and without the prefix of its names. */
function endOf({ status = {}, metadata }: LiveObject & { status?: Fields }, prefix: string, snapshot: ClusterSnapshot) {
  const { phase, jobs, shards, succeededIndexes, failedIndexes, uncountedRestarts } = status;
  const conditions = (status['conditions'] ?? []) as readonly Readonly<Record<string, string>>[];
  return {
    phase,
    restarts: status['restarts'],
    uncountedRestarts,
    jobs,
    shards,
    succeededIndexes,
    failedIndexes,
    ends: conditions
      .filter(({ type }) => type === 'Complete' || type === 'Failed')
      .map(({ type, reason }) => [type, reason]),
    children: snapshot.children
      .filter(({ metadata: { ownerReferences = [] } }) => ownerReferences.some(({ uid }) => uid === metadata.uid))
      .map((child) => `${child.kind} ${withoutPrefix(child.metadata.name, prefix)}`)
      .sort(),
  };
}

const withoutPrefix = (name: string, prefix: string): string =>
  name.startsWith(`${prefix}-`) ? name.slice(prefix.length + 1) : name;

const creations = (created: ReadonlyMap<string, number>, set: string, prefix: string): ReadonlyMap<string, number> =>
  new Map(
    [...created]
      .filter(([name]) => name === set || name.startsWith(`${set}-`))
      .map(([name, count]) => [withoutPrefix(name, prefix), count]),
  );
