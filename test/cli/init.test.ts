import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { ownVersion } from '../../lib/cli/io/own-version';
import { workloadKinds } from '../../lib/api';
import { pinion, testFolder, writeFiles } from './terminal';

const root = join(__dirname, '../..');
const at = (path: string): string => join(testFolder(), path);
const read = (path: string): string => readFileSync(at(path), 'utf8');
const filesIn = (folder: string): readonly string[] =>
  readdirSync(at(folder), { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name).slice(at(folder).length + 1))
    .sort();
const init = (...argv: readonly string[]) => pinion(['init', '--skip-lockfile', ...argv]);

/** Runs with an `npm` that executes a script. */
async function withNpm<T>(script: string | undefined, action: () => Promise<T>): Promise<T> {
  const path = process.env['PATH'];
  mkdirSync(at('bin'));
  if (script !== undefined) {
    writeFileSync(at('bin/npm'), `#!/bin/sh\n${script}\n`);
    chmodSync(at('bin/npm'), 0o755);
  }
  process.env['PATH'] = script === undefined ? at('bin') : `${at('bin')}:${path}`;
  try {
    return await action();
  } finally {
    process.env['PATH'] = path;
  }
}

function pack(name: string, version: string, file: string): void {
  writeFiles({ 'package/package.json': JSON.stringify({ name, version }), 'package/index.js': '' });
  expect(spawnSync('tar', ['czf', file, 'package'], { cwd: testFolder() }).status).toBe(0);
}

test('a project has everything that its pipeline needs, with the versions that this repository tests', async () => {
  const { code, out, err } = await init('shop');
  expect([code, out]).toEqual([0, '']);
  expect(err).toContain('11 files in shop\n');
  expect(filesIn('shop')).toEqual([
    '.github/workflows/workloads.yml',
    '.gitignore',
    'README.md',
    '__snapshots__/workloads.test.ts.snap',
    'cdk8s.yaml',
    'main.ts',
    'package.json',
    'pinion.platform.yaml',
    'tsconfig.json',
    'workloads.test.ts',
    'workloads.ts',
  ]);
  const { engines, dependencies, devDependencies } = JSON.parse(read('shop/package.json'));
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const consumer = JSON.parse(readFileSync(join(root, 'test/consumer/package.json'), 'utf8'));
  expect(engines).toEqual(own.engines);
  const { '@pinion-platform/pinion': library, ...others } = dependencies;
  expect(library).toBe(own.version);
  const tested = { ...own.devDependencies, 'ts-node': consumer.devDependencies['ts-node'] };
  for (const [name, version] of Object.entries({ ...others, ...devDependencies }))
    expect([name, version]).toEqual([name, tested[name]]);
});

const kinds = ['service', 'job-set', 'cron-job', 'daemon', 'training-job', 'stateful-set'];

test.each(kinds)('the manifest and the Platform for a %s have no problem', async (kind) => {
  expect(kinds).toHaveLength(Object.keys(workloadKinds).length);
  await init('.', '--project', 'shop', '--name', 'first', '--kind', kind, '--flavor', 'yaml');
  const { code, out, err } = await pinion(['check', 'workloads', 'pinion.platform.yaml']);
  expect([code, out]).toEqual([0, '']);
  expect(err).toContain('1 workload');
  expect(err).toContain('0 warnings');
  expect(load(read('workloads/first.yaml'))).toMatchObject({ metadata: { name: 'first', namespace: 'shop' } });
});

test('the pipelines run the same commands, and pin actions as those of this repository', async () => {
  await init('a', '--ci', 'github');
  await init('b', '--ci', 'gitlab');
  await init('c', '--ci', 'none');
  const { jobs } = load(read('a/.github/workflows/workloads.yml')) as {
    jobs: { workloads: { steps: { run?: string; uses?: string }[] } };
  };
  const { workloads } = load(read('b/.gitlab-ci.yml')) as { workloads: { script: string[] } };
  const steps = jobs.workloads.steps;
  expect(steps.flatMap(({ run }) => run ?? [])).toEqual(workloads.script);
  const { scripts } = JSON.parse(read('a/package.json'));
  for (const command of workloads.script.filter((one) => one.startsWith('npm run ')))
    expect(scripts).toHaveProperty([command.slice('npm run '.length)]);
  const own = readFileSync(join(root, '.github/workflows/ci.yml'), 'utf8');
  for (const { uses } of steps) if (uses !== undefined) expect(own).toContain(`uses: ${uses} #`);
  expect(filesIn('c').filter((path) => path.startsWith('.git'))).toEqual(['.gitignore']);
});

test('a folder with files in the way stays as it is, and all of them are listed', async () => {
  writeFiles({ 'shop/README.md': 'mine', 'shop/.github': 'a file', 'shop/package-lock.json/x': '', 'shop/other': '' });
  symlinkSync('nowhere', at('shop/main.ts'));
  const before = filesIn('shop');
  const { code, err } = await pinion(['init', 'shop']);
  expect(code).toBe(1);
  expect(err).toBe(
    'pinion: nothing was written, because these exist; move them, or choose another folder:\n' +
      '  .github\n  README.md\n  main.ts\n  package-lock.json\n',
  );
  expect(filesIn('shop')).toEqual(before);
  expect(read('shop/README.md')).toBe('mine');
});

test('a link in the folder is in the way, since it may lead out of it', async () => {
  writeFiles({ 'shop/LICENSE': 'mine', 'out/x': '' });
  symlinkSync('../out', at('shop/.github'));
  expect(await init('shop')).toMatchObject({ code: 1, err: expect.stringContaining(':\n  .github\n') });
  expect(filesIn('out')).toEqual(['x']);
  symlinkSync('shop', at('link'));
  rmSync(at('shop/.github'));
  expect(await init('link')).toMatchObject({ code: 0 });
});

test('it adds a project to a folder with other files', async () => {
  writeFiles({ 'shop/.github/CODEOWNERS': '* @shop', 'shop/LICENSE': 'mine' });
  expect(await init('shop')).toMatchObject({ code: 0 });
  expect(filesIn('shop')).toHaveLength(13);
  expect(read('shop/LICENSE')).toBe('mine');
});

test('a file in place of the folder is reported', async () => {
  writeFiles({ shop: 'a file' });
  expect(await init('shop')).toMatchObject({ code: 1, err: expect.stringContaining('  shop\n') });
});

test('names that are not valid are reported together, and nothing is written', async () => {
  const { code, err } = await init('shop', '--project', 'Shop_1', '--name', 'a b');
  expect(code).toBe(1);
  expect(err).toContain('Project Shop_1: metadata.name: "Shop_1"');
  expect(err).toContain('metadata.name: "a b"');
  expect(err).toContain('choose another --project or --name');
  expect(existsSync(at('shop'))).toBe(false);
});

test.each([
  ['Shop & Co', 'shop-co'],
  ['2nd_shop', 'nd-shop'],
  ['___', 'shop'],
])('the folder %s becomes the project %s', async (folder, project) => {
  await init(folder, '--flavor', 'yaml');
  expect(load(read(`${folder}/workloads/web.yaml`))).toMatchObject({ metadata: { namespace: project } });
});

test('nothing stays behind when a file cannot be written', async () => {
  mkdirSync(at('shop'));
  const { code, err } = await withNpm(`echo > ../README.md; echo {} > package-lock.json`, () =>
    pinion(['init', 'shop']),
  );
  expect(code).toBe(3);
  expect(err).toBe('pinion: shop: already exists\n');
  // Another program, here npm, created it in the meantime.
  expect(filesIn('shop')).toEqual(['README.md']);
});

test('parent folders are created, and removed when the command is stopped', async () => {
  expect(await init('a/b/shop')).toMatchObject({ code: 0 });
  expect(filesIn('a/b/shop')).toHaveLength(11);
  const cleanups: (() => unknown)[] = [];
  const onStop = (cleanup: () => unknown) => {
    cleanups.push(cleanup);
    return () => undefined;
  };
  const kept = 'echo {} > package-lock.json; exec sleep 60';
  await withNpm(kept, async () => {
    const stopped = pinion(['init', 'c/d/shop'], '', { onStop });
    while (!existsSync(at('c/d'))) await new Promise((resolve) => setTimeout(resolve, 10));
    for (const cleanup of cleanups) cleanup();
    expect((await stopped).code).toBe(5);
  });
  expect(existsSync(at('c'))).toBe(false);
});

describe('the lock file', () => {
  test('is followed by a command that enters a folder with a space', async () => {
    const { err } = await withNpm('echo > package-lock.json', () => pinion(['init', 'my shop/web']));
    expect(err).toContain("\nNext: cd 'my shop/web' && npm ci");
  });

  test('comes from npm, which neither installs nor runs scripts', async () => {
    const { code, err } = await withNpm('echo "$@" > package-lock.json', () => pinion(['init', 'shop']));
    expect([code, err]).toEqual([0, '12 files in shop\nNext: cd shop && npm ci && npm test && npm run synth\n']);
    expect(read('shop/package-lock.json')).toContain('install --package-lock-only --ignore-scripts');
  });

  test.each([
    ['echo "npm error code E404" >&2; echo "npm error 404 Not Found - GET x" >&2; exit 1', '404 Not Found - GET x'],
    ['exit 1', 'npm failed without a message'],
    ['exit 0', 'npm is configured to write none'],
    [undefined, 'npm could not be started'],
  ])('is reported as missing with its reason: %s', async (script, reason) => {
    const { code, err } = await withNpm(script, () => pinion(['init', 'shop']));
    expect(code).toBe(0);
    expect(err).toContain(`no package-lock.json, which CI needs: ${reason}\nNext: cd shop && npm install && `);
    expect(existsSync(at('shop/workloads.ts'))).toBe(true);
  });
});

describe('--pinion', () => {
  test('copies a packed library into the project', async () => {
    pack('@pinion-platform/pinion', ownVersion(), 'x.tgz');
    await init('shop', '--pinion', './x.tgz');
    const path = `vendor/pinion-platform-pinion-${ownVersion()}.tgz`;
    expect(JSON.parse(read('shop/package.json')).dependencies['@pinion-platform/pinion']).toBe(`file:${path}`);
    expect(readFileSync(at(`shop/${path}`))).toEqual(readFileSync(at('x.tgz')));
    expect(read('shop/README.md')).toContain(path);
  });

  test('of another version writes no snapshot, which only that version knows', async () => {
    pack('@pinion-platform/pinion', '9.0.0', 'x.tgz');
    await init('shop', '--pinion', 'x.tgz');
    expect(filesIn('shop').filter((path) => path.includes('snap'))).toEqual([]);
    expect(filesIn('shop')).toContain('vendor/pinion-platform-pinion-9.0.0.tgz');
  });

  test('rejects a package of another name, other content, a missing file and a tag', async () => {
    pack('pinion', '0.2.0', 'x.tgz');
    writeFiles({ 'y.tgz': 'text' });
    expect(await init('--pinion', 'x.tgz')).toMatchObject({
      code: 2,
      err: expect.stringContaining('x.tgz contains pinion, not @pinion-platform/pinion'),
    });
    expect(await init('--pinion', 'y.tgz')).toMatchObject({
      code: 2,
      err: expect.stringContaining('y.tgz is not a packed package'),
    });
    expect(await init('--pinion', 'z.tgz')).toMatchObject({ code: 3, err: 'pinion: --pinion: z.tgz does not exist\n' });
    expect(await init('--pinion', 'latest')).toMatchObject({ code: 2, err: expect.stringContaining('not "latest"') });
    for (const version of ['1/../../../../escaped', '1.0.0\n', 'latest']) {
      pack('@pinion-platform/pinion', version, 'v.tgz');
      expect(await init('--pinion', 'v.tgz')).toMatchObject({
        code: 2,
        err: expect.stringContaining(`v.tgz has the version ${JSON.stringify(version)}, which must be a version`),
      });
    }
    expect(existsSync(at('package.json'))).toBe(false);
  });
});

describe('--registry', () => {
  test('maps only the scope of the library', async () => {
    await init('shop', '--registry', 'https://npm.example.com/private');
    expect(read('shop/.npmrc')).toBe('@pinion-platform:registry=https://npm.example.com/private\n');
  });

  test('rejects credentials without printing them', async () => {
    const { code, err } = await init('shop', '--registry', 'https://user:secret1@npm.example.com/');
    expect([code, err]).toEqual([2, expect.stringContaining('without credentials')]);
    expect(err).not.toContain('secret1');
  });
});

describe('on a terminal', () => {
  const asked = async (answers: readonly (string | undefined)[], ...argv: readonly string[]) => {
    const questions: string[] = [];
    const left = [...answers];
    const ask = (question: string): Promise<string | undefined> => {
      questions.push(question);
      return Promise.resolve(left.shift());
    };
    const result = await pinion(['init', 'new', '--skip-lockfile', ...argv], '', { ask });
    return { ...result, questions };
  };

  test('it asks for what no option sets, and again after an answer that is not allowed', async () => {
    const { code, err, questions } = await asked(['shop', 'cronjob', 'cron-job', '', 'yaml'], '--ci', 'gitlab');
    expect(code).toBe(0);
    expect(questions).toEqual([
      'Project [new]: ',
      'Kind of the first workload (service, job-set, cron-job, daemon, training-job or stateful-set) [service]: ',
      'Kind of the first workload (service, job-set, cron-job, daemon, training-job or stateful-set) [service]: ',
      'Name of the workload [report]: ',
      'Flavor (constructs or yaml) [constructs]: ',
    ]);
    expect(err).toContain('"cronjob" is not one of them\n');
    expect(load(read('new/workloads/report.yaml'))).toMatchObject({ metadata: { namespace: 'shop' } });
    expect(existsSync(at('new/.gitlab-ci.yml'))).toBe(true);
  });

  test('the end of input takes the defaults, and --yes asks nothing', async () => {
    expect((await asked([])).questions).toHaveLength(5);
    expect((await asked([], '--yes', '--project', 'again')).questions).toEqual([]);
  });
});
