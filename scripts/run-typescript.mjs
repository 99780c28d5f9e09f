// Runs a TypeScript program of this repository without compiling it first: node scripts/run-typescript.mjs FILE
// [ARGUMENT…]
import Module, { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { transformFileSync } from '@swc/core';

Module._extensions['.ts'] = (module, filename) => {
  const { code } = transformFileSync(filename, {
    jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  });
  module._compile(code, filename);
};

const [node, , file, ...rest] = process.argv;
process.setSourceMapsEnabled(true);
process.argv = [node, resolve(file), ...rest];
createRequire(import.meta.url)(resolve(file));
