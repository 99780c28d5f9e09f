import { LocalWorkspace, PulumiCommand, type Stack } from '@pulumi/pulumi/automation';
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dump } from 'js-yaml';

/** Ports of providers, by name. */
type Providers = Readonly<Record<string, number>>;

const root = join(__dirname, '../..');

/** Returns what the engine says of a failure, without the list of resources before it. */
export const diagnosticsIn = (output: string): string => output.slice(Math.max(0, output.lastIndexOf('Diagnostics:')));

/** Settings that keep the engine off the network, and its files in one folder. */
const environmentIn = (folder: string, language: number, providers: Providers): Record<string, string> => ({
  PULUMI_BACKEND_URL: `file://${join(folder, 'state')}`,
  PULUMI_HOME: join(folder, 'home'),
  PULUMI_CONFIG_PASSPHRASE: 'test',
  PULUMI_SKIP_UPDATE_CHECK: 'true',
  PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: 'true',
  PULUMI_DEBUG_LANGUAGES: `nodejs:${language}`,
  PULUMI_DEBUG_PROVIDERS: Object.entries(providers)
    .map(([name, port]) => `${name}:${port}`)
    .join(','),
});

/** The real engine with its state in a temporary folder, and the compiled project of the stacks. */
export class Engine {
  readonly folder = mkdtempSync(join(tmpdir(), 'pinion-pulumi-'));
  readonly #environment: Record<string, string>;
  readonly #printed: string[] = [];

  /** `command` is the path of the built `pulumi`; the language host and the providers listen on the given ports. */
  constructor(command: string, language: number, providers: Providers) {
    this.#environment = environmentIn(this.folder, language, providers);
    for (const name of ['state', 'home', 'bin', 'project']) mkdirSync(join(this.folder, name));
    symlinkSync(command, join(this.folder, 'bin', 'pulumi'));
    for (const name of ['Pulumi.yaml', 'main.cjs'])
      copyFileSync(join(root, 'stacks', name), join(this.folder, 'project', name));
    symlinkSync(join(root, 'build'), join(this.folder, 'build'));
    symlinkSync(join(root, 'package.json'), join(this.folder, 'package.json'));
  }

  /** Initializes a stack with the configuration in its file. */
  async stack(stackName: string, config: Readonly<Record<string, unknown>>): Promise<Stack> {
    const workDir = join(this.folder, 'project');
    const pulumiCommand = await PulumiCommand.get({ root: this.folder });
    const settings = { pulumiCommand, envVars: this.#environment };
    const stack = await LocalWorkspace.createOrSelectStack({ stackName, workDir }, settings);
    this.configure(stackName, config);
    return stack;
  }

  /** Writes the configuration of a stack as a user does, next to the engine's own entries. */
  configure(stackName: string, config: Readonly<Record<string, unknown>>): void {
    const path = join(this.folder, 'project', `Pulumi.${stackName}.yaml`);
    const salt = /^encryptionsalt: .*$/m.exec(readFileSync(path, 'utf8'))?.[0] ?? '';
    const named = Object.fromEntries(Object.entries(config).map(([key, value]) => [`pinion:${key}`, value]));
    writeFileSync(path, `${salt}\n${dump({ config: named })}`);
  }

  /** Runs the CLI and returns its output. Throws all of it on failure. */
  async command(...args: readonly string[]): Promise<string> {
    const cwd = join(this.folder, 'project');
    const options = { cwd, env: { ...process.env, ...this.#environment }, maxBuffer: 64 * 1024 * 1024 };
    return new Promise((resolve, reject) =>
      execFile(join(this.folder, 'bin', 'pulumi'), [...args], options, (error, stdout, stderr) => {
        this.note(stdout + stderr);
        if (error) reject(new Error(`pulumi ${args.join(' ')}: ${diagnosticsIn(stdout + stderr)}`));
        else resolve(stdout);
      }),
    );
  }

  /** Records engine output from another interface. */
  note(text: string): void {
    this.#printed.push(text);
  }

  /** Returns all engine output so far. */
  printed(): string {
    return this.#printed.join('');
  }

  /** Returns the stored state of a stack. */
  state(stackName: string): string {
    return readFileSync(join(this.folder, 'state', '.pulumi', 'stacks', 'pinion', `${stackName}.json`), 'utf8');
  }

  /** Returns the stack file in the project. */
  configuration(stackName: string): string {
    return readFileSync(join(this.folder, 'project', `Pulumi.${stackName}.yaml`), 'utf8');
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
