import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readIgnoreFile } from './docker-ignore';
import { copySources, programTargets, readStages, root } from './dockerfile';
import { imageProofs } from './proofs';

const stages = readStages();
const isSent = readIgnoreFile(readFileSync(join(root, '.dockerignore'), 'utf8'));
const sources = stages.flatMap((stage) => copySources(stage).map((path) => [stage.name, path] as const));

describe('the ignore file', () => {
  test.each(sources)('includes the source of %s: %s', (_, path) => {
    expect(isSent(path)).toBe(true);
  });

  test.each([
    'lib/index.ts',
    'node_modules/zod/package.json',
    'build/bin/program.js',
    'build/images/base-amd64.tar.key',
  ])('excludes %s', (path) => expect(isSent(path)).toBe(false));

  test('reads lines as Docker does: the last one that matches the path or a folder above it decides', () => {
    const sent = readIgnoreFile('*\n!build/page\nbuild/page/*.map\n');
    expect(['build/page', 'build/page/index.html', 'build/page/page.js.map', 'build', 'a'].map(sent)).toEqual([
      ...[true, true, false, false, false],
    ]);
  });
});

test('the build creates every file that an image copies', () => {
  const missing = sources.filter(([stage, path]) => stage !== 'base' && !existsSync(join(root, path)));
  expect(missing).toEqual([]);
});

test('the Dockerfile has a target for every documented program', () => {
  expect([...programTargets()].sort()).toEqual(
    ['canary', 'client-monitor', 'controller', 'gateway', 'node-lifecycle', 'quota', 'registrar', 'submission'].sort(),
  );
});

test.each(programTargets())('%s runs as the unprivileged user of the stage below it', (target) => {
  const stage = stages.find(({ name }) => name === target);
  expect(stage?.from).toBe('runtime');
  expect(stage?.instructions.map(([instruction]) => instruction)).not.toContain('USER');
});

test('the user of the image can enter copied folders', () => {
  const modes = stages
    .flatMap(({ instructions }) => instructions)
    .flatMap(([, rest]) => [...rest.matchAll(/--chmod=(\S+)/g)].map(([, mode = '']) => mode));
  expect(modes.length).toBeGreaterThan(0);
  expect(modes.filter((mode) => (Number.parseInt(mode, 8) & 0o005) !== 0o005)).toEqual([]);
});

test('every image contains the licenses of its program and packages', () => {
  const runtime = stages.find(({ name }) => name === 'runtime');
  expect(runtime && copySources(runtime)).toEqual(['LICENSE', 'NOTICE', 'THIRD_PARTY_NOTICES.txt']);
});

test('no stage has a RUN instruction, so that any machine builds for any architecture', () => {
  expect(stages.flatMap(({ instructions }) => instructions).filter(([instruction]) => instruction === 'RUN')).toEqual(
    [],
  );
});

test('every program has a proof that its image starts it', () => {
  expect(Object.keys(imageProofs).sort()).toEqual(['runtime', 'topic-controller', ...programTargets()].sort());
});
