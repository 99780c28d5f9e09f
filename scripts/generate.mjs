// Writes the files derived from the schemas: crds/, lib/api/inputs.generated.ts, docs/openapi.json and the generated
// parts of docs/. With --check it writes nothing and fails if a file differs.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format } from 'prettier';
import { commandReference } from './generate/command-reference.mjs';
import { definitionText } from './generate/definition-text.mjs';
import { fieldTable } from './generate/field-table.mjs';
import { firstDifference } from './generate/first-difference.mjs';
import { interfacesText } from './generate/interfaces.mjs';
import { loadApi } from './generate/load-api.mjs';
import { between, cell, emptyPage } from './generate/markers.mjs';
import { moduleTables } from './generate/module-table.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const check = process.argv.includes('--check');
const { prettier: style } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const read = (path) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined);
const kebab = (kind) => kind.replace(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();

/** Returns generated texts by path. */
async function generateTexts() {
  const api = await loadApi(root);
  const kinds = Object.keys(api.pinionKinds).map((kind) => ({
    kind,
    sentence: api.pinionKinds[kind].summary,
    shape: api.shapeOf(api.schemaOf(kind)),
  }));
  const files = new Map();
  for (const { kind, sentence, shape } of kinds) {
    const definition = api.crdOf(kind);
    const crd = `# Written by scripts/generate.mjs from lib/api; do not edit.\n${definitionText(definition)}`;
    files.set(`crds/${definition.metadata.name}.yaml`, crd);
    const page = `docs/kinds/${kebab(kind)}.md`;
    const text = read(page) ?? emptyPage(kind, sentence, 'fields');
    files.set(page, between(text, 'fields', fieldTable(shape)));
  }
  const workflow = 'docs/kinds/workflow.md';
  files.set(workflow, between(read(workflow), 'fields', fieldTable(api.shapeOf(api.workflowSpec()))));
  files.set('docs/errors.md', await format(errorsPage(api.problemCodes), { ...style, parser: 'markdown' }));
  const architecture = between(read('docs/architecture.md'), 'modules', moduleTables(api.layers));
  files.set('docs/architecture.md', await format(architecture, { ...style, parser: 'markdown' }));
  const cli = between(read('docs/cli.md'), 'commands', commandReference(api));
  files.set('docs/cli.md', await format(cli, { ...style, parser: 'markdown' }));
  const commonFields = between(read('docs/common-fields.md'), 'patchable', patchableTable(api.patchableFields));
  files.set('docs/common-fields.md', await format(commonFields, { ...style, parser: 'markdown' }));
  const interfaces = interfacesText(kinds, api.isTypeName);
  files.set('lib/api/inputs.generated.ts', await format(interfaces, { ...style, parser: 'typescript' }));
  files.set('docs/openapi.json', await format(JSON.stringify(api.openApiDocument()), { ...style, parser: 'json' }));
  return files;
}

/** Returns the table of fields that patches may change, with the kinds of each. */
function patchableTable(fieldsByKind) {
  const pairs = Object.entries(fieldsByKind).flatMap(([kind, fields]) => fields.map((field) => [field, kind]));
  const rows = [...new Set(pairs.map(([field]) => field))].map(
    (field) => `| \`${field}\` | ${pairs.flatMap(([other, kind]) => (other === field ? [kind] : [])).join(', ')} |`,
  );
  return ['| Field | Kinds |', '| --- | --- |', ...rows].join('\n');
}

function errorsPage(codes) {
  const text = read('docs/errors.md') ?? emptyPage('Problems', 'Every problem has one of these codes.', 'codes');
  const rows = Object.entries(codes).map(([code, meaning]) => `| \`${code}\` | ${cell(meaning)} |`);
  return between(text, 'codes', ['| Code | Meaning |', '| --- | --- |', ...rows].join('\n'));
}

/** Returns files of an earlier run that are no longer generated. */
const obsoleteFiles = (files) =>
  existsSync(join(root, 'crds'))
    ? readdirSync(join(root, 'crds'))
        .map((name) => `crds/${name}`)
        .filter((path) => path.endsWith('.yaml') && !files.has(path))
    : [];

const files = await generateTexts();
const stale = [...files].filter(([path, text]) => read(path) !== text);
const obsolete = obsoleteFiles(files);
if (check) {
  for (const [path, text] of stale) console.error(firstDifference(path, read(path), text));
  for (const path of obsolete) console.error(`${path}: is no longer generated`);
  if (stale.length + obsolete.length > 0) {
    console.error('Generated files are out of date; run "npm run generate" and commit what it writes.');
    process.exitCode = 1;
  }
} else {
  for (const [path, text] of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  for (const path of obsolete) rmSync(join(root, path));
  console.log(`${files.size} generated files, ${stale.length + obsolete.length} of them changed`);
}
