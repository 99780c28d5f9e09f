import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { metadataKeys } from '../../lib/api';
import { canaryKinds, type CanaryReport } from '../../lib/operations';
import { canaryNativeKinds, canarySandbox, canaryProject } from '../../lib/programs';
import { type CommandResult, runCommand } from '../control-plane/command';
import { waitFor } from '../control-plane/wait-for';

const pinion = join(__dirname, '..', '..', 'build', 'bin', 'pinion.js');

/** Cluster that a user accesses with a kubeconfig. */
interface CliCluster {
  readonly kubeconfig: string;
  kubectl(args: readonly string[], stdin?: string): Promise<CommandResult>;
}

/** A user's access to the canary: the released commands and kubectl. */
export class CanaryCli {
  constructor(private readonly cluster: CliCluster) {}

  /** Runs `pinion canary` to its end. */
  command(args: readonly string[], kubeconfig = this.cluster.kubeconfig): Promise<CommandResult> {
    return runCommand(process.execPath, [pinion, 'canary', ...args], '', environment(kubeconfig));
  }

  /** Starts `pinion canary`, which runs until it is stopped. */
  start(args: readonly string[]): RunningCommand {
    return new RunningCommand(
      spawn(process.execPath, [pinion, 'canary', ...args], { env: environment(this.cluster.kubeconfig) }),
    );
  }

  /** Returns the output of kubectl; throws its error output if it fails. */
  async kubectl(args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.cluster.kubectl(args);
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`);
    return stdout;
  }

  /** Runs `pinion canary manifests | kubectl apply`, again if a namespace did not exist yet, after it creates the ingress classes. */
  async install(args: readonly string[]): Promise<void> {
    const classes = ['internal', 'external'].map((name) => ({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'IngressClass',
      metadata: { name },
      spec: { controller: 'example.com/ingress' },
    }));
    const objects = await this.command(['manifests', ...args]);
    if (objects.code !== 0 || objects.stderr !== '') throw new Error(objects.stderr);
    const text = `${objects.stdout}${classes.map((one) => `---\n${JSON.stringify(one)}\n`).join('')}`;
    let message = '';
    await waitFor(
      'all namespaces',
      async () => {
        const { code, stderr } = await this.cluster.kubectl(['apply', '--server-side', '-f', '-'], text);
        message = stderr;
        return code === 0;
      },
      { timeout: 60_000, interval: 500 },
    ).catch((cause: unknown) => {
      throw new Error(message, { cause });
    });
  }

  /** Returns the stored report; undefined before the first run. */
  async report(): Promise<CanaryReport | undefined> {
    const text = await this.kubectl([
      ...['get', 'configmap', 'canary-report', '-n', canaryProject, '--ignore-not-found'],
      ...['-o', String.raw`jsonpath={.data.report\.json}`],
    ]);
    return text === '' ? undefined : (JSON.parse(text) as CanaryReport);
  }

  /** Lists all objects with the label of a run, such as `pod/canary-service-c-1234`. */
  async leftovers(): Promise<readonly string[]> {
    const kinds = [...canaryKinds, ...canaryNativeKinds, 'Pod'].join(',');
    const found = await this.kubectl(['get', kinds, '-n', canarySandbox, '-l', metadataKeys.canary, '-o', 'name']);
    return found.split('\n').filter((name) => name !== '');
  }

  /** Returns the holder of the canary's lease; empty if there is none. */
  holder(): Promise<string> {
    return this.kubectl(['get', 'lease', 'canary', '-n', canaryProject, '-o', 'jsonpath={.spec.holderIdentity}']);
  }

  /** Waits for the middle of a run: several objects of it, and a running pod. */
  async untilRunInProgress(): Promise<void> {
    const running = [
      'get',
      'pods',
      '-n',
      canarySandbox,
      '-l',
      metadataKeys.canary,
      '--field-selector=status.phase=Running',
    ];
    await waitFor(
      'a run with running pods',
      async () => (await this.kubectl([...running, '-o', 'name'])) !== '' && (await this.leftovers()).length >= 6,
      { timeout: 120_000, interval: 200 },
    );
  }
}

/** Started command. */
class RunningCommand {
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
  out = '';
  err = '';

  constructor(private readonly child: ChildProcess) {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.out += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.err += text));
    this.ended = new Promise((resolve) => child.once('close', (code, signal) => resolve(signal ?? code ?? 1)));
    const end = (): void => void child.kill('SIGKILL');
    process.once('exit', end);
    child.once('exit', () => process.off('exit', end));
  }

  stop(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }
}

const environment = (kubeconfig: string): NodeJS.ProcessEnv => ({ PATH: process.env['PATH'], KUBECONFIG: kubeconfig });
