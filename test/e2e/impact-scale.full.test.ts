import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tmpdir } from 'node:os';
import { type ManifestInput } from '../../lib/api';
import { mapConcurrently } from '../../lib/artifact';
import { restartDifferences } from '../impact/restart-differences';
import { fleetProfile, platformOf, projectsOf, type FleetState } from './impact-fleet';
import {
  ImpactProof,
  possibleWrites,
  predictedRestarts,
  predictedWrites,
  restartedBetween,
  shippedCommandLine,
} from './impact-proof';
import { scaleFleet } from './impact-scale-fleet';
import { MutatingWebhook } from './mutating-webhook';
import { describePinion } from './pinion-suite';

const seed = Number(process.env['PINION_IMPACT_SEED'] ?? 20261127);
const count = Number(process.env['PINION_IMPACT_WORKLOADS'] ?? 1000);
const changes = Number(process.env['PINION_IMPACT_CHANGES'] ?? 30);
const fleet = scaleFleet(seed, count, changes);

/** A surge of all rollouts at once doubles the pods; a node takes 110. */
const nodes = Math.max(3, Math.ceil(count / 40));
/** Two cores replace some pods a second. */
const patience = 300_000 + count * 1_000;

/** Code of the command line that predicts restarts, and what a mistake would make of it. */
const planted = { code: /(restarted: ?\{ ?restarts: ?)(!0|true)/g, instead: '$1!1' };

/** Copies the command line to a folder, with a mistake in its predictions. */
function commandLineWithMistake(folder: string): string {
  const copy = join(folder, 'mistaken');
  const source = dirname(shippedCommandLine);
  for (const file of ['pinion.js', 'program.js']) cpSync(join(source, file), join(copy, file));
  const text = readFileSync(join(copy, 'program.js'), 'utf8');
  expect(text.match(planted.code)).toHaveLength(1);
  writeFileSync(join(copy, 'program.js'), text.replace(planted.code, planted.instead));
  return join(copy, 'pinion.js');
}

/** Returns what a step applies: all of the platform, and the workloads that it edits. */
function documentsOf(next: FleetState, former: FleetState): readonly ManifestInput[] {
  const edited = Object.entries(next.edited ?? {}).filter(([key, one]) => former.edited?.[key] !== one);
  return [platformOf(next), ...projectsOf(next), ...edited.map(([, workload]) => workload)];
}

describePinion(
  `predictions of pinion impact for ${count} workloads (seed ${seed})`,
  (pinion) => {
    const folder = mkdtempSync(join(tmpdir(), 'pinion-impact-'));
    const proof = new ImpactProof(pinion, folder, { timeout: patience, interval: 1_000 });
    let webhook: MutatingWebhook | undefined;
    let state = fleet.state;
    let isPlantedFaultFound = false;
    const totals = { predicted: 0, restarted: 0, writes: 0 };

    afterAll(async () => {
      await webhook?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    beforeAll(async () => {
      webhook = await MutatingWebhook.start(pinion().cluster);
      for (const document of projectsOf(state)) await pinion().apply(document);
      for (const { metadata } of projectsOf(state)) await pinion().ready('Project', '', metadata.name, patience);
      await mapConcurrently(fleet.workloads, (workload) => pinion().apply(workload), 8);
      for (const { kind, metadata } of fleet.workloads)
        await pinion().ready(kind, metadata.namespace ?? '', metadata.name, patience);
      await proof.settled();
    }, 4 * patience);

    test(
      'nothing is predicted before a change, although the webhook changes what the controller applies',
      async () => {
        const { counts, writes } = await proof.impactOf([]);
        expect(counts).toMatchObject({ restarts: 0, unknown: 0, blocked: 0, waits: 0, changes: 0 });
        // The part on nodes is a workload, too.
        expect(counts.unchanged).toBe(fleet.workloads.length + 1);
        expect(writes).toEqual({ patch: 0, delete: 0, deleteLater: 0, patchOnce: 0 });
        expect([...(webhook?.changed.keys() ?? [])].sort()).toEqual(['Deployment', 'Pod']);
      },
      patience,
    );

    test.each(fleet.changes.map((change, index) => [index + 1, change.name, change] as const))(
      '%d: restarts and writes are as predicted for %s',
      async (_, __, change) => {
        const next = change.apply(state);
        const documents = documentsOf(next, state);
        const impact = await proof.impactOf(documents);
        const before = await proof.podsByWorkload();
        const predicted = predictedRestarts(impact);
        const mistaken =
          isPlantedFaultFound || predicted.length === 0
            ? undefined
            : await proof.impactOf(documents, commandLineWithMistake(folder));
        const mark = pinion().cluster.audit.mark();
        await mapConcurrently(documents, (document) => pinion().apply(document), 4);
        state = next;
        for (const { kind, metadata } of documents)
          await pinion().until(kind, metadata.namespace ?? '', metadata.name, () => true, patience);
        await proof.settled();
        const restarted = restartedBetween(before, await proof.podsByWorkload());
        expect(restartDifferences(predicted, restarted)).toEqual({ missed: [], spurious: [] });
        const possible = possibleWrites(impact);
        const writes = proof.writesSince(mark).filter((write) => !possible.has(write));
        expect(writes).toEqual(predictedWrites(impact));
        expect(impact.counts).toMatchObject({ unknown: 0, blocked: 0 });
        totals.predicted += predicted.length;
        totals.restarted += restarted.length;
        totals.writes += writes.length;
        if (mistaken) {
          const { missed } = restartDifferences(predictedRestarts(mistaken), restarted);
          isPlantedFaultFound = missed.length > 0;
        }
      },
      2 * patience,
    );

    test('a mistake in the predictions shows as a difference', () => {
      expect(isPlantedFaultFound).toBe(true);
      process.stderr.write(`${count} workloads, ${changes} changes: ${JSON.stringify(totals)}\n`);
    });
  },
  {
    nodes,
    documents: [platformOf(fleet.state), ...['1', '2', '3'].map((tag) => fleetProfile(`lean-${tag}`, tag))],
  },
);
