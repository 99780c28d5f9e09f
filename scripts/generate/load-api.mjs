// Loads lib/api, and what else is derived from schemas, from their sources without checking types: what is generated may be older than the schemas that it comes from.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

const contents = `
export { crdOf } from './lib/api/crd/crd';
export { shapeOf } from './lib/api/schema/field-tree';
export { pinionKinds } from './lib/api/kinds/kinds';
export { isWorkloadKind } from './lib/api/kinds/workload-kinds';
export { isTypeName } from './lib/api/native';
export { problemCodes } from './lib/api/problem';
export { schemaOf } from './lib/api/schemas';
export { workflowSpec } from './lib/api/manifest/workflow';
export { openApiDocument } from './lib/submission/http/openapi-document';
export { writeYaml } from './lib/yaml';
export { layers } from './test/architecture/modules';
`;

export function loadApi(root) {
  const folder = mkdtempSync(join(tmpdir(), 'pinion-generate-'));
  try {
    const outfile = join(folder, 'api.cjs');
    const stdin = { contents, resolveDir: root, loader: 'ts' };
    buildSync({ stdin, outfile, bundle: true, platform: 'node', format: 'cjs', logLevel: 'error' });
    return createRequire(import.meta.url)(outfile);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
