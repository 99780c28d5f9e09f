import { analyzeEtcd, compareEtcd, etcdFlameHtml, etcdFrames, type ReadEtcd } from '../../lib';
import { inMemory, kubernetesValue, sampleFile } from './sample-file';

const configMap = (name: string, revision: number) => ({
  key: `/registry/configmaps/shop/${name}`,
  revision,
  value: kubernetesValue({ apiVersion: 'v1', kind: 'ConfigMap', name }),
});

async function read(...names: readonly string[]): Promise<ReadEtcd> {
  const found = await analyzeEtcd(inMemory(sampleFile(names.map((name, index) => configMap(name, index + 2)))));
  if (!('contents' in found)) throw new Error('the file is not a database');
  return found;
}

test('the entry point can read, compare and render databases', async () => {
  const [before, after] = [await read('a'), await read('a', 'b', 'c')];
  expect([before.contents.isComplete, before.contents.total.objects, after.contents.total.objects]).toEqual([
    true,
    1,
    3,
  ]);
  expect(JSON.stringify(compareEtcd(before, after))).toContain('configmaps');
  expect(etcdFlameHtml(etcdFrames(after), 'after')).toMatch(/^<!doctype html>/i);
});

test('a file that is not a database is reported, not thrown', async () => {
  expect(await analyzeEtcd(inMemory(Buffer.alloc(100_000)))).toMatchObject({ isForeign: true });
});
