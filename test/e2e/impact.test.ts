import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ManifestInput } from '../../lib/api';
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
import {
  ImpactProof,
  possibleWrites,
  predictedRestarts,
  predictedWrites,
  randomFrom,
  restartedBetween,
} from './impact-proof';
import { describePinion } from './pinion-suite';

const seed = Number(process.env['PINION_IMPACT_SEED'] ?? 20261127);

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

describePinion(
  `predictions of pinion impact (seed ${seed})`,
  (pinion) => {
    const folder = mkdtempSync(join(tmpdir(), 'pinion-impact-'));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
    let state: FleetState = initialState;

    const proof = new ImpactProof(pinion, folder, { timeout: 180_000, interval: 300 });
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
      await proof.settled();
    }, 600_000);

    test('nothing is predicted before a change, and every workload is known', async () => {
      const { counts, writes } = await proof.impactOf([]);
      expect(counts).toMatchObject({ restarts: 0, unknown: 0, blocked: 0, waits: 0, changes: 0 });
      // The part on nodes is a workload, too.
      expect(counts.unchanged).toBe(fleetWorkloads.length + 1);
      expect(writes).toEqual({ patch: 0, delete: 0, deleteLater: 0, patchOnce: 0 });
    }, 60_000);

    test.each(steps().map((changes) => [changes.map(({ name }) => name).join(' and '), changes] as const))(
      'restarts and writes are as predicted for %s',
      async (_, changes) => {
        const next = changes.reduce((current, change) => change.apply(current), state);
        const impact = await proof.impactOf([platformOf(next), ...projectsOf(next)]);
        const before = await proof.podsByWorkload();
        const mark = pinion().cluster.audit.mark();
        await apply(next);
        state = next;
        await proof.settled();
        const after = await proof.podsByWorkload();
        const restarted = restartedBetween(before, after);
        expect(restartDifferences(predictedRestarts(impact), restarted)).toEqual({ missed: [], spurious: [] });
        const possible = possibleWrites(impact);
        expect(proof.writesSince(mark).filter((write) => !possible.has(write))).toEqual(predictedWrites(impact));
        expect(impact.counts).toMatchObject({ unknown: 0, blocked: 0 });
      },
      300_000,
    );
  },
  { documents: [platformOf(initialState), ...['1', '2', '3'].map((tag) => fleetProfile(`lean-${tag}`, tag))] },
);
