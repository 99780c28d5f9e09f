import { type Context } from 'node:vm';
import { type JestEnvironment, type JestEnvironmentConfig } from '@jest/environment';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

type Descriptors = ReadonlyMap<PropertyKey, PropertyDescriptor>;
type Listener = (...values: unknown[]) => void;

/** Globals that packages define; a package is loaded once for all suites of a worker, so they outlive a suite. */
const packageGlobals = new Set<PropertyKey>();

function descriptorsOf(object: object): Descriptors {
  const all = Object.getOwnPropertyDescriptors(object) as Record<PropertyKey, PropertyDescriptor>;
  return new Map(Reflect.ownKeys(all).map((key) => [key, all[key] ?? {}]));
}

/** Restores own properties, except what cannot be redefined. */
function restore(object: object, before: Descriptors): void {
  const after = descriptorsOf(object);
  for (const [key, { configurable }] of after)
    if (configurable && !before.has(key) && !packageGlobals.has(key)) Reflect.deleteProperty(object, key);
  for (const [key, was] of before) {
    const now = after.get(key);
    if (now?.value !== was.value || now?.get !== was.get || now?.set !== was.set)
      Reflect.defineProperty(object, key, was);
  }
}

/** Returns a function that undoes later changes of `process`: its properties, environment, folder and listeners. */
function keepProcess(): () => void {
  const [own, env, folder, { exitCode }] = [descriptorsOf(process), { ...process.env }, process.cwd(), process];
  const listenersOf = (name: string | symbol): readonly Listener[] =>
    process.rawListeners(name as 'exit') as Listener[];
  const listeners = new Map(process.eventNames().map((name) => [name, listenersOf(name)]));
  return () => {
    restore(process, own);
    for (const name of Object.keys(process.env)) if (!(name in env)) Reflect.deleteProperty(process.env, name);
    Object.assign(process.env, env);
    if (process.cwd() !== folder) process.chdir(folder);
    process.exitCode = exitCode;
    for (const name of process.eventNames())
      for (const listener of listenersOf(name))
        if (!listeners.get(name)?.includes(listener)) process.removeListener(name, listener);
  };
}

/**
 * Runs a suite in the realm of the process, where access to globals is fast and values of packages are not foreign.
 * What a suite changes in globals or `process` is undone when it ends. Goes with `PackageSharingRuntime`.
 */
export default class ProcessEnvironment implements JestEnvironment {
  global: JestEnvironment['global'] = globalThis as unknown as JestEnvironment['global'];
  readonly fakeTimers = null;
  readonly fakeTimersModern: ModernFakeTimers;
  readonly moduleMocker: ModuleMocker;
  readonly packageGlobals = packageGlobals;
  private readonly restoreProcess = keepProcess();
  private readonly globals = descriptorsOf(globalThis);
  private isOver = false;

  constructor({ projectConfig }: JestEnvironmentConfig) {
    Object.assign(globalThis, projectConfig.globals);
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  exportConditions(): string[] {
    return ['node', 'node-addons'];
  }

  getVmContext(): Context | null {
    return this.isOver ? null : this.global;
  }

  async setup(): Promise<void> {
    // Jest asks for 100 frames, which libraries that create many errors spend most of their time on.
    Error.stackTraceLimit = 25;
  }

  async teardown(): Promise<void> {
    this.isOver = true;
    this.fakeTimersModern.dispose();
    restore(globalThis, this.globals);
    this.restoreProcess();
  }
}
