import { fork } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../../test/control-plane/command';
import {
  clientKinds,
  type ClientPlan,
  type ClientProgram,
  type ProgramPlan,
  type ProgramResults,
  repeat,
  ResultRecorder,
} from './client-plan';

/** Programs of the clients. */
export interface ClientPrograms {
  /** Path of the built `kubernetes-clients`. */
  readonly go: string;
  readonly kubectl: string;
  /** Python with the package `kubernetes`. @default - none: its clients do not run */
  readonly python?: string | undefined;
}

/** Runs all clients for some seconds; resolves with the results of all. */
export async function runClients(
  programs: ClientPrograms,
  clients: readonly ClientPlan[],
  seconds: number,
  folder: string,
): Promise<ProgramResults> {
  const planOf = (program: ClientProgram): ProgramPlan => ({
    seconds,
    clients: clients.filter(({ kind }) => clientKinds[kind].program === program),
  });
  const { go, kubectl, python } = programs;
  const script = join(__dirname, 'python_clients.py');
  const results = await Promise.all([
    runProgram(go, [], planOf('go'), join(folder, 'go.json')),
    python === undefined ? {} : runProgram(python, [script], planOf('python'), join(folder, 'python.json')),
    runNode(planOf('node')),
    runKubectl(kubectl, planOf('kubectl'), folder),
  ]);
  return Object.assign({}, ...results) as ProgramResults;
}

async function runProgram(
  program: string,
  args: readonly string[],
  plan: ProgramPlan,
  file: string,
): Promise<ProgramResults> {
  writeFileSync(file, JSON.stringify(plan));
  const { code, stdout, stderr } = await runCommand(program, [...args, file], '', { PATH: process.env['PATH'] });
  if (code !== 0) throw new Error(`${program} exited with ${code}: ${stderr.slice(-2_000)}`);
  return JSON.parse(stdout) as ProgramResults;
}

function runNode(plan: ProgramPlan): Promise<ProgramResults> {
  const root = join(__dirname, '..', '..');
  const child = fork(join(root, 'scripts', 'run-typescript.mjs'), [join(__dirname, 'node-clients.ts')]);
  child.send(plan);
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as ProgramResults));
    child.once('exit', (code) => reject(new Error(`the Node.js clients exited with ${code}`)));
  });
}

/** Runs kubectl in loops, each with a folder for its discovery cache. */
async function runKubectl(kubectl: string, { seconds, clients }: ProgramPlan, folder: string): Promise<ProgramResults> {
  const recorder = new ResultRecorder();
  const run = async (one: ClientPlan, index: number): Promise<void> => {
    const home = join(folder, `home-${index}`);
    mkdirSync(home, { recursive: true });
    const commands = [['pods'], ['pods', '-o', 'json'], ['pod', 'pod-4', '-o', 'json']];
    await repeat({ ...one, seconds }, (turn) =>
      recorder.measure(one.kind, async () => {
        const args = ['get', ...(commands[turn % commands.length] ?? []), '-n', one.namespace];
        const { code, stderr } = await runCommand(kubectl, ['--kubeconfig', one.kubeconfig, ...args], '', {
          HOME: home,
        });
        if (code !== 0) throw new Error(stderr);
      }),
    );
  };
  await Promise.all(clients.map(run));
  return recorder.results;
}
