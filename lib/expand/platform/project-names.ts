import { type PlatformManifest, type Problem } from '../../api';
import { claimedHosts, hostForm } from './host-names';
import { claimedRoles, roleArn, roleForm } from './iam-roles';
import { NameOwnership, type NameClaim, type NameConflict } from './name-ownership';

/** Names that belong to one project each, by the field of the Project that lists them. */
const ownedFields = {
  hosts: { form: hostForm, noun: 'host name', claimed: claimedHosts, nameOf: (host: string) => host },
  iamRoles: { form: roleForm, noun: 'IAM role', claimed: claimedRoles, nameOf: roleArn },
} as const;
type OwnedField = keyof typeof ownedFields;
const fields = Object.keys(ownedFields) as readonly OwnedField[];

/** Names of a project, as in the annotations of its Namespace. */
export type ProjectNames = Readonly<Record<OwnedField, readonly string[]>>;

/** Names that a Project claims, and its age. */
export type ProjectClaim = Omit<NameClaim, 'names'> & ProjectNames;

/** Name that a Project claims in a field, and an older Project has. */
export interface ProjectNameConflict extends NameConflict {
  readonly field: OwnedField;
}

/** Names of a Project, and those that it claims and an older one has. */
export interface OwnedProjectNames {
  readonly names: ProjectNames;
  readonly conflicts: readonly ProjectNameConflict[];
}

const byField = <T>(valueOf: (field: OwnedField) => T): Readonly<Record<OwnedField, T>> =>
  Object.fromEntries(fields.map((field) => [field, valueOf(field)])) as Record<OwnedField, T>;

/** Returns the names that a Project claims: those that it has by default, and those that it lists. */
export const claimedNames = (
  project: string,
  listed: ProjectNames,
  platform: PlatformManifest<'Platform'>,
): ProjectNames => byField((field) => ownedFields[field].claimed(project, listed[field], platform));

/** Returns the names of a Project whose claims are not compared with those of other Projects. */
export const uncontestedNames = (
  { metadata, spec }: PlatformManifest<'Project'>,
  platform: PlatformManifest<'Platform'>,
): ProjectNames => claimedNames(metadata.name, spec, platform);

/** Owners of all names of Projects: of the Projects that claim a name, the oldest has it. */
export class ProjectNameOwnership {
  readonly #owners = byField((field) => new NameOwnership(ownedFields[field].form));
  /** Results since the last change. */
  readonly #results = new Map<string, OwnedProjectNames>();

  constructor(claims: readonly ProjectClaim[] = []) {
    for (const claim of claims) this.set(claim);
  }

  /** Replaces the claims of a Project; returns the other Projects whose names this may change. */
  set({ hosts, iamRoles, ...age }: ProjectClaim): readonly string[] {
    this.#results.clear();
    const names: ProjectNames = { hosts, iamRoles };
    return distinct(fields.flatMap((field) => this.#owners[field].set({ ...age, names: names[field] })));
  }

  /** Removes the claims of a Project; returns the other Projects whose names this may change. */
  delete(project: string): readonly string[] {
    this.#results.clear();
    return distinct(fields.flatMap((field) => this.#owners[field].delete(project)));
  }

  /** Returns the names of a Project, and those that an older one has. */
  of(project: string): OwnedProjectNames {
    const known = this.#results.get(project);
    if (known) return known;
    const owned = byField((field) => this.#owners[field].of(project));
    const result = {
      names: byField((field) => owned[field].names),
      conflicts: fields.flatMap((field) => owned[field].conflicts.map((conflict) => ({ ...conflict, field }))),
    };
    this.#results.set(project, result);
    return result;
  }
}

/** Returns the problem of a name that a Project claims and an older Project has, at the entry that claims it. */
export function nameConflictProblem(
  { field, name, owner }: ProjectNameConflict,
  { spec }: PlatformManifest<'Project'>,
  platform: PlatformManifest<'Platform'>,
): Problem {
  const { form, noun, claimed, nameOf } = ownedFields[field];
  const covers = (one: string | undefined) => one === name || (one === form.patternOf(name) && !form.isPattern(name));
  const listed = spec[field].map((entry) => nameOf(entry, platform));
  const index = listed.includes(name) ? listed.indexOf(name) : listed.findIndex(covers);
  const path = ['spec', field, ...(index < 0 ? [] : [index])];
  const isGenerated = claimed(owner, [], platform).some(covers);
  return {
    code: 'duplicate',
    path,
    value: name,
    ...(isGenerated
      ? { reason: `always belongs to Project ${owner}, as a generated ${noun}`, remedy: 'use another name' }
      : {
          reason: `is ${form.what} of Project ${owner}`,
          remedy: `use another name, or remove it from spec.${field} of Project ${owner}`,
        }),
  };
}

const distinct = (names: readonly string[]): readonly string[] => [...new Set(names)];
