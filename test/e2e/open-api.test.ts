import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readOpenApi } from '../control-plane/open-api';
import { describeControlPlane } from '../control-plane/suite';

const run = promisify(execFile);
const root = join(__dirname, '..', '..');

describeControlPlane('the generated structures of native Kubernetes types', (controlPlane) => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'pinion-open-api-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Saves the OpenAPI documents of the server under the file names of the Kubernetes repository. */
  async function save(change: (text: string) => string = (text) => text): Promise<string> {
    const documents = await readOpenApi(controlPlane().client);
    // For documents without enums, the generator reads them from the parent folder.
    const specFolder = join(folder, 'api', 'openapi-spec', 'v3');
    mkdirSync(specFolder, { recursive: true });
    for (const [path, document] of Object.entries(documents))
      writeFileSync(join(specFolder, `${path.replaceAll('/', '__')}_openapi.json`), change(JSON.stringify(document)));
    return specFolder;
  }
  const check = (specFolder: string) =>
    run(process.execPath, ['scripts/generate-native.mjs', specFolder, '--check'], { cwd: root });

  test('match the OpenAPI documents of the server', async () => {
    expect(await check(await save())).toEqual({ stdout: '', stderr: '' });
  });

  test('the check fails for a server with a renamed field', async () => {
    const specFolder = await save((text) => text.replaceAll('"terminationMessagePath"', '"terminationMessageFile"'));
    await expect(check(specFolder)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('structures.generated.ts differs') as string,
    });
  });
});
