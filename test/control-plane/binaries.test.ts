import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Binaries, findBinaries, prepareBinaries } from './binaries';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'pinion-binaries-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const cache = (): string => join(folder, 'cache');

/** Returns an environment with a fake Go: the real one takes minutes, and only the cache is under test. */
function environmentWithGo(version: string, build: string): NodeJS.ProcessEnv {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const script = [
    '#!/bin/sh',
    `if [ "$1" = version ]; then echo "go version ${version} linux/amd64"; exit; fi`,
    `echo "$@" >> '${join(folder, 'builds')}'`,
    'while [ "$1" != -o ]; do shift; done',
    'folder="$2"; shift 2',
    // As Go names programs: by the last part of the package that is no version.
    'for package in "$@"; do output="$folder$(basename "${package%/v3}")"',
    build,
    'done',
  ];
  writeFileSync(join(bin, 'go'), script.join('\n'));
  chmodSync(join(bin, 'go'), 0o755);
  return { PATH: [bin, '/usr/bin', '/bin'].join(delimiter), XDG_CACHE_HOME: cache() };
}

const pathsOf = (binaries: Binaries): readonly string[] => ('paths' in binaries ? Object.values(binaries.paths) : []);
const cachedFiles = (): string[] =>
  existsSync(cache())
    ? readdirSync(cache(), { recursive: true, withFileTypes: true })
        .filter((e) => e.isFile())
        .map((e) => e.name)
    : [];

test('without Go, the reason is returned and nothing is thrown', async () => {
  const environment = { PATH: folder, XDG_CACHE_HOME: cache() };
  const reason = 'there is no "go" on PATH; Go 1.26 or newer builds the control plane';
  expect(await prepareBinaries(['etcd'], { environment })).toEqual({ skipped: reason });
  expect(findBinaries(['etcd'], { environment })).toEqual({ skipped: reason });
});

test('a Go version that is too old is rejected with the reason', async () => {
  const environment = environmentWithGo('go1.19.8', 'exit 1');
  expect(await prepareBinaries(['etcd'], { environment })).toEqual({
    skipped: 'the "go" on PATH is not Go 1.26 or newer; it says: go version go1.19.8 linux/amd64',
  });
});

test('programs are built once and then found even without Go', async () => {
  const environment = environmentWithGo('go1.26.8', 'echo program > "$output"; chmod +x "$output"');
  const lines: string[] = [];
  const built = await prepareBinaries(['etcd', 'kubectl'], { environment, report: (line) => lines.push(line) });
  expect(pathsOf(built).map((path) => existsSync(path))).toEqual([true, true]);
  expect(lines).toContain('building etcd v3.6.16 (the first time only; it is cached)');
  const withoutGo = { ...environment, PATH: folder };
  expect(await prepareBinaries(['etcd', 'kubectl'], { environment: withoutGo })).toEqual(built);
});

test("a failed build throws Go's output and leaves nothing in the cache", async () => {
  const environment = environmentWithGo('go1.26.8', 'echo half > "$output"; echo "undefined: x" >&2; exit 1');
  await expect(prepareBinaries(['etcd'], { environment })).rejects.toThrow(/exited with 1:\nundefined: x/);
  expect(cachedFiles()).toEqual([]);
});

test('the leftovers of a killed build are never used, and the next build removes them', async () => {
  const environment = environmentWithGo('go1.26.8', 'echo program > "$output"; chmod +x "$output"');
  const built = pathsOf(await prepareBinaries(['etcd'], { environment }))[0] ?? '';
  rmSync(built);
  const abandoned = join(built, '..', 'building-999999999-a');
  mkdirSync(abandoned);
  writeFileSync(join(abandoned, 'etcd'), 'half', { mode: 0o755 });
  expect(findBinaries(['etcd'], { environment })).toHaveProperty('skipped');
  await prepareBinaries(['etcd'], { environment });
  expect(cachedFiles()).toEqual(['etcd']);
});
