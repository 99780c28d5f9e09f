import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { architectures, root } from './dockerfile';

interface Pin {
  readonly version: string;
  readonly archive: string;
  readonly path: string;
  readonly sha256: string;
}

interface Lock {
  readonly debian: {
    readonly release: string;
    readonly snapshot: string;
    readonly packages: Readonly<Record<string, Readonly<Record<string, Pin>>>>;
  };
  readonly node: { readonly version: string; readonly integrity: Readonly<Record<string, string>> };
}

const file = join(root, 'scripts/images/base-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8')) as Lock;
const packages = Object.entries(lock.debian.packages);

describe('the pinned packages of the base image', () => {
  test.each(packages)('%s has one version and a hash for every architecture', (_, pins) => {
    const chosen = architectures.map((each) => pins[each] ?? pins['all']);
    expect(new Set(chosen.map((pin) => pin?.version)).size).toBe(1);
    for (const pin of chosen) {
      expect(pin?.sha256).toMatch(/^[0-9a-f]{64}$/);
      expect(pin?.path).toMatch(/^pool\/.*\.deb$/);
    }
  });

  test('Node has an integrity hash for every architecture', () => {
    expect(Object.keys(lock.node.integrity).sort()).toEqual([...architectures]);
    for (const integrity of Object.values(lock.node.integrity))
      expect(integrity).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/);
  });

  test('Node is a version with long-term support', () => {
    expect(lock.node.version).toMatch(/^24\.\d+\.\d+$/);
  });
});

describe('fetching a package', () => {
  const bytes = 'the package';
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  let folder = '';
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'pinion-base-lock-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Fetches the one Debian package of a lock file from an empty mirror, with that file in the cache. */
  function fetchOne(cached: string): { readonly file: string } {
    const cache = join(folder, 'pinion', 'base-image');
    mkdirSync(cache, { recursive: true });
    writeFileSync(join(cache, `sha256-${sha256}.deb`), cached);
    const pin = { version: '1', archive: 'debian', path: 'pool/main/o/one/one_1_amd64.deb', sha256 };
    const debian = { release: 'trixie', snapshot: '20260101T000000Z', packages: { one: { amd64: pin } } };
    const script = `
      import { fetchDebian } from ${JSON.stringify(join(root, 'scripts/images/packages.mjs'))};
      console.log(JSON.stringify({ file: fetchDebian(${JSON.stringify(debian)}, 'amd64').one }));`;
    const environment = { ...process.env, XDG_CACHE_HOME: folder, PINION_DEBIAN_MIRRORS: `file://${folder}/none` };
    const program = ['--input-type=module', '-e', script];
    const response = execFileSync(process.execPath, program, { env: environment, encoding: 'utf8', stdio: 'pipe' });
    return JSON.parse(response) as { file: string };
  }

  test('returns a cached file with the pinned hash', () => {
    expect(readFileSync(fetchOne(bytes).file, 'utf8')).toBe(bytes);
  });

  test('rejects a cached file with another hash', () => {
    expect(() => fetchOne('something else')).toThrow(/one_1_amd64\.deb/);
    expect(readdirSync(join(folder, 'pinion', 'base-image')).filter((name) => name.startsWith('fetching-'))).toEqual(
      [],
    );
    expect(existsSync(join(folder, 'none'))).toBe(false);
  });
});
