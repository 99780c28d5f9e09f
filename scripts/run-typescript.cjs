// Runs a TypeScript program of this repository as it is: node scripts/run-typescript.cjs FILE [ARGUMENT…]
const { transformFileSync } = require('@swc/core');
const { resolve } = require('node:path');

require.extensions['.ts'] = (module, filename) => {
  const { code } = transformFileSync(filename, {
    jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  });
  module._compile(code, filename);
};

const [, , file, ...rest] = process.argv;
process.setSourceMapsEnabled(true);
process.argv = [process.argv[0], resolve(file), ...rest];
require(resolve(file));
