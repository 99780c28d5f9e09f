import {
  notOfType,
  parseProperty,
  readProperty,
  unknownProperty,
  type Problem,
  type PropertyType,
  type PropertyValue,
  type Workflow,
} from '../api';

/** What is known when something is published. */
export interface Build {
  readonly version: string;
  /** Whole hash; what properties of the type `commit` are where nothing else is said. */
  readonly commit?: string | undefined;
  /** Values by name, as a command line gives them. */
  readonly given: Readonly<Record<string, string>>;
}

type Values = Readonly<Record<string, PropertyValue>>;

/** Values of all properties, one map per stage in their order, and what is wrong with them. */
export function buildProperties(
  { metadata, spec }: Workflow,
  build: Build,
): { readonly stages: readonly Values[]; readonly problems: readonly Problem[] } {
  const object = `Workflow ${metadata.namespace}/${metadata.name}`;
  const problems: Problem[] = [];
  const names = Object.keys(spec.properties);
  const everywhere = new Map<string, PropertyValue>();
  for (const [name, text] of Object.entries(build.given)) {
    const path = ['spec', 'properties', name];
    const declared = Object.hasOwn(spec.properties, name) ? spec.properties[name] : undefined;
    const value = declared && parseProperty(declared.type, text);
    if (value !== undefined) everywhere.set(name, value);
    else problems.push(declared ? notOfType(declared.type, text, path) : unknownProperty(name, path, names));
  }
  const standard: { readonly [T in PropertyType]?: string | undefined } = {
    commit: build.commit,
    version: build.version,
  };
  for (const [name, { type, default: value }] of Object.entries(spec.properties)) {
    if (Object.hasOwn(build.given, name)) continue;
    const found = standard[type] ?? value;
    if (found !== undefined) everywhere.set(name, readProperty(type, found) ?? found);
    else if (spec.stages.some(({ properties }) => !hasOwn(properties, name))) problems.push(missing(name, type));
  }
  const known = Object.fromEntries(everywhere);
  const stages = spec.stages.map(({ properties = {} }) => ({ ...known, ...inOneForm(properties, spec.properties) }));
  return {
    stages,
    problems: [...problems, ...movable(stages, spec.properties)].map((one) => ({ ...one, object })),
  };
}

const inOneForm = (values: Values, properties: Workflow['spec']['properties']): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      readProperty(properties[name]?.type ?? 'text', value) ?? value,
    ]),
  );

const hasOwn = (map: object | undefined, key: string): boolean => map !== undefined && Object.hasOwn(map, key);

const missing = (name: string, type: PropertyType): Problem => ({
  code: 'required',
  path: ['spec', 'properties', name],
  reason: 'has no value',
  remedy: `give ${name}=<${type}> when publishing, or a default`,
});

/** Images that somebody could exchange after they were published. */
function movable(stages: readonly Values[], properties: Workflow['spec']['properties']): Problem[] {
  return Object.entries(properties).flatMap(([name, { type }]): Problem[] => {
    const value = type === 'image' ? stages.map((stage) => stage[name]).find(isTagged) : undefined;
    if (value === undefined) return [];
    const [reason, remedy] = [
      'is a tag, which can be moved to another image',
      'name the digest too: image:tag@sha256:…',
    ];
    return [{ code: 'bad-format', path: ['spec', 'properties', name], value, reason, remedy, severity: 'warning' }];
  });
}

const isTagged = (value: PropertyValue | undefined): boolean => typeof value === 'string' && !value.includes('@');
