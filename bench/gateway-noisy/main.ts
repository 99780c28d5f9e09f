/**
 * Twenty well-behaved clients of the gateway without and with a noisy one, which sends as many reads as it can, most of them
 * of all pods, over many connections. Both alternate; prints latencies, ratios, and what the noisy client got beside its budget.
 * Options: `--seconds=10` of each part, `--rounds=5`, `--connections=100` of the noisy client.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { errorText } from '../../lib/process';
import { defaultApiBudgets } from '../../lib/gateway/flow-control/api-budget';
import { controlPlanePrograms, findBinaries } from '../../test/control-plane/binaries';
import { writeLogin } from '../../test/control-plane/credentials';
import { startControlPlane } from '../../test/control-plane/start-control-plane';
import { allowReads, gatewayToken } from '../../test/e2e/gateway/test-gateway';
import { installPinion } from '../../test/local/install-pinion';
import { progress, printLine } from '../controller/progress';
import { InstalledGateway } from '../gateway-clients/installed-gateway';
import { quantile } from '../gateway-clients/mode-figures';
import { clientsOf, createTeams, TeamPods } from '../gateway-clients/team-clients';
import { processorTime } from '../processor-time';
import { ratio } from '../ratio';
import { type NoisyPlan, type NoisyResults } from './noisy-client';
import { type QuietPlan, type QuietResults, writtenAtLabel } from './quiet-clients';

const podsOfTeam = 200;
/** What the noisy client reads in turn: mostly all pods, from the cache and from the API server. */
const noisyPaths = [
  '/api/v1/pods?resourceVersion=0',
  '/api/v1/pods?resourceVersion=0',
  '/api/v1/pods?limit=500',
  '/api/v1/namespaces/team-0/pods/pod-1?resourceVersion=0',
];

const programs: ChildProcess[] = [];

function startProgram(name: string): ChildProcess {
  const root = join(__dirname, '..', '..');
  const child = fork(join(root, 'scripts', 'run-typescript.mjs'), [join(__dirname, name)]);
  programs.push(child);
  return child;
}

/** Sends a message to a program; resolves with its next one. */
function ask<T>(child: ChildProcess, message: object | number | string): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`a program of the benchmark exited with ${code}`));
    child.once('exit', onExit);
    child.once('message', (answer) => {
      child.off('exit', onExit);
      resolve(answer as T);
    });
    child.send(message);
  });
}

/**
 * Puts the gateway, the API server and the clients that are measured before all other processes of the machine, the noisy client
 * included: what is measured is how they share the gateway, not how they share the processors.
 */
function prefer(...pids: readonly number[]): void {
  try {
    // Linux has a priority of each thread.
    for (const pid of pids) for (const thread of readdirSync(`/proc/${pid}/task`)) setPriority(Number(thread), -10);
  } catch (error) {
    printLine(`without priority over other processes: ${errorText(error)}`);
  }
}

/** Runs the noisy client while something else is measured. Its results are those of the whole time. */
async function withNoise<T>(plan: NoisyPlan, measure: () => Promise<T>): Promise<readonly [T, NoisyResults]> {
  const child = startProgram('noisy-client.ts');
  // Until it has opened its connections.
  await ask(child, plan);
  const measured = await measure();
  return [measured, await ask<NoisyResults>(child, 'stop')];
}

const kinds = ['gets', 'lists', 'events'] as const;
const textOf = (one: QuietResults): string =>
  kinds
    .map(
      (kind) => `${kind} p50 ${quantile(one[kind], 0.5).toFixed(1)} ms p99 ${quantile(one[kind], 0.99).toFixed(1)} ms`,
    )
    .join(', ') + (one.failed > 0 ? `, ${one.failed} failed` : '');

/** Prints the median of the ratios of all rounds: the parts of a round follow each other, so that other load is alike. */
function printRatios(quiet: readonly QuietResults[], noisy: readonly QuietResults[]): void {
  for (const kind of kinds)
    for (const [name, share] of [
      ['p50', 0.5],
      ['p99', 0.99],
    ] as const) {
      const valueOf = (one: QuietResults | undefined): number => quantile(one?.[kind] ?? [], share);
      const ratios = noisy.map((one, round) => valueOf(one) / valueOf(quiet[round])).sort((x, y) => x - y);
      printLine(`${kind} ${name}: ${ratios.map((one) => one.toFixed(2)).join(', ')}`);
      ratio(`gateway-noisy-${kind}-${name}`, quantile(ratios, 0.5), '<=', name === 'p99' ? 1.2 : 1.5);
    }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '10' },
      rounds: { type: 'string', default: '5' },
      connections: { type: 'string', default: '100' },
    },
  });
  const seconds = Number(values.seconds);
  const binaries = findBinaries(controlPlanePrograms);
  if ('skipped' in binaries) throw new Error(binaries.skipped);
  const controlPlane = await startControlPlane({ paths: binaries.paths });
  const installed = new InstalledGateway();
  const stops: (() => unknown)[] = [() => controlPlane.stop()];
  try {
    await installPinion(controlPlane, installed.documents);
    await createTeams(controlPlane);
    const pods = new TeamPods(controlPlane, podsOfTeam);
    await pods.create();
    const { process: gateway, target } = await installed.start(controlPlane);
    stops.push(() => gateway.stop());
    const folder = join(controlPlane.folder, 'clients');
    mkdirSync(folder);
    const all = await clientsOf(controlPlane, target, folder);
    const quietPlan: QuietPlan = {
      clients: [...new Map(all.map((one) => [one.kubeconfig, one])).values()].filter(
        ({ kind }) => kind === 'poller' || kind === 'python',
      ),
    };
    const token = await gatewayToken(controlPlane, 'noisy');
    await allowReads(controlPlane, 'noisy', ['get', 'list']);
    const kubeconfig = writeLogin(join(folder, 'noisy'), target.url, target.authorityFile, token);
    const noisyPlan: NoisyPlan = { kubeconfig, connections: Number(values.connections), paths: noisyPaths };
    const quietClients = startProgram('quiet-clients.ts');
    await ask(quietClients, quietPlan);
    prefer(quietClients.pid as number, gateway.pid, controlPlane.part('kube-apiserver').pid);
    const end = new AbortController();
    const changes = pods.change(end.signal, writtenAtLabel, () => `${Date.now()}`);
    const [quiet, noisy]: [QuietResults[], QuietResults[]] = [[], []];
    for (let round = 0; round <= Number(values.rounds); round++) {
      const cpuAt = [processorTime(gateway.pid)];
      const before = await ask<QuietResults>(quietClients, seconds);
      cpuAt.push(processorTime(gateway.pid));
      const startedAt = performance.now();
      const [during, got] = await withNoise(noisyPlan, () => ask<QuietResults>(quietClients, seconds));
      const noisySeconds = (performance.now() - startedAt) / 1_000;
      cpuAt.push(processorTime(gateway.pid));
      // The first round warms up.
      if (round === 0) continue;
      quiet.push(before);
      noisy.push(during);
      const [first = 0, second = 0, third = 0] = cpuAt;
      printLine(
        `round ${round} quiet: ${textOf(before)}; gateway ${((100 * (second - first)) / seconds).toFixed(0)} % CPU`,
      );
      printLine(
        `round ${round} noisy: ${textOf(during)}; gateway ${((100 * (third - second)) / noisySeconds).toFixed(0)} % CPU`,
      );
      const { requestsPerSecond, bytesPerSecond } = defaultApiBudgets.serviceAccount;
      const total = Object.values(got.statuses).reduce((sum, count) => sum + count, 0);
      const megabytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);
      printLine(
        `  noisy client: ${(total / got.seconds).toFixed(0)} responses/s, ` +
          `${((got.statuses['200'] ?? 0) / got.seconds).toFixed(1)}/s served (budget ${requestsPerSecond}/s), ` +
          `${megabytes(got.bytes / got.seconds)} MiB/s (budget ${megabytes(bytesPerSecond)})`,
      );
    }
    end.abort();
    await changes;
    printRatios(quiet, noisy);
  } finally {
    for (const child of programs) child.kill('SIGKILL');
    for (const stop of stops.reverse()) await stop();
  }
}

// Keeps the event loop alive, which the server processes of the control plane do not.
const alive = setInterval(() => undefined, 60_000);
main()
  .catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 1;
  })
  .finally(() => {
    clearInterval(alive);
    progress('');
  });
