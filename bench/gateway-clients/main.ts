/**
 * The same mix of 200 clients, as other teams write them, directly at the API server and through the gateway: with strict
 * reads, the default, and with bounded reads. Prints what each costs, and ratios to the direct run.
 * Options: `--seconds=60` for each mode, `--rounds=1` of all modes.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { apiVersion } from '../../lib/api';
import { defaultPlatform } from '../../lib/expand';
import { expectStatus } from '../../test/control-plane/api-response';
import { controlPlanePrograms, prepareBinaries } from '../../test/control-plane/binaries';
import { type SendableObject } from '../../test/control-plane/client';
import { type ControlPlane } from '../../test/control-plane/control-plane';
import { startControlPlane } from '../../test/control-plane/start-control-plane';
import { waitFor } from '../../test/control-plane/wait-for';
import { read } from '../../test/e2e/gateway/test-gateway';
import { installPinion } from '../../test/local/install-pinion';
import { pythonTool } from '../../test/python/python-tool';
import { progress, printLine } from '../controller/progress';
import { median, ratio } from '../ratio';
import { type ClientPlan } from './client-plan';
import { InstalledGateway } from './installed-gateway';
import { readKubeconfig, readLogin } from './login';
import { linesOfKinds, measureMode, type ModeFigures, readCountOf, resourceReadCountOf } from './mode-figures';
import { type ClientPrograms, runClients } from './run-clients';
import { clientsOf, createTeams, TeamPods, teams } from './team-clients';

const podsOfTeam = 100;
const modes = ['direct', 'strict', 'bounded'] as const;
type Mode = (typeof modes)[number];

const installed = new InstalledGateway();
const { documents } = installed;

/** Returns the file with the authority of the API server. */
const authorityFileOf = ({ kubeconfig }: ControlPlane): string => readKubeconfig(kubeconfig).authorityFile;

/** Lets the caches answer reads without a version, or not, and waits until that acts. */
async function setBoundedReads(controlPlane: ControlPlane, isBounded: boolean, one: ClientPlan): Promise<void> {
  const resources = ['pods', 'services', 'endpointslices.discovery.k8s.io'];
  const [platform] = documents;
  const spec = {
    ...defaultPlatform.spec,
    ...(platform?.spec as object),
    ...(isBounded && { boundedReads: resources.map((resource) => ({ resource })) }),
  };
  const object = { apiVersion, kind: 'Platform', metadata: { name: 'cluster' }, spec };
  expectStatus(await controlPlane.client.apply(object as SendableObject), [200, 201]);
  const { url, authority: ca, token } = readLogin(one.kubeconfig);
  await waitFor('the kind of reads', async () => {
    const { status, headers } = await read(`${url}/api/v1/namespaces/${one.namespace}/pods`, ca, token);
    return status === 200 && 'pinion-cache-age' in headers === isBounded;
  });
}

function print(mode: Mode, figures: ModeFigures): void {
  const { reads, operations, failed, cpu, bytes, p50, p99 } = figures;
  printLine(
    `${mode}: ${readCountOf(figures)} reads at the API server, ${operations} operations of clients (${failed} failed), CPU ` +
      `${cpu.apiServer.toFixed(1)} s API server and ${cpu.gateway.toFixed(1)} s gateway, ${(bytes / 2 ** 20).toFixed(0)} MiB ` +
      `from the API server, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(0)} ms`,
  );
  for (const line of linesOfKinds(figures)) printLine(line);
  const largest = [...reads].slice(0, 8).map(([what, count]) => `${count} ${what}`);
  printLine(`  reads: ${largest.join(', ')}`);
}

/** Prints what each operation of a client costs through the gateway, as a share of what it costs directly. */
function printRatios(all: Readonly<Record<Mode, readonly ModeFigures[]>>): void {
  type ValueOf = (figures: ModeFigures) => number;
  const of = (mode: Mode, valueOf: ValueOf): number => valueOf(median(all[mode], valueOf));
  const forEach =
    (valueOf: ValueOf): ValueOf =>
    (figures) =>
      valueOf(figures) / figures.operations;
  for (const mode of ['strict', 'bounded'] as const) {
    const share = (valueOf: ValueOf): number => of(mode, valueOf) / of('direct', valueOf);
    const fewer = (valueOf: ValueOf): number => 100 * (1 - share(forEach(valueOf)));
    const goal = mode === 'bounded' ? 99 : 0;
    ratio(`gateway-clients-${mode}-fewer-reads-percent`, fewer(readCountOf), '>=', goal);
    // Each program asks for it once, when it starts.
    ratio(`gateway-clients-${mode}-fewer-reads-but-discovery-percent`, fewer(resourceReadCountOf), '>=', goal);
    ratio(`gateway-clients-${mode}-cpu`, share(forEach(({ cpu }) => cpu.apiServer + cpu.gateway)), '<=', 1);
    ratio(`gateway-clients-${mode}-api-server-cpu`, share(forEach(({ cpu }) => cpu.apiServer)), '<=', 1);
    ratio(`gateway-clients-${mode}-api-server-bytes`, share(forEach(({ bytes }) => bytes)), '<=', 1);
    ratio(
      `gateway-clients-${mode}-p50`,
      share(({ p50 }) => p50),
      '<=',
      1,
    );
    ratio(
      `gateway-clients-${mode}-p99`,
      share(({ p99 }) => p99),
      '<=',
      1,
    );
  }
}

async function programsOf(paths: Readonly<Record<'kubectl' | 'kubernetes-clients', string>>): Promise<ClientPrograms> {
  const found = pythonTool('python-kubernetes', join(__dirname, 'requirements.txt'));
  if ('skipped' in found) printLine(`without Python's client: ${found.skipped}`);
  return {
    go: paths['kubernetes-clients'],
    kubectl: paths.kubectl,
    ...('python' in found && { python: found.python }),
  };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { seconds: { type: 'string', default: '60' }, rounds: { type: 'string', default: '1' } },
  });
  const binaries = await prepareBinaries([...controlPlanePrograms, 'kubernetes-clients'], { report: progress });
  if ('skipped' in binaries) throw new Error(binaries.skipped);
  const programs = await programsOf(binaries.paths);
  const controlPlane = await startControlPlane({ paths: binaries.paths });
  let stop: () => Promise<unknown> = () => Promise.resolve();
  try {
    await installPinion(controlPlane, documents);
    await createTeams(controlPlane);
    const pods = new TeamPods(controlPlane, podsOfTeam);
    await pods.create();
    const { process: gateway, target } = await installed.start(controlPlane);
    stop = () => gateway.stop();
    const folderOf = (name: string): string => {
      const folder = join(controlPlane.folder, name);
      mkdirSync(folder, { recursive: true });
      return folder;
    };
    const clients = {
      direct: await clientsOf(
        controlPlane,
        { url: controlPlane.url, authorityFile: authorityFileOf(controlPlane) },
        folderOf('direct'),
      ),
      gateway: await clientsOf(controlPlane, target, folderOf('gateway')),
    };
    printLine(`${clients.direct.length} clients of ${teams.length} teams, ${teams.length * podsOfTeam} pods`);
    const all: Record<Mode, ModeFigures[]> = { direct: [], strict: [], bounded: [] };
    for (let round = 0; round < Number(values.rounds); round++)
      for (const mode of modes) {
        const [one] = clients.gateway;
        if (mode !== 'direct' && one) await setBoundedReads(controlPlane, mode === 'bounded', one);
        progress(`${mode}: ${values.seconds} s`);
        const end = new AbortController();
        const changes = pods.change(end.signal);
        const figuresOf = measureMode(controlPlane, mode === 'direct' ? undefined : gateway.pid);
        const given = mode === 'direct' ? clients.direct : clients.gateway;
        const results = await runClients(programs, given, Number(values.seconds), folderOf(`run-${mode}-${round}`));
        const figures = figuresOf(results);
        end.abort();
        await changes;
        print(mode, figures);
        all[mode].push(figures);
      }
    printRatios(all);
  } finally {
    await stop();
    await controlPlane.stop();
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
