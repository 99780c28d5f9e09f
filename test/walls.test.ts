import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { tagKeys } from '../lib/api';

const root = join(__dirname, '..');

/** What each room may import beside its own files: other rooms by name, packages by theirs. */
const walls: Readonly<Record<string, { readonly rooms: readonly string[]; readonly packages: readonly string[] }>> = {
  api: { rooms: [], packages: ['zod', '@marcbachmann/cel-js'] },
  yaml: { rooms: ['api'], packages: ['js-yaml'] },
  expand: { rooms: ['api'], packages: ['fast-json-patch', 'node:crypto', 'node:util'] },
  constructs: {
    rooms: ['api', 'expand', 'observability', 'yaml'],
    packages: ['cdk8s', 'constructs', 'node:fs', 'node:path', 'node:url'],
  },
  testing: { rooms: ['api', 'expand', 'yaml'], packages: [] },
  kube: {
    rooms: ['api'],
    packages: [
      'js-yaml',
      'prom-client',
      'node:https',
      'node:http',
      'node:fs',
      'node:path',
      'node:os',
      'node:tls',
      'node:crypto',
      'node:child_process',
      'node:events',
      'node:string_decoder',
      'node:util',
      'node:url',
    ],
  },
  controller: {
    rooms: ['api', 'expand', 'kube'],
    packages: [
      'prom-client',
      'node:http',
      'node:net',
      'node:crypto',
      'node:util',
      'node:zlib',
      'node:os',
      'node:fs',
      'node:inspector',
      'node:process',
    ],
  },
  runtime: {
    rooms: ['api', 'kube'],
    packages: ['node:http', 'node:os', 'node:fs', 'node:process', 'node:net', 'node:events', 'node:dns', 'node:crypto'],
  },
  capacity: { rooms: ['api'], packages: ['zod'] },
  artifact: { rooms: ['api', 'expand'], packages: ['zod', 'node:crypto', 'node:fs/promises', 'node:path'] },
  // The hash is of the script of a page, which its policy names.
  etcd: { rooms: ['api'], packages: ['node:crypto'] },
  operations: {
    rooms: ['api', 'artifact', 'cloud', 'contract', 'etcd', 'expand', 'kube', 'programs'],
    packages: ['child_process', 'crypto', 'dns', 'fs', 'http', 'https', 'net', 'path', 'stream', 'zlib'].map(
      (name) => `node:${name}`,
    ),
  },
  cloud: {
    rooms: ['api', 'kube', 'operations', 'artifact'],
    packages: [
      '@aws-sdk/client-auto-scaling',
      '@aws-sdk/client-ec2',
      '@aws-sdk/client-s3',
      '@aws-sdk/client-sqs',
      'node:crypto',
      'node:os',
    ],
  },
  quota: {
    rooms: ['api', 'capacity', 'expand', 'kube', 'programs'],
    packages: ['zod', 'prom-client', 'node:http', 'node:https', 'node:crypto', 'node:fs', 'node:process'],
  },
  programs: { rooms: ['api', 'expand'], packages: ['zod'] },
  contract: { rooms: ['api'], packages: ['zod'] },
  submission: {
    rooms: ['api', 'expand', 'kube', 'artifact', 'cloud', 'contract', 'programs', 'quota'],
    packages: [
      'zod',
      'fastify',
      'jose',
      'openid-client',
      'prom-client',
      'node:crypto',
      'node:fs',
      'node:http',
      'node:net',
      'node:os',
      'node:path',
      'node:process',
      'node:stream',
      'node:util',
    ],
  },
  // Types only: the page is a program of the browser.
  page: { rooms: ['contract'], packages: [] },
  observability: {
    rooms: ['api'],
    packages: ['dashboard', 'prometheus', 'stat', 'timeseries'].map(
      (part) => `@grafana/grafana-foundation-sdk/${part}`,
    ),
  },
  cli: {
    rooms: [
      'api',
      'contract',
      'observability',
      'programs',
      'expand',
      'yaml',
      'kube',
      'controller',
      'capacity',
      'artifact',
      'quota',
      'etcd',
      'operations',
      'cloud',
    ],
    packages: ['node:fs', 'node:path', 'node:util', 'node:process', 'node:os', 'node:crypto', 'node:child_process'],
  },
  'stacks/plan': { rooms: [], packages: ['pinion', 'pinion/api', 'js-yaml', 'zod'] },
  'stacks/cluster': {
    rooms: ['stacks/plan'],
    packages: [
      'pinion/api',
      '@pulumi/pulumi',
      ...['autoscaling', 'cloudwatch', 'ebs', 'ec2', 'iam', 'kms', 'lb', 'provider', 'route53', 's3', 'sqs', 'vpc'].map(
        (service) => `@pulumi/aws/${service}`,
      ),
    ],
  },
  'stacks/platform': {
    rooms: ['stacks/plan'],
    packages: ['pinion', 'pinion/api', '@pulumi/pulumi', '@pulumi/kubernetes/provider'],
  },
};
/** Files that a process starts with, the one that looks for the app's platform file, and the app that tells the cdk8s command its warnings: they alone may touch the process. */
const entries = [
  'lib/controller/main.ts',
  'lib/runtime/main.ts',
  'lib/cloud/main.ts',
  'lib/quota/main.ts',
  'lib/cli/main.ts',
  'lib/submission/main.ts',
  'lib/operations/canary-main.ts',
  'lib/operations/memory-main.ts',
  'lib/page/main.ts',
  'lib/constructs/platform-file.ts',
  'lib/constructs/platform-app.ts',
];
const forbiddenNames = /(^|[/-])(utils?|helpers?|common|types|constants)\.ts$/;

interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

function sourcesBelow(folder: string): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => {
      const path = relative(root, join(entry.parentPath, entry.name));
      const text = readFileSync(join(root, path), 'utf8');
      const imports = [...text.matchAll(/(?:from\s+|import\(|require\()\s*'([^'\s]+)'/g)].map(
        (match) => match[1] ?? '',
      );
      return { path, text, imports };
    });
}

const files = [...sourcesBelow('lib'), ...sourcesBelow('stacks')];
const roomOf = (path: string): string => {
  const [top = '', room = '', file] = path.split('/');
  return file === undefined ? 'front' : top === 'lib' ? room : `${top}/${room}`;
};
const targetOf = (file: SourceFile, specifier: string): string => {
  const target = relative(root, resolve(root, dirname(file.path), specifier));
  return files.some(({ path }) => path === `${target}.ts`) ? `${target}.ts` : `${target}/index.ts`;
};
const relativeImports = (file: SourceFile) =>
  file.imports.filter((specifier) => specifier.startsWith('.')).map((specifier) => targetOf(file, specifier));

test('every room is named here', () => {
  const rooms = new Set(files.map(({ path }) => roomOf(path)).filter((room) => room !== 'front'));
  expect([...rooms].sort()).toEqual(
    Object.keys(walls)
      .filter((room) => rooms.has(room))
      .sort(),
  );
});

test('a room imports only what its wall lets through, and other rooms only by their front file', () => {
  const offences = files.flatMap((file) => {
    const room = roomOf(file.path);
    const wall = walls[room];
    if (!wall) return [];
    const packages = file.imports.filter(
      (specifier) => !specifier.startsWith('.') && !wall.packages.includes(specifier),
    );
    const rooms = relativeImports(file).filter(
      (target) =>
        roomOf(target) !== room &&
        !(wall.rooms.includes(roomOf(target)) && target.split('/').length === 3 && target.endsWith('/index.ts')),
    );
    return [...packages, ...rooms].map((target) => `${file.path} imports ${target}`);
  });
  expect(offences).toEqual([]);
});

test('no import goes in a circle', () => {
  const graph = new Map(files.map((file) => [file.path, relativeImports(file)]));
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      circles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
      return;
    }
    if (done.has(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  expect(circles).toEqual([]);
});

test('only process entries touch the process, the console or the clock', () => {
  const touches =
    /\b(process\.(env|argv|exit|cwd|std\w+)|console\.\w+|Date\.now\(|new Date\(\)|performance\.now|Math\.random)/;
  const offences = files
    .filter(({ path, text }) => !entries.includes(path) && touches.test(withoutComments(text)))
    .map(({ path }) => path);
  expect(offences).toEqual([]);
});

test('the API group stands in one file, and plurals of kinds in one table', () => {
  const offences = files.flatMap(({ path, text }) => {
    const code = withoutComments(text);
    const group = path !== 'lib/api/names.ts' && /['"`/.]pinterest\.com/.test(code);
    const plural = path !== 'lib/api/kinds.ts' && /['"`]pinterest[a-z]+s['"`/]/.test(code);
    return group || plural ? [path] : [];
  });
  expect(offences).toEqual([]);
});

test('keys of tags stand in one file: who makes machines and who looks for them mean the same', () => {
  const written = new RegExp(`["'/](${Object.values(tagKeys).join('|')})["']`);
  const offences = files
    .filter(({ path, text }) => path !== 'lib/api/machine-tags.ts' && written.test(withoutComments(text)))
    .map(({ path }) => path);
  expect(offences).toEqual([]);
});

test('no file is called after nothing, and nothing is exported wholesale', () => {
  expect(files.filter(({ path }) => forbiddenNames.test(path)).map(({ path }) => path)).toEqual([]);
  expect(files.filter(({ text }) => /export \* /.test(text)).map(({ path }) => path)).toEqual([]);
});

test('examples import by public names only', () => {
  const allowed = ['pinion', 'pinion/testing', 'cdk8s', 'constructs', 'cdk8s-plus-27'];
  const offences = sourcesBelow('examples').flatMap(({ path, imports }) =>
    imports
      .filter((specifier) => !allowed.includes(specifier) && !/^\.{1,2}\/[^.]/.test(specifier))
      .map((specifier) => `${path} imports ${specifier}`),
  );
  expect(offences).toEqual([]);
});

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');
