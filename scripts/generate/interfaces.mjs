// Generates TypeScript interfaces of the spec in a manifest, one for each kind and one for each nested object.

/**
 * Interface names by field or `<parent>.<field>`, for fields whose own name does not suit; plural fields also have a
 * docstring.
 */
const betterNames = {
  'Host.paths': ['HostPath', 'A folder or file of the node.'],
  'LoadBalancer.paths': ['HttpPath', 'A path routed to the workload.'],
  'ProjectSpec.members': ['ProjectMember', 'A member of a project.'],
  'Secrets.env': ['SecretVariable', 'An environment variable from a key of a secret.'],
  'Secrets.files': ['SecretFolder', 'A secret mounted as a folder.'],
  accelerators: ['Accelerators'],
  volumeClaimTemplates: ['ClaimTemplate', 'A volume claim created for each member.'],
  configTemplates: ['ConfigTemplate', 'A ConfigMap created for each shard.'],
  custom: ['CustomTarget', 'A metric beyond CPU and memory.'],
  external: ['IngressSettings', 'Ingress of one exposure.'],
  failurePolicy: ['ShardFailurePolicy'],
  from: ['Peer', 'A source or destination of network traffic.'],
  internal: ['IngressSettings', 'Ingress of one exposure.'],
  links: ['Links'],
  metrics: ['Metrics'],
  mounts: ['Mount', 'A volume of the pod that is also mounted into a part.'],
  operations: ['PatchOperation', 'An operation of a JSON Patch (RFC 6902).'],
  overrides: ['ShardOverride', 'Overrides for some shards.'],
  parts: ['RuntimePart', 'A part of a runtime profile.'],
  patches: ['Patch', 'A patch of generated objects.'],
  pools: ['Pool', 'A group of nodes that workloads can select.'],
  ports: ['Port', 'A port for clients, and its target.'],
  resources: ['Resources', 'CPU and memory of a container.'],
  roles: ['TrainingRole', 'Members of one role.'],
  scheduled: ['ScheduledTarget', 'A time window with a minimum number of pods.'],
  secrets: ['Secrets'],
  settings: ['Setting', 'A setting of a part.'],
  sidecars: ['SidecarChoice', 'Settings of one part of the runtime profile.'],
  successPolicy: ['ShardSuccessPolicy'],
  tiers: ['Tier', 'A priority tier.'],
  to: ['Peer', 'A source or destination of network traffic.'],
};

/** Names with another meaning in TypeScript or in this library. */
const reservedNames = new Set(
  'Date Duration Error Map Metadata Node Object Omit Platform Process Project Quantity Record Rule Set'.split(' '),
);

/** Types of pinion's own leaves in TypeScript; the others are named like the native type. */
const leafTypes = {
  ApiAccess: "'None' | 'Gateway' | 'Direct' | boolean",
  CountOrPercent: 'number | string',
  CronSchedule: 'string',
  Duration: 'string',
  PinterestDaemonSpec: 'Readonly<Record<string, unknown>>',
  PodTemplate: 'PodTemplateInput',
  TimeZone: 'string',
  any: 'unknown',
  object: 'Readonly<Record<string, unknown>>',
};

/** Returns the text of the file; `kinds` are name, sentence and schema of each. */
export function interfacesText(kinds, isTypeName) {
  const objects = new Map();
  for (const { kind, sentence, shape } of kinds) {
    const root = { name: `${kind}Spec`, prefix: kind.replace('Pinterest', ''), sentence, shape };
    objects.set(fingerprint(shape), root);
    for (const field of shape.fields) collect(field, field.shape, false, root, kind, objects);
  }
  nameAll([...objects.values()], isTypeName);
  const natives = new Set();
  const bodies = [...objects.values()].map((object) => interfaceText(object, objects, natives));
  const imported = [...natives].sort();
  return [
    '// Written by scripts/generate.mjs from the schemas; do not edit.',
    `import { type ${imported.join(', type ')} } from './native';`,
    "import { type PodTemplateInput } from './fields/pod-template';",
    '',
    ...bodies,
    `/** Input of \`spec\` by kind. */\nexport interface SpecInputs {\n${kinds.map(({ kind }) => `  ${kind}: ${kind}Spec;\n`).join('')}}\n`,
  ].join('\n');
}

/** Collects the objects below a field; equal objects share one interface. */
function collect(field, shape, many, parent, kind, objects) {
  if (shape.kind === 'list') return collect(field, shape.items, true, parent, kind, objects);
  if (shape.kind === 'map') return collect(field, shape.values, true, parent, kind, objects);
  if (shape.kind !== 'object') return;
  const key = fingerprint(shape);
  const plain = pascal(many ? singular(field.name) : field.name);
  const better = betterNames[`${parent.base ?? parent.name}.${field.name}`] ?? betterNames[field.name] ?? [];
  const [base = plain, sentence = field.description] = better;
  const object = objects.get(key) ?? { base, parent, sentence, shape, kinds: new Set() };
  object.kinds.add(kind);
  objects.set(key, object);
  for (const inner of shape.fields) collect(inner, inner.shape, false, object, kind, objects);
}

/**
 * Resolves name conflicts: the object that most kinds use keeps the name; the others are prefixed with the name of their
 * parent.
 */
function nameAll(objects, isTypeName) {
  const claims = groupByBase(objects);
  const used = new Set();
  for (const object of objects) {
    if (object.name === undefined) {
      const { base, parent } = object;
      const free = !isTypeName(base) && !reservedNames.has(base) && isFirst(object, claims.get(base));
      object.name = free ? base : `${parent.prefix ?? parent.name}${base}`;
    }
    if (used.has(object.name)) throw new Error(`two objects would be named ${object.name}; name one in betterNames`);
    used.add(object.name);
  }
}

const isFirst = (object, rivals) =>
  rivals.every((rival) => rival === object || rival.kinds.size < object.kinds.size) || rivals.length === 1;

function groupByBase(objects) {
  const groups = new Map();
  for (const object of objects) groups.set(object.base, [...(groups.get(object.base) ?? []), object]);
  return groups;
}

function interfaceText(object, objects, natives) {
  const fields = object.shape.fields.map((field) => {
    const preset = 'default' in field ? JSON.stringify(field.default) : undefined;
    const type = typeText(field.shape, objects, natives);
    const optional = field.required ? `: ${type}` : type === 'unknown' ? '?: unknown' : `?: ${type} | undefined`;
    return `${comment(field.description, preset)}readonly ${field.name}${optional};`;
  });
  return `${comment(object.sentence)}export interface ${object.name} {\n${fields.join('\n')}\n}\n`;
}

const comment = (sentence, preset) =>
  preset === undefined || preset === '{}'
    ? `/** ${sentence} */\n`
    : `/**\n * ${sentence}\n *\n * @default ${preset}\n */\n`;

function typeText(shape, objects, natives) {
  switch (shape.kind) {
    case 'object':
      return objects.get(fingerprint(shape)).name;
    case 'list':
      return `readonly ${grouped(typeText(shape.items, objects, natives))}[]`;
    case 'map':
      return `Readonly<Record<string, ${typeText(shape.values, objects, natives)}>>`;
    case 'text':
      return 'string';
    case 'integer':
      return 'number';
    case 'enum':
      return shape.values.map((value) => `'${value}'`).join(' | ');
    case 'either':
      return shape.options.map((option) => typeText(option, objects, natives)).join(' | ');
    case 'leaf':
      return leafType(shape.typeName, natives);
    default:
      return shape.kind;
  }
}

function leafType(name, natives) {
  const known = leafTypes[name];
  if (known) return known;
  const one = name.replace('[]', '');
  natives.add(one);
  return one === name ? one : `readonly ${one}[]`;
}

const grouped = (type) => (type.includes(' | ') ? `(${type})` : type);
const pascal = (name) => name[0].toUpperCase() + name.slice(1);
const singular = (name) => name.replace(/ies$/, 'y').replace(/([^s])s$/, '$1');

const fingerprints = new WeakMap();
function fingerprint(shape) {
  let text = fingerprints.get(shape);
  if (text === undefined) {
    text = JSON.stringify(shape, (key, value) => (key === 'rules' ? undefined : value));
    fingerprints.set(shape, text);
  }
  return text;
}
