import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nativeKinds, pinionKinds, type ManifestInput } from '../../lib/api';
import { type ImpactReport } from '../../lib/cli/commands/impact/impact-report';
import { kindOfPod } from '../../lib/expand';
import { type ChangedObject, type ClusterImpact } from '../../lib/impact';
import { type AuditMark } from '../control-plane/audit';
import { runCommand } from '../control-plane/command';
import { waitFor } from '../control-plane/wait-for';
import { restartDifferences } from '../impact/restart-differences';
import {
  fleetChanges,
  fleetProfile,
  fleetWorkloads,
  initialState,
  platformOf,
  profileChanges,
  projectsOf,
  type FleetChange,
  type FleetState,
} from './impact-fleet';
import { type KubectlObject } from './kubectl-view';
import { controllerUser, describePinion } from './pinion-suite';
import { rolloutsComplete } from './rollouts-complete';

const program = join(__dirname, '..', '..', 'build', 'bin', 'pinion.js');
const seed = Number(process.env['PINION_IMPACT_SEED'] ?? 20261127);

/** Returns a generator of numbers below 1 (mulberry32), so that a failure can be repeated. */
function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Returns the changes in a random order, some of them in pairs, and then those of profiles. */
function steps(): readonly (readonly FleetChange[])[] {
  const random = randomFrom(seed);
  const shuffled = fleetChanges
    .map((change) => ({ change, rank: random() }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ change }) => change);
  const found: FleetChange[][] = [];
  while (shuffled.length > 0) found.push(shuffled.splice(0, random() < 0.3 ? 2 : 1));
  return [...found, ...profileChanges.map((change) => [change])];
}

/** Objects of verbs in the audit log, and in the words of an impact. */
const plurals = new Map(
  Object.entries({ ...nativeKinds, ...pinionKinds }).map(([kind, { plural }]) => [plural, kind] as const),
);

/** Returns the writes that an impact predicts for certain, as `patch Deployment/cart`. */
function predictedWrites({ workloads, platform }: ClusterImpact): readonly string[] {
  const verbs: Readonly<Record<ChangedObject['change'], readonly string[]>> = {
    created: ['patch'],
    changed: ['patch'],
    replaced: ['delete', 'patch'],
    removed: ['delete'],
    removedLater: [],
    kept: [],
  };
  return [...workloads, ...platform]
    .flatMap(({ changed }) => changed.flatMap(({ object, change }) => verbs[change].map((verb) => `${verb} ${object}`)))
    .sort();
}

/** Returns the writes that an impact predicts for the first change that a running Job cannot take. */
const possibleWrites = ({ workloads }: ClusterImpact): ReadonlySet<string> =>
  new Set(
    workloads.flatMap(({ changed }) =>
      changed.filter(({ change }) => change === 'kept').map(({ object }) => `patch ${object}`),
    ),
  );

describePinion(
  `predictions of pinion impact (seed ${seed})`,
  (pinion) => {
    const folder = mkdtempSync(join(tmpdir(), 'pinion-impact-'));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
    let state: FleetState = initialState;

    const list = async (kinds: string): Promise<readonly KubectlObject[]> => {
      const { code, stdout, stderr } = await pinion().cluster.kubectl(['get', kinds, '-A', '-o', 'json']);
      if (code !== 0) throw new Error(stderr);
      return (JSON.parse(stdout) as { items: KubectlObject[] }).items;
    };
    /** Returns the uids of the pods of each workload that runs until it is replaced. */
    const podsByWorkload = async (): Promise<ReadonlyMap<string, readonly string[]>> => {
      const found = new Map<string, string[]>();
      for (const { metadata } of await list('pods')) {
        const { labels = {}, uid, ownerReferences = [] } = metadata;
        const name = labels['pinterest.com/workload'];
        if (name === undefined || ownerReferences.some(({ kind }) => kind === 'Job')) continue;
        const { namespace = '' } = metadata as { readonly namespace?: string };
        const key = `${kindOfPod(labels)} ${namespace}/${name}`;
        found.set(key, [...(found.get(key) ?? []), uid].sort());
      }
      return found;
    };
    const isIdle = async (): Promise<boolean> => {
      const { text } = await pinion().controller.get('/metrics');
      const values = text.split('\n').filter((line) => /^workqueue_(depth|unfinished_work_seconds)\b/.test(line));
      return values.length > 0 && values.every((line) => Number(line.split(' ').at(-1)) === 0);
    };
    const settled = async (): Promise<void> => {
      let rounds = 0;
      await waitFor(
        'the controller to be idle and all rollouts to be complete',
        async () => {
          const objects = await list('deployments,statefulsets,daemonsets,pods');
          const isSettled = (await isIdle()) && rolloutsComplete(objects) && (await isIdle());
          rounds = isSettled ? rounds + 1 : 0;
          return rounds >= 3 ? true : undefined;
        },
        { timeout: 180_000, interval: 300 },
      );
    };
    const impactOf = async (documents: readonly ManifestInput[]): Promise<ClusterImpact> => {
      const file = join(folder, 'change.yaml');
      writeFileSync(file, documents.map((document) => JSON.stringify(document)).join('\n---\n'));
      const { kubeconfig } = pinion().cluster;
      const args = ['impact', 'report', '--live', '--kubeconfig', kubeconfig, file, '-o', 'json'];
      const { stdout, stderr } = await runCommand(process.execPath, [program, ...args], '', {});
      if (stdout === '') throw new Error(stderr);
      const { clusters } = JSON.parse(stdout) as ImpactReport;
      return clusters[0] as ClusterImpact;
    };
    /** Lists the controller's writes to objects, without those of statuses, as `patch Deployment/cart`. */
    const writesSince = (mark: AuditMark): readonly string[] =>
      pinion()
        .cluster.audit.since(mark, { user: controllerUser })
        .filter(({ verb, objectRef, responseStatus }) => {
          const isWrite = ['create', 'update', 'patch', 'delete'].includes(verb);
          const isOwn =
            ['events', 'leases'].includes(objectRef?.resource ?? '') || objectRef?.subresource !== undefined;
          return isWrite && !isOwn && (responseStatus?.code ?? 500) < 300;
        })
        .map(
          ({ verb, objectRef = {} }) =>
            `${verb} ${plurals.get(objectRef.resource ?? '') ?? objectRef.resource}/${objectRef.name}`,
        )
        .sort();
    const apply = async (next: FleetState): Promise<void> => {
      const documents: readonly ManifestInput[] = [platformOf(next), ...projectsOf(next)];
      for (const document of documents) await pinion().apply(document);
      for (const { kind, metadata } of documents) await pinion().until(kind, '', metadata.name, () => true);
    };

    beforeAll(async () => {
      for (const document of projectsOf(initialState)) await pinion().apply(document);
      for (const { metadata } of projectsOf(initialState)) await pinion().ready('Project', '', metadata.name);
      for (const workload of fleetWorkloads) await pinion().apply(workload);
      for (const { kind, metadata } of fleetWorkloads)
        await pinion().ready(kind, metadata.namespace ?? '', metadata.name, 180_000);
      await settled();
    }, 600_000);

    test('nothing is predicted before a change, and every workload is known', async () => {
      const { counts, writes } = await impactOf([]);
      expect(counts).toMatchObject({ restarts: 0, unknown: 0, blocked: 0, waits: 0, changes: 0 });
      // The part on nodes is a workload, too.
      expect(counts.unchanged).toBe(fleetWorkloads.length + 1);
      expect(writes).toEqual({ patch: 0, delete: 0, deleteLater: 0, patchOnce: 0 });
    }, 60_000);

    test.each(steps().map((changes) => [changes.map(({ name }) => name).join(' and '), changes] as const))(
      'restarts and writes are as predicted for %s',
      async (_, changes) => {
        const next = changes.reduce((current, change) => change.apply(current), state);
        const impact = await impactOf([platformOf(next), ...projectsOf(next)]);
        const before = await podsByWorkload();
        const mark = pinion().cluster.audit.mark();
        await apply(next);
        state = next;
        await settled();
        const after = await podsByWorkload();
        const restarted = [...before.keys()].filter((key) => String(before.get(key)) !== String(after.get(key)));
        const predicted = impact.workloads
          .filter(({ outcome }) => outcome === 'restarts')
          .map(({ kind, project, name }) => `${kind} ${project}/${name}`);
        expect(restartDifferences(predicted, restarted)).toEqual({ missed: [], spurious: [] });
        const possible = possibleWrites(impact);
        expect(writesSince(mark).filter((write) => !possible.has(write))).toEqual(predictedWrites(impact));
        expect(impact.counts).toMatchObject({ unknown: 0, blocked: 0 });
      },
      300_000,
    );
  },
  { documents: [platformOf(initialState), ...['1', '2', '3'].map((tag) => fleetProfile(`lean-${tag}`, tag))] },
);
