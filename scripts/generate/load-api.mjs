// Loads lib/api, and other modules derived from schemas, from source without type checks: generated files may be older
// than the schemas.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

const contents = `
export { crdOf } from './lib/api/crd/crd';
export { shapeOf } from './lib/api/schema/field-tree';
export { pinionKinds } from './lib/api/kinds/kinds';
export { isWorkloadKind } from './lib/api/kinds/workload-kinds';
export { isTypeName } from './lib/api/native';
export { patchableFields } from './lib/api/fields/patchable-fields';
export { problemCodes } from './lib/api/problem';
export { schemaOf } from './lib/api/schemas';
export { workflowSpec } from './lib/api/manifest/workflow';
export { openApiDocument } from './lib/submission/http/openapi-document';
export { rootCommand } from './lib/cli/command-table';
export { isCommandGroup } from './lib/cli/command/command';
export { argumentLabel, optionLabel, optionText, usageLine } from './lib/cli/command/option-text';
export { layers } from './test/architecture/modules';
`;

/** The table of commands loads them by `module.require`, which a bundler does not follow. */
const commands = {
  name: 'commands',
  setup(bundle) {
    bundle.onLoad({ filter: /lib[\\/]cli[\\/]command-table\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll('module.require(', 'require('),
      loader: 'ts',
    }));
  },
};

export async function loadApi(root) {
  const folder = mkdtempSync(join(tmpdir(), 'pinion-generate-'));
  try {
    const outfile = join(folder, 'api.cjs');
    const stdin = { contents, resolveDir: root, loader: 'ts' };
    const options = { bundle: true, platform: 'node', format: 'cjs', logLevel: 'error' };
    await build({ stdin, outfile, plugins: [commands], ...options });
    return createRequire(import.meta.url)(outfile);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
