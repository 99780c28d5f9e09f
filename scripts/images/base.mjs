// Writes build/images/base-<architecture>.tar, the root file system that every image of the Dockerfile starts from:
//   npm run images:base                    for the architecture of this machine
//   npm run images:base -- amd64 arm64
// It contains Node, the libraries that Node loads, CA certificates and users; no shell and no package manager.
// The output is reproducible: equal pins give equal bytes. A file that is up to date is not written again.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fetchPackages, lockFile, nodePackages, run } from './packages.mjs';

const scripts = dirname(fileURLToPath(import.meta.url));
const output = join(scripts, '..', '..', 'build', 'images');

/** Folder of the libraries of an architecture, as Debian names it. */
const triplets = { amd64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' };
/** Path of the dynamic loader in binaries; a link into that folder. */
const loaders = { amd64: 'usr/lib64/ld-linux-x86-64.so.2', arm64: 'usr/lib/ld-linux-aarch64.so.1' };

/** Files taken from each Debian package in addition to its license. */
const contents = (architecture) => {
  const loader = loaders[architecture];
  const libraries = (...names) => names.map((name) => `usr/lib/${triplets[architecture]}/${name}`);
  return {
    'base-files': [
      ...['bin', 'lib', 'sbin', ...(loader.startsWith('usr/lib64/') ? ['lib64'] : [])],
      ...['etc/debian_version', 'etc/os-release', 'usr/lib/os-release', 'usr/share/common-licenses'],
    ],
    'ca-certificates': [],
    'gcc-14-base': [],
    libc6: [loader, ...libraries(basename(loader), 'libc.so.6', 'libdl.so.2', 'libm.so.6', 'libpthread.so.0')],
    'libgcc-s1': libraries('libgcc_s.so.1'),
    'libstdc++6': libraries('libstdc++.so.6', 'libstdc++.so.6.0.33'),
  };
};

const texts = {
  'etc/passwd': 'root:x:0:0:root:/root:/usr/sbin/nologin\nnonroot:x:65532:65532:nonroot:/:/usr/sbin/nologin\n',
  'etc/group': 'root:x:0:\nnonroot:x:65532:\n',
  'etc/nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
};

/** Folders with their modes; the container runtime mounts on most of them. */
const folders = {
  dev: 0o755,
  proc: 0o555,
  run: 0o755,
  sys: 0o555,
  'usr/bin': 0o755,
  'usr/sbin': 0o755,
  tmp: 0o1777,
};

/** Creates the root file system under a folder. */
function createRoot(root, architecture, packages, work) {
  for (const [path, mode] of Object.entries(folders)) {
    mkdirSync(join(root, path), { recursive: true });
    chmodSync(join(root, path), mode);
  }
  for (const [name, paths] of Object.entries(contents(architecture))) {
    const unpacked = join(work, name);
    run('dpkg-deb', ['-x', packages[name], unpacked]);
    // Vulnerability scanners read the installed packages there, as in other images without dpkg.
    write(root, `var/lib/dpkg/status.d/${name}`, run('dpkg-deb', ['-f', packages[name]]));
    for (const path of [...paths, licensePath(unpacked, name)]) copy(unpacked, root, path);
    if (name === 'ca-certificates') write(root, 'etc/ssl/certs/ca-certificates.crt', certificates(unpacked));
  }
  run('tar', ['-xzf', packages.node, '-C', join(root, 'usr/bin'), '--strip-components=2', 'package/bin/node']);
  mkdirSync(join(root, 'usr/share/doc/node'));
  run('tar', [
    '-xzf',
    packages.node,
    '-C',
    join(root, 'usr/share/doc/node'),
    '--strip-components=1',
    'package/LICENSE',
  ]);
  for (const [path, text] of Object.entries(texts)) write(root, path, text);
}

function write(root, path, text) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** Returns the path of a package's license: a file, or a link to the folder of the package that has it. */
function licensePath(unpacked, name) {
  const path = `usr/share/doc/${name}`;
  return lstatSync(join(unpacked, path)).isSymbolicLink() ? path : `${path}/copyright`;
}

/** Copies a file, a folder, or a link as a link. */
function copy(from, root, path) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  cpSync(join(from, path), join(root, path), { recursive: true, verbatimSymlinks: true });
}

/** Returns Mozilla's certificates as one string, sorted by name, as update-ca-certificates writes them. */
function certificates(unpacked) {
  const folder = join(unpacked, 'usr/share/ca-certificates/mozilla');
  return readdirSync(folder)
    .sort()
    .map((name) => `${readFileSync(join(folder, name), 'utf8').trim()}\n`)
    .join('');
}

/** Returns a digest that changes with the pins and with these scripts. */
const keyOf = () =>
  ['base.mjs', 'packages.mjs']
    .map((name) => join(scripts, name))
    .concat(lockFile)
    .reduce((hash, file) => hash.update(readFileSync(file)), createHash('sha256'))
    .digest('hex');

function writeBase(architecture) {
  const target = join(output, `base-${architecture}.tar`);
  const keyFile = `${target}.key`;
  if (existsSync(target) && existsSync(keyFile) && readFileSync(keyFile, 'utf8') === keyOf()) return;
  const packages = fetchPackages(JSON.parse(readFileSync(lockFile, 'utf8')), architecture);
  mkdirSync(output, { recursive: true });
  const work = mkdtempSync(join(tmpdir(), 'pinion-base-'));
  const part = `${target}.${process.pid}`;
  try {
    const root = join(work, 'root');
    mkdirSync(root);
    createRoot(root, architecture, packages, work);
    const owned = ['--owner=0', '--group=0', '--numeric-owner', '--mtime=@0'];
    run('tar', ['-cf', part, '-C', root, '--format=ustar', '--sort=name', ...owned, '.']);
    renameSync(part, target);
    writeFileSync(keyFile, keyOf());
  } finally {
    rmSync(part, { force: true });
    rmSync(work, { recursive: true, force: true });
  }
}

process.umask(0o022);
const given = process.argv.slice(2);
const localArchitecture = { x64: 'amd64', arm64: 'arm64' }[process.arch];
for (const architecture of given.length > 0 ? given : [localArchitecture]) {
  if (!Object.hasOwn(nodePackages, architecture)) {
    process.stderr.write(`${architecture}: unsupported architecture; use ${Object.keys(nodePackages).join(' or ')}\n`);
    process.exit(2);
  }
  writeBase(architecture);
}
