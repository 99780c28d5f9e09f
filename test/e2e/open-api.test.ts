import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readOpenApi } from '../control-plane/open-api';
import { describeControlPlane } from '../control-plane/suite';

const run = promisify(execFile);
const root = join(__dirname, '..', '..');

describeControlPlane("the committed structures of Kubernetes' own types", (controlPlane) => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'pinion-open-api-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Saves what the server serves under the names that Kubernetes' own repository has. */
  async function save(change: (text: string) => string = (text) => text): Promise<string> {
    const documents = await readOpenApi(controlPlane().client);
    // The generator reads enums beside the documents where a document has none.
    const place = join(folder, 'api', 'openapi-spec', 'v3');
    mkdirSync(place, { recursive: true });
    for (const [path, document] of Object.entries(documents))
      writeFileSync(join(place, `${path.replaceAll('/', '__')}_openapi.json`), change(JSON.stringify(document)));
    return place;
  }
  const check = (place: string) =>
    run(process.execPath, ['scripts/generate-native.mjs', place, '--check'], { cwd: root });

  test('are what the server serves', async () => {
    expect(await check(await save())).toEqual({ stdout: '', stderr: '' });
  });

  test('would differ from those of a server with another field', async () => {
    const place = await save((text) => text.replaceAll('"terminationMessagePath"', '"terminationMessageFile"'));
    await expect(check(place)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('structures.generated.ts differs') as string,
    });
  });
});
