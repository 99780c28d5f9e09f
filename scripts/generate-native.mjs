// Writes Kubernetes' own types from its OpenAPI v3 documents: TypeScript interfaces, and the table used by validation.
//   node scripts/generate-native.mjs [<folder of 1.36> <folder of 1.35>] [--check]    without folders Go fetches them
//   node scripts/generate-native.mjs <folder of 1.36> --check    without the section about 1.35
// A folder is `api/openapi-spec/v3` of the module k8s.io/kubernetes (`go mod download -json k8s.io/kubernetes@v1.36.3`
// prints its path), or files saved from a running API server's /openapi/v3 under the same names. The committed documents
// omit enums; they are read from the module's `pkg/generated/openapi` instead.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { format } from 'prettier';

/** Latest patch of each supported minor version whose schemas are kept. */
const sources = ['v1.36.3', 'v1.35.6'];

const documents = {
  'api__v1_openapi.json': 'io.k8s.api.core.v1',
  'apis__admissionregistration.k8s.io__v1_openapi.json': 'io.k8s.api.admissionregistration.v1',
  'apis__apiextensions.k8s.io__v1_openapi.json': 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1',
  'apis__apps__v1_openapi.json': 'io.k8s.api.apps.v1',
  'apis__autoscaling__v2_openapi.json': 'io.k8s.api.autoscaling.v2',
  'apis__batch__v1_openapi.json': 'io.k8s.api.batch.v1',
  'apis__networking.k8s.io__v1_openapi.json': 'io.k8s.api.networking.v1',
  'apis__policy__v1_openapi.json': 'io.k8s.api.policy.v1',
  'apis__rbac.authorization.k8s.io__v1_openapi.json': 'io.k8s.api.rbac.v1',
  'apis__scheduling.k8s.io__v1_openapi.json': 'io.k8s.api.scheduling.v1',
};

const roots = [
  ...['Deployment', 'StatefulSet', 'DaemonSet'].map((kind) => `io.k8s.api.apps.v1.${kind}`),
  ...['Job', 'CronJob'].map((kind) => `io.k8s.api.batch.v1.${kind}`),
  ...['Pod', 'Service', 'ConfigMap', 'Secret', 'ServiceAccount', 'PersistentVolumeClaim'].map(
    (k) => `io.k8s.api.core.v1.${k}`,
  ),
  ...['Namespace', 'ResourceQuota', 'LimitRange'].map((kind) => `io.k8s.api.core.v1.${kind}`),
  ...['Ingress', 'NetworkPolicy'].map((kind) => `io.k8s.api.networking.v1.${kind}`),
  'io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler',
  'io.k8s.api.policy.v1.PodDisruptionBudget',
  ...['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'].map((kind) => `io.k8s.api.rbac.v1.${kind}`),
  'io.k8s.api.scheduling.v1.PriorityClass',
  ...['', 'Binding'].map((end) => `io.k8s.api.admissionregistration.v1.ValidatingAdmissionPolicy${end}`),
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition',
];

/** Types that have a name instead of a structure. */
const leafNames = {
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': 'int-or-string',
  'io.k8s.apimachinery.pkg.api.resource.Quantity': 'quantity',
  'io.k8s.apimachinery.pkg.apis.meta.v1.Time': 'time',
  'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime': 'time',
  'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1': 'any',
  'io.k8s.apimachinery.pkg.runtime.RawExtension': 'any',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps': 'any',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON': 'any',
};

const typescript = {
  string: 'string',
  boolean: 'boolean',
  int32: 'number',
  int64: 'number',
  number: 'number',
  'int-or-string': 'IntOrString',
  quantity: 'Quantity',
  time: 'string',
  bytes: 'string',
  any: 'unknown',
};

/** Returns the schema of values, list entries or map values. */
const valuesOf = (schema) => schema.items ?? schema.additionalProperties ?? schema;
const nameOf = (full) => full.slice(full.lastIndexOf('.') + 1);
const refOf = (schema) => (schema.$ref ?? schema.allOf?.[0]?.$ref)?.replace('#/components/schemas/', '');

function readSchemas(folder) {
  const schemas = {};
  for (const file of Object.keys(documents)) {
    const text = fs.readFileSync(path.join(folder, file), 'utf8');
    Object.assign(schemas, JSON.parse(text).components.schemas);
  }
  addEnums(schemas, path.join(folder, '../../../pkg/generated/openapi/zz_generated.openapi.go'));
  return schemas;
}

/** Adds the enums of the generated Go file, which are missing in the module's documents. */
function addEnums(schemas, file) {
  if (!fs.existsSync(file)) return;
  let type;
  let field;
  for (const line of fs.readFileSync(file, 'utf8').split('\n')) {
    const header = /^func schema_k8sio_api_(\w+?)_(v\w+?)_(\w+)\(/.exec(line);
    if (header) type = `io.k8s.api.${header[1]}.${header[2]}.${header[3]}`;
    else if (line.startsWith('func ')) type = undefined;
    const name = /^\t{5}"(\w+)": \{$/.exec(line);
    if (name) field = name[1];
    const values = /^\s+Enum:\s+\[\]interface\{\}\{(.*)\},$/.exec(line);
    const schema = values && schemas[type]?.properties?.[field];
    if (schema) valuesOf(schema).enum ??= JSON.parse(`[${values[1]}]`);
  }
}

function collect(schemas) {
  const types = new Map();
  const visit = (full, asRoot) => {
    if (leafNames[full]) return leafNames[full];
    // Nested objects need no type metadata.
    const name = roots.includes(full) && asRoot !== true ? `Embedded${nameOf(full)}` : nameOf(full);
    if (types.has(name)) {
      if (types.get(name).full !== full)
        throw new Error(`two types are named ${name}: ${full}, ${types.get(name).full}`);
      return name;
    }
    const schema = schemas[full];
    if (!schema) throw new Error(`no schema ${full}`);
    types.set(name, { full, fields: {} });
    for (const [field, property] of Object.entries(schema.properties ?? {})) {
      types.get(name).fields[field] = fieldOf(property, (schema.required ?? []).includes(field), visit);
    }
    if (asRoot === true) nameRoot(types.get(name), schema);
    return name;
  };
  for (const root of roots) visit(root, true);
  return new Map([...types].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function nameRoot(type, schema) {
  const { group, version, kind } = schema['x-kubernetes-group-version-kind'][0];
  const apiVersion = group ? `${group}/${version}` : version;
  Object.assign(type.fields, {
    apiVersion: { type: 'string', required: true, enum: [apiVersion] },
    kind: { type: 'string', required: true, enum: [kind] },
    metadata: { ...type.fields.metadata, required: true },
  });
}

function fieldOf(schema, required, visit) {
  const field = { ...typeOf(schema, visit), required };
  const values = valuesOf(schema).enum?.filter((value) => value !== '');
  if (values) field.enum = values;
  if (schema['x-kubernetes-list-type'] === 'map') field.keys = schema['x-kubernetes-list-map-keys'];
  if (schema['x-kubernetes-list-type'] === 'set') field.set = true;
  // Empty defaults are Go's zero values and have no meaning.
  if (['string', 'number', 'boolean'].includes(typeof schema.default) && schema.default) field.default = schema.default;
  return field;
}

function typeOf(schema, visit) {
  const ref = refOf(schema);
  if (ref) return { type: visit(ref) };
  if (schema.type === 'array') return { type: `[${typeOf(schema.items, visit).type}]` };
  if (schema.additionalProperties) return { type: `{${typeOf(schema.additionalProperties, visit).type}}` };
  if (schema.type === 'integer') return { type: schema.format === 'int32' ? 'int32' : 'int64' };
  if (schema.type === 'string') return { type: { byte: 'bytes', 'date-time': 'time' }[schema.format] ?? 'string' };
  if (schema.type === 'boolean' || schema.type === 'number') return { type: schema.type };
  return { type: 'any' };
}

function textOf(field) {
  let text = field.type;
  if (field.enum) text += `(${field.enum.join('|')})`;
  if (field.keys) text += `@${field.keys.join(',')}`;
  if (field.set) text += '@';
  if (field.required) text += '!';
  if (field.default !== undefined) text += `=${JSON.stringify(field.default)}`;
  return text;
}

/** Start of the section that compares with older versions. */
const beforeMissing = '/** Per older version';

function structuresFile(types, missing) {
  const table = {};
  for (const [name, type] of types) {
    table[name] = Object.fromEntries(Object.entries(type.fields).map(([key, field]) => [key, textOf(field)]));
  }
  return `// Written by scripts/generate-native.mjs from Kubernetes 1.36's OpenAPI documents; do not edit.

/** Fields of each native type, as text that structure-table.ts reads: \`[T]\` list, \`{T}\` map, \`(a|b)\` enum, \`@keys\`, \`!\` required, \`=default\`. */
export const structureTexts = ${JSON.stringify(table)} as const;

${beforeMissing}, what it lacks of the above: \`field\`, or \`field=value\` of an enum. */
export const missing = { '1.35': ${JSON.stringify(missing)} } as const;
`;
}

function typesFile(types) {
  const parts = [
    `// Written by scripts/generate-native.mjs from Kubernetes 1.36's OpenAPI documents; do not edit.

/** A port number or name, a count or a percentage. */
export type IntOrString = number | string;

/** An amount of a resource: \`250m\`, \`1Gi\`, 2. */
export type Quantity = number | string;
`,
  ];
  for (const [name, { full, fields }] of types) {
    const lines = Object.entries(fields).map(([key, field]) => {
      const mark = field.required ? '' : '?';
      return `  readonly ${JSON.stringify(key)}${mark}: ${typescriptOf(field)}${field.required ? '' : ' | undefined'};`;
    });
    parts.push(`/** Kubernetes' ${name} (${full.replace(/^io\.k8s\.(api\.)?/, '').replace(/\.\w+$/, '')}). */
export interface ${name} {\n${lines.join('\n')}\n}\n`);
  }
  return parts.join('\n');
}

function typescriptOf(field, type = field.type) {
  const inner = () => typescriptOf(field, type.slice(1, -1));
  if (type.startsWith('[')) return `readonly (${inner()})[]`;
  if (type.startsWith('{')) return `Readonly<Record<string, ${inner()}>>`;
  if (field.enum) return field.enum.map((value) => JSON.stringify(value)).join(' | ');
  return typescript[type] ?? type;
}

function missingIn(older, types) {
  const missing = {};
  for (const [name, { fields }] of types) {
    const before = older.get(name)?.fields;
    if (!before) continue;
    const lacks = Object.entries(fields).flatMap(([key, field]) => {
      if (!before[key]) return [key];
      if (!field.enum || !before[key].enum) return [];
      return field.enum.filter((value) => !before[key].enum.includes(value)).map((value) => `${key}=${value}`);
    });
    if (lacks.length > 0) missing[name] = lacks;
  }
  return missing;
}

/** Fetches a Kubernetes version through Go and returns the folder of its documents. */
function moduleFolder(version) {
  const { Dir } = JSON.parse(
    execFileSync('go', ['mod', 'download', '-json', `k8s.io/kubernetes@${version}`], { encoding: 'utf8' }),
  );
  return path.join(Dir, 'api/openapi-spec/v3');
}

async function main() {
  const check = process.argv.includes('--check');
  const given = process.argv.slice(2).filter((argument) => argument !== '--check');
  const newestOnly = check && given.length === 1;
  const [newFolder, oldFolder] = newestOnly || given.length === 2 ? given : sources.map(moduleFolder);
  const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
  const options = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')).prettier;
  const types = collect(readSchemas(newFolder));
  const missing = newestOnly ? {} : missingIn(collect(readSchemas(oldFolder)), types);
  const files = { types: typesFile(types), structures: structuresFile(types, missing) };
  for (const [name, raw] of Object.entries(files)) {
    const file = path.join(root, `lib/api/native/${name}.generated.ts`);
    const text = await format(raw, { ...options, parser: 'typescript' });
    const compared = (whole) => (newestOnly ? whole.split(beforeMissing, 1)[0] : whole);
    if (!check) fs.writeFileSync(file, text);
    else if (!fs.existsSync(file) || compared(fs.readFileSync(file, 'utf8')) !== compared(text)) {
      console.error(`${path.relative(root, file)} differs; run scripts/generate-native.mjs`);
      process.exitCode = 1;
    }
  }
}

await main();
