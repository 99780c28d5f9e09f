import { isDeepStrictEqual } from 'node:util';
import {
  compareDefinitions,
  gravestClass,
  tryObject,
  type DefinitionFinding,
  type FindingClass,
} from '../../../lib/definitions';
import { SeededRandom } from '../chaos/seeded-random';
import { controlPlanePrograms, findBinaries } from '../../control-plane/binaries';
import { type Client } from '../../control-plane/client';
import { existingClusterKubeconfig, unavailable } from '../../control-plane/existing-cluster';
import { RunningControlPlane } from '../../control-plane/running-control-plane';
import { describeRunning } from '../../control-plane/running-suite';
import { retryOnPortConflict } from '../../control-plane/start-control-plane';
import { describeControlPlane } from '../../control-plane/suite';
import { drawDefinition } from './definition-mutation';
import { trialDefinition, tryOnServer, type ObjectOutcome, type ServerTrial } from './server-trial';

/** Definitions that exist at the same time. */
const concurrency = 4;

/** The newest supported minor of Kubernetes, and the older one. */
type Release = 'newest' | '1.35';

const binaries = findBinaries([...controlPlanePrograms, 'kube-apiserver-1.35']);

/** Starts a control plane of the older minor. */
async function startOlder(): Promise<RunningControlPlane> {
  if ('skipped' in binaries) throw new Error(binaries.skipped);
  const paths = { ...binaries.paths, 'kube-apiserver': binaries.paths['kube-apiserver-1.35'] };
  return retryOnPortConflict(() => RunningControlPlane.start({ paths }));
}

/**
 * Defines a suite that changes definitions with stored objects, and requires that the verdict of the gate is what the API server
 * does: refusal, what each object is read as, and which writes of it are rejected.
 *
 * The seed is in the title; the same seed draws the same changes.
 */
export function describeDefinitionGate(
  count: number,
  seed: number,
  timeout: number,
  release: Release = 'newest',
): void {
  const title = `${count} changed definitions (seed ${seed}, Kubernetes ${release})`;
  if (release === 'newest')
    return describeControlPlane(title, (controlPlane) => defineTest(controlPlane, count, seed, timeout));
  const skipped =
    existingClusterKubeconfig() === undefined
      ? 'skipped' in binaries
        ? binaries.skipped
        : undefined
      : unavailable.platform;
  const start = skipped === undefined ? startOlder : { skipped };
  describeRunning(title, { what: 'the control plane', start, timeout: 180_000 }, (controlPlane) =>
    defineTest(controlPlane, count, seed, timeout),
  );
}

function defineTest(
  controlPlane: () => { readonly client: Client },
  count: number,
  seed: number,
  timeout: number,
): void {
  test(
    'the verdict of the gate is that of the API server',
    async () => {
      const differences: string[] = [];
      const classes = new Map<FindingClass, number>();
      const queue = Array.from({ length: count }, (_, index) => index);
      const run = async (): Promise<void> => {
        for (let index = queue.shift(); index !== undefined; index = queue.shift()) {
          const before = trialDefinition(index);
          const { title, after } = drawDefinition(before, new SeededRandom(seed).fork(String(index)));
          const trial = await tryOnServer(controlPlane().client, before, after);
          const verdict = serverClass(trial);
          classes.set(verdict, (classes.get(verdict) ?? 0) + 1);
          differences.push(...differencesOf(trial, verdict).map((text) => `${index} ${title}: ${text}`));
        }
      };
      await Promise.all(Array.from({ length: concurrency }, run));
      expect(differences).toEqual([]);
      for (const one of ['refused', 'breaks-objects', 'breaks-writes', 'changes-meaning', 'safe'] as const)
        expect([one, (classes.get(one) ?? 0) > 0]).toEqual([one, true]);
    },
    timeout,
  );
}

const isRead = (outcome: ObjectOutcome): boolean =>
  isDeepStrictEqual(comparable(outcome.stored), comparable(outcome.read));

const comparable = (object: ObjectOutcome['read']): unknown => ({ spec: object?.['spec'], status: object?.['status'] });

/** Class of what the API server does with the definition and the stored objects. */
function serverClass({ refused, objects }: ServerTrial): FindingClass {
  if (refused !== undefined) return 'refused';
  const trials = objects.map((outcome) => lostFields(outcome.stored['spec'], outcome.read?.['spec']));
  if (trials.some(Boolean)) return 'breaks-objects';
  if (objects.some(({ writes }) => writes.some(({ server }) => server !== undefined))) return 'breaks-writes';
  return objects.every(isRead) ? 'safe' : 'changes-meaning';
}

/** Returns whether a value lacks a field that another has. */
function lostFields(from: unknown, to: unknown): boolean {
  if (typeof from !== 'object' || from === null) return false;
  if (typeof to !== 'object' || to === null) return true;
  return Object.entries(from).some(
    ([key, value]) => !Object.hasOwn(to, key) || lostFields(value, (to as Record<string, unknown>)[key]),
  );
}

/** Returns where the gate and the API server differ. */
function differencesOf(trial: ServerTrial, verdict: FindingClass): string[] {
  const findings = compareDefinitions(trial.before, trial.after);
  const gateRefuses = findings.some((finding) => finding.class === 'refused');
  if ((trial.refused !== undefined) !== gateRefuses)
    return [
      `the server ${trial.refused === undefined ? 'accepts it' : `refuses it: ${trial.refused}`}, the gate ${classesOf(findings)}`,
    ];
  if (trial.refused !== undefined) return [];
  return [
    ...trial.objects.flatMap((outcome) => objectDifferences(outcome, trial)),
    ...missedClasses(findings, verdict),
  ];
}

const classesOf = (findings: readonly DefinitionFinding[]): string =>
  findings.map((one) => `${one.class} ${one.change} ${one.path}`).join(', ');

function objectDifferences({ stored, read, writes }: ObjectOutcome, { before, after }: ServerTrial): string[] {
  const found = tryObject(stored, before, after);
  const { name } = stored['metadata'] as { readonly name: string };
  const isLost = lostFields(stored['spec'], read?.['spec']);
  const isChanged = !isDeepStrictEqual(comparable(stored), comparable(read));
  const lost = found?.lost ?? [];
  const changed = (found?.changed ?? []).filter((path) => path !== 'isChanged');
  const differences = writes
    .filter(({ server, gate }) => (server !== undefined) !== gate.length > 0)
    .map(
      ({ write, server, gate }) =>
        `${name}: ${write}: the server says ${server ?? 'yes'}, the gate ${gate.join(', ') || 'yes'}`,
    );
  if (isLost !== lost.length > 0 || isChanged !== lost.length + changed.length > 0)
    differences.push(
      `${name} is read as ${JSON.stringify(comparable(read))}, the gate says lost ${lost.join()} changed ${changed.join()}`,
    );
  return differences;
}

/** The findings without objects must never be weaker than what happens to an object. */
function missedClasses(findings: readonly DefinitionFinding[], verdict: FindingClass): string[] {
  const order: readonly FindingClass[] = ['safe', 'changes-meaning', 'breaks-writes', 'breaks-objects'];
  const own = findings.filter(({ path }) => path !== 'isChanged');
  const gravest = gravestClass(own);
  const strength = (one: FindingClass): number =>
    one === 'unknown' || one === 'breaks-clients' ? order.length : order.indexOf(one);
  return strength(gravest) < strength(verdict)
    ? [`the server: ${verdict}, the gate without objects: ${classesOf(own)}`]
    : [];
}
