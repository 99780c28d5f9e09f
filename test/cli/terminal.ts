import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Io } from '../../lib/cli/io/io';
import { runCommandLine } from '../../lib/cli/run';

/** Exit code and output of a command line. */
export interface CommandResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pinion-cli-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the folder of the running test. */
export const testFolder = (): string => folder;

/** Writes files under the folder of the running test. */
export function writeFiles(files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

/** Runs a command line in the folder of the running test. */
export async function pinion(
  argv: readonly string[],
  stdin: string | Uint8Array = '',
  over: Partial<Io> = {},
): Promise<CommandResult> {
  let [out, err] = ['', ''];
  const io: Io = {
    cwd: folder,
    terminal: { out: false, err: false },
    color: false,
    readStdin: () => Promise.resolve(Buffer.from(stdin)),
    write: (text) => {
      out += text;
      return Promise.resolve();
    },
    writeError: (text) => void (err += text),
    now: () => 0,
    yieldToEventLoop: () => Promise.resolve(),
    onStop: () => () => undefined,
    ...over,
  };
  const code = await runCommandLine(argv, io);
  return { code, out, err };
}

/** Returns a service as YAML. */
export const service = (name: string, namespace = 'shop', more = ''): string => `apiVersion: pinterest.com/v1
kind: PinterestService
metadata: {name: ${name}, namespace: ${namespace}}
spec:
  replicas: 2
  template: {spec: {containers: [{name: app, image: 'registry.example.com/app:1.4.2'}]}}
${more}`;
