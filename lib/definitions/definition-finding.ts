/** Classes of findings, the gravest first. What a later class means applies to earlier ones, too. */
export const findingClasses = [
  'refused',
  'breaks-objects',
  'breaks-writes',
  'breaks-clients',
  'changes-meaning',
  'unknown',
  'safe',
] as const;

/**
 * What a change of a definition does.
 *
 * `refused`: the API server rejects the definition. `breaks-objects`: stored objects cannot be read, or lose fields.
 * `breaks-writes`: a later write of a stored object may be rejected. `breaks-clients`: requests or programs that work
 * today fail. `changes-meaning`: objects mean something else without a write. `unknown`: pinion cannot judge it.
 */
export type FindingClass = (typeof findingClasses)[number];

/** A change between two versions of a definition, and what it does. */
export interface DefinitionFinding {
  /** Name of the definition. */
  readonly definition: string;
  /** Version of the definition; absent if the change is about all of them. */
  readonly version?: string;
  /** Path of the field in objects, such as `spec.ports[].name`, or of the definition, such as `spec.scope`. */
  readonly path: string;
  readonly class: FindingClass;
  /** Name of the change, in kebab-case. */
  readonly change: string;
  readonly reason: string;
  readonly remedy: string;
  /** Stored objects that it affects, as `Kind namespace/name`; absent if no objects were given. */
  readonly objects?: readonly string[];
  /** Whether the caller has acknowledged it, so that it does not count. @default false */
  readonly acknowledged?: boolean;
}

/** Returns the gravest class of findings that are not acknowledged; safe if there is none. */
export function gravestClass(findings: readonly DefinitionFinding[]): FindingClass {
  const open = new Set(findings.filter(({ acknowledged }) => acknowledged !== true).map((finding) => finding.class));
  return findingClasses.find((one) => open.has(one)) ?? 'safe';
}

/** Returns whether a class breaks the server's acceptance, objects, writes or clients. */
export const isBreaking = (one: FindingClass): boolean =>
  findingClasses.indexOf(one) <= findingClasses.indexOf('breaks-clients');

/** Returns findings with those acknowledged that remove a field at, or below, one of the paths. */
export function acknowledgePruning(
  findings: readonly DefinitionFinding[],
  paths: readonly string[],
): DefinitionFinding[] {
  return findings.map((finding) => {
    const isNamed = paths.some(
      (path) => finding.path === path || finding.path.startsWith(`${path}.`) || finding.path.startsWith(`${path}[`),
    );
    return finding.class === 'breaks-objects' && prunes(finding) && isNamed
      ? { ...finding, acknowledged: true }
      : finding;
  });
}

const pruningChanges = ['field-removed', 'unknown-fields-pruned', 'type-changed-prunes', 'stored-fields-lost'];

const prunes = ({ change }: DefinitionFinding): boolean => pruningChanges.includes(change);
