const hooks = require('node:async_hooks');
const { statSync } = require('node:fs');
const { Script } = require('node:vm');
const { sep } = require('node:path');
const { default: Runtime } = require('jest-runtime');

const packages = `${sep}node_modules${sep}`;
// Its modules hold the state of one suite.
const framework = `${packages}jest-circus${sep}`;

const transforms = new Map();
const scripts = new Map();

/** Transforms a module once for all suites of a worker, unless it changes. */
function shareTransforms(cache) {
  const transform = cache.transform.bind(cache);
  cache.transform = (filename, options) => {
    const { mtimeMs } = statSync(filename);
    const known = transforms.get(filename);
    if (known?.mtimeMs !== mtimeMs) {
      const code = transform(filename, options);
      transforms.set(filename, { mtimeMs, code, map: cache.sourceMaps.get(filename) });
      return code;
    }
    if (known.map !== undefined) cache.sourceMaps.set(filename, known.map);
    return known.code;
  };
}

/** Compiles the source of a module once for all suites of a worker. */
function scriptOf(source, filename, parameters) {
  const known = scripts.get(filename);
  if (known?.source === source) return known.script;
  const head = `(function (${parameters.join(', ')}) {`;
  const script = new Script(`${head}${source}\n})`, { filename, columnOffset: -head.length });
  scripts.set(filename, { source, script });
  return script;
}

/** Loads a module of a package as Node does, and notes the globals that it defines. */
function loadPackage(path, packageGlobals) {
  if (path in require.cache) return require(path);
  const before = new Set(Reflect.ownKeys(globalThis));
  try {
    return require(path);
  } finally {
    for (const key of Reflect.ownKeys(globalThis)) if (!before.has(key)) packageGlobals.add(key);
  }
}

/**
 * Evaluates the modules of this repository once for each suite, so that no suite sees the state of another, and
 * packages once for each worker: a suite that imports much begins in milliseconds. Goes with `ProcessEnvironment`.
 */
module.exports = class PackageSharingRuntime extends Runtime {
  storages = [];

  constructor(...options) {
    super(...options);
    shareTransforms(this.transformCache);
    const { executor } = this;
    executor.compile = (source, filename) =>
      this._environment.getVmContext() === null
        ? null
        : scriptOf(source, filename, executor.injectedModuleParameters).runInThisContext();
  }

  requireModule(from, name, options, isRequireActual) {
    if (name === 'node:async_hooks' && from.includes(framework)) return { ...hooks, AsyncLocalStorage: this.storage() };
    if (name !== undefined && !this._resolution.isCoreModule(name)) {
      const path = this._resolution.resolveCjs(from, name);
      if (path.includes(packages) && !path.includes(framework))
        return loadPackage(path, this._environment.packageGlobals);
    }
    return super.requireModule(from, name, options, isRequireActual);
  }

  /** Returns storage that ends with the suite: Node 20 runs code of every enabled storage for each promise. */
  storage() {
    const { storages } = this;
    return class extends hooks.AsyncLocalStorage {
      constructor() {
        super();
        storages.push(this);
      }
    };
  }

  teardown() {
    super.teardown();
    for (const storage of this.storages) storage.disable();
  }
};
