// Pins the packages of the base image at their current versions: npm run images:lock
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { debianMirror, lockFile, nodePackages, run } from './packages.mjs';

const release = 'trixie';
const nodeMajor = 24;
/** Debian packages that files are taken from; gcc-14-base has the license of libgcc-s1 and libstdc++6. */
const names = ['base-files', 'ca-certificates', 'gcc-14-base', 'libc6', 'libgcc-s1', 'libstdc++6'];
const architectures = Object.keys(nodePackages);
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** Path of the packages of a suite on a mirror. */
const suites = [
  { suite: release, archive: 'debian' },
  { suite: `${release}-updates`, archive: 'debian' },
  { suite: `${release}-security`, archive: 'debian-security' },
];

/** Runs apt with its own sources and state, isolated from those of the machine. */
function apt(folder) {
  for (const path of ['lists/partial', 'archives/partial']) mkdirSync(join(folder, path), { recursive: true });
  writeFileSync(join(folder, 'status'), '');
  writeFileSync(
    join(folder, 'sources.list'),
    suites
      .map(({ suite, archive }) => `deb [signed-by=${keyring}] ${debianMirror}/${archive} ${suite} main\n`)
      .join(''),
  );
  const options = [
    `Dir::State=${folder}`,
    `Dir::State::status=${join(folder, 'status')}`,
    `Dir::Cache=${folder}`,
    `Dir::Etc::SourceList=${join(folder, 'sources.list')}`,
    'Dir::Etc::SourceParts=/dev/null',
    'Acquire::Languages=none',
    'Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false',
    'APT::Sandbox::User=root',
    'APT::Get::Update::SourceListWarnings=false',
    `APT::Architecture=${architectures[0]}`,
    ...architectures.map((architecture) => `APT::Architectures::=${architecture}`),
  ].flatMap((option) => ['-o', option]);
  run('apt-get', [...options, '--error-on=any', 'update']);
  return (...args) => run('apt-cache', [...options, ...args]);
}

/**
 * Reads the candidate of one package; undefined for packages of all architectures, which apt lists with the first one.
 */
function candidate(aptCache, name, architecture) {
  const [record] = aptCache('show', '--no-all-versions', `${name}:${architecture}`).split('\n\n');
  const field = (key) => new RegExp(`^${key}: (.*)$`, 'm').exec(record)?.[1];
  const path = field('Filename');
  if (path === undefined) return undefined;
  const archive = path.startsWith('pool/updates/') ? 'debian-security' : 'debian';
  return { [field('Architecture')]: { version: field('Version'), archive, path, sha256: field('SHA256') } };
}

const debianPackages = (aptCache) =>
  Object.fromEntries(
    names.map((name) => [name, Object.assign({}, ...architectures.map((each) => candidate(aptCache, name, each)))]),
  );

const npmView = (...args) => JSON.parse(run('npm', ['view', ...args, '--json', '--silent']));

/** Returns the latest version of the major that npm has for every architecture. */
function nodePins() {
  const versions = Object.values(nodePackages).map((name) => npmView(name, 'versions'));
  const number = (version) => version.split('.').reduce((sum, part) => sum * 10_000 + Number(part), 0);
  const [version] = versions[0]
    .filter(
      (one) => new RegExp(`^${nodeMajor}\\.\\d+\\.\\d+$`).test(one) && versions.every((each) => each.includes(one)),
    )
    .sort((a, b) => number(b) - number(a));
  const integrity = Object.fromEntries(
    Object.entries(nodePackages).map(([architecture, name]) => [
      architecture,
      npmView(`${name}@${version}`, 'dist.integrity'),
    ]),
  );
  return { version, integrity };
}

const folder = mkdtempSync(join(tmpdir(), 'pinion-lock-'));
try {
  const packages = debianPackages(apt(folder));
  const snapshot = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const lock = { debian: { release, snapshot, packages }, node: nodePins() };
  const before = JSON.parse(readFileSync(lockFile, 'utf8'));
  const content = ({ debian, node }) => JSON.stringify([debian.release, debian.packages, node]);
  // A new snapshot time alone is not a change.
  if (content(before) !== content(lock)) writeFileSync(lockFile, `${JSON.stringify(lock, undefined, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
