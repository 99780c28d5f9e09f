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

/** Inputs of a publication. */
export interface Build {
  /** Default of properties of the type `version`. */
  readonly version?: string | undefined;
  /** Full commit hash; default of properties of the type `commit`. */
  readonly commit?: string | undefined;
  /** Property values from the command line. */
  readonly given: Readonly<Record<string, string>>;
  /** Whether properties may have no value yet. @default false */
  readonly isPartial?: boolean;
}

type Values = Readonly<Record<string, PropertyValue>>;

/** Computes the values of all properties for each stage, and reports problems. */
export function buildProperties(
  { metadata, spec }: Workflow,
  build: Build,
): { readonly stages: readonly Values[]; readonly problems: readonly Problem[] } {
  const object = `Workflow ${metadata.namespace}/${metadata.name}`;
  const problems: Problem[] = [];
  const names = Object.keys(spec.properties);
  const sharedValues = new Map<string, PropertyValue>();
  for (const [name, text] of Object.entries(build.given)) {
    const path = ['spec', 'properties', name];
    const declared = Object.hasOwn(spec.properties, name) ? spec.properties[name] : undefined;
    const value = declared && parseProperty(declared.type, text);
    if (value !== undefined) sharedValues.set(name, value);
    else problems.push(declared ? notOfType(declared.type, text, path) : unknownProperty(name, path, names));
  }
  const builtIn: { readonly [T in PropertyType]?: string | undefined } = {
    commit: build.commit,
    version: build.version,
  };
  for (const [name, { type, default: value }] of Object.entries(spec.properties)) {
    if (Object.hasOwn(build.given, name)) continue;
    const found = builtIn[type] ?? value;
    if (found !== undefined) sharedValues.set(name, readProperty(type, found) ?? found);
    else if (!build.isPartial && spec.stages.some(({ properties }) => !hasOwn(properties, name)))
      problems.push(missing(name, type));
  }
  const known = Object.fromEntries(sharedValues);
  const stages = spec.stages.map(({ properties = {} }) => ({ ...known, ...normalized(properties, spec.properties) }));
  return {
    stages,
    problems: [...problems, ...unpinnedImages(stages, spec.properties)].map((problem) => ({ ...problem, object })),
  };
}

const normalized = (values: Values, properties: Workflow['spec']['properties']): Values =>
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
  remedy: `pass ${name}=<${type}> when publishing, or set a default`,
});

/** Warns about images without a digest. */
function unpinnedImages(stages: readonly Values[], properties: Workflow['spec']['properties']): Problem[] {
  return Object.entries(properties).flatMap(([name, { type }]): Problem[] => {
    const value = type === 'image' ? stages.map((stage) => stage[name]).find(isTagged) : undefined;
    if (value === undefined) return [];
    const [reason, remedy] = ['is a tag, which can move to another image', 'add the digest: image:tag@sha256:…'];
    return [{ code: 'bad-format', path: ['spec', 'properties', name], value, reason, remedy, severity: 'warning' }];
  });
}

const isTagged = (value: PropertyValue | undefined): boolean => typeof value === 'string' && !value.includes('@');
