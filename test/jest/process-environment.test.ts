import { Script } from 'node:vm';
import { type JestEnvironmentConfig } from '@jest/environment';
import * as z from 'zod';
import ProcessEnvironment from './process-environment';

const config = { projectConfig: { globals: { given: 1 } } } as unknown as JestEnvironmentConfig;

test('what a suite changes in the process is undone when it ends', async () => {
  const [folder, exit, timer] = [process.cwd(), process.exit, globalThis.setTimeout];
  const environment = new ProcessEnvironment(config);
  await environment.setup();
  const listener = (): void => undefined;
  process.on('SIGUSR2', listener);
  process.env['PATH'] = '/nowhere';
  process.env['PINION_ADDED'] = 'yes';
  delete process.env['HOME'];
  process.chdir('/');
  process.exitCode = 3;
  process.exit = () => exit(0);
  Object.assign(globalThis, { added: 1, setTimeout: () => 0 });
  expect(globalThis).toMatchObject({ given: 1, added: 1 });
  await environment.teardown();
  expect([process.cwd(), process.exitCode, process.env['PINION_ADDED']]).toEqual([folder, undefined, undefined]);
  expect([process.env['PATH'], process.env['HOME']]).toEqual([expect.stringContaining('/bin'), expect.any(String)]);
  expect([process.exit, globalThis.setTimeout]).toEqual([exit, timer]);
  expect(process.listeners('SIGUSR2')).not.toContain(listener);
  expect(Object.keys(globalThis)).not.toEqual(expect.arrayContaining(['given']));
  expect('added' in globalThis).toBe(false);
  expect(environment.getVmContext()).toBeNull();
});

test('values of Node and of packages are of the same realm as those of a suite', () => {
  expect(new Script('[]').runInThisContext()).toBeInstanceOf(Array);
  expect(JSON.parse(new TextDecoder().decode(new TextEncoder().encode('[]')))).toBeInstanceOf(Array);
  expect(z.object({}).safeParse(1).error).toBeInstanceOf(Error);
  expect(z.array(z.string()).parse([])).toBeInstanceOf(Array);
});

test('modules of this repository are evaluated for each suite, packages once', () => {
  const load = (name: string): unknown => jest.requireActual(name);
  const [before, zod] = [load('./seed-properties'), load('zod')];
  jest.resetModules();
  expect(load('./seed-properties')).not.toBe(before);
  expect(load('zod')).toBe(zod);
});
