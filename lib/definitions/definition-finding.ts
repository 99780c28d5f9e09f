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

/**
 * Returns findings with those acknowledged that remove a field at, or below, one of the paths. A path counts for all definitions,
 * or for one, as in `services.example.com:spec.legacy`.
 */
export function acknowledgePruning(
  findings: readonly DefinitionFinding[],
  paths: readonly string[],
): DefinitionFinding[] {
  return findings.map((finding) =>
    paths.some((path) => isAcknowledged(finding, path)) ? { ...finding, acknowledged: true, remedy: 'none' } : finding,
  );
}

/** Returns the acknowledged paths at which no finding removes a field. */
export const unusedPruningPaths = (
  findings: readonly DefinitionFinding[],
  paths: readonly string[],
): readonly string[] => paths.filter((path) => !findings.some((finding) => isAcknowledged(finding, path)));

const pruningChanges = ['field-removed', 'unknown-fields-pruned', 'type-changed-prunes', 'stored-fields-lost'];

function isAcknowledged({ definition, path, class: one, change }: DefinitionFinding, given: string): boolean {
  if (one !== 'breaks-objects' || !pruningChanges.includes(change)) return false;
  const scope = `${definition}:`;
  const named = given.startsWith(scope) ? given.slice(scope.length) : given;
  return path === named || path.startsWith(`${named}.`) || path.startsWith(`${named}[`);
}
