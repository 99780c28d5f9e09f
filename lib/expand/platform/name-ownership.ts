/** A sort of names that belong to projects, and the patterns that cover them. */
export interface OwnedNameForm {
  /** Noun of a name, with its article. */
  readonly what: string;
  /** The only spelling of names and patterns that a workload may use. */
  readonly spelling: RegExp;
  readonly isPattern: (name: string) => boolean;
  /** Returns the only pattern that can cover a name; an empty string if none can. */
  readonly patternOf: (name: string) => string;
}

/** Names that a Project claims: exact names, and patterns. */
export interface NameClaim {
  readonly project: string;
  readonly names: readonly string[];
  /** Creation time of the Project; claims without one are ordered by `uid` and `project`. */
  readonly created?: string;
  readonly uid?: string;
}

/** Name that a Project claims and an older Project has. */
export interface NameConflict {
  readonly name: string;
  /** The older Project. */
  readonly owner: string;
}

/** Names of a Project: exact ones and patterns, and after them the names that a pattern covers and an older Project has, as `!name`. */
export interface OwnedNames {
  readonly names: readonly string[];
  readonly conflicts: readonly NameConflict[];
}

/** Returns whether a name or pattern is among the names of a Project. */
export function ownsName(
  names: readonly string[],
  name: string,
  { spelling, isPattern, patternOf }: OwnedNameForm,
): boolean {
  if (!spelling.test(name)) return false;
  if (isPattern(name))
    // A pattern would also include the names that another project has.
    return names.includes(name) && !names.some((one) => one.startsWith('!') && patternOf(one.slice(1)) === name);
  return names.includes(name) || (names.includes(patternOf(name)) && !names.includes(`!${name}`));
}

/**
 * Owners of names: a name belongs to the oldest Project that claims it, then to the one with the lower UID.
 *
 * Names are compared as text, because manifests and the API server accept one spelling of a name only.
 */
export class NameOwnership {
  readonly #form: OwnedNameForm;
  readonly #claims = new Map<string, NameClaim>();
  readonly #claimants = new Map<string, Set<string>>();
  /** Claimed exact names by the pattern that covers them. */
  readonly #covered = new Map<string, Set<string>>();

  constructor(form: OwnedNameForm, claims: readonly NameClaim[] = []) {
    this.#form = form;
    for (const claim of claims) this.set(claim);
  }

  /** Replaces the claim of a Project; returns the other Projects whose names this may change. */
  set(claim: NameClaim): readonly string[] {
    const { isPattern, patternOf } = this.#form;
    const affected = new Set(this.delete(claim.project));
    this.#claims.set(claim.project, claim);
    for (const name of claim.names) {
      addTo(this.#claimants, name, claim.project);
      if (!isPattern(name)) addTo(this.#covered, patternOf(name), name);
    }
    for (const rival of this.#rivalsOf(claim)) affected.add(rival.project);
    return [...affected];
  }

  /** Removes the claim of a Project; returns the other Projects whose names this may change. */
  delete(project: string): readonly string[] {
    const { isPattern, patternOf } = this.#form;
    const claim = this.#claims.get(project);
    if (!claim) return [];
    const affected = new Set(this.#rivalsOf(claim).map((rival) => rival.project));
    this.#claims.delete(project);
    for (const name of claim.names) {
      removeFrom(this.#claimants, name, project);
      if (!isPattern(name) && !this.#claimants.has(name)) removeFrom(this.#covered, patternOf(name), name);
    }
    return [...affected];
  }

  /** Returns the names of a Project, and those that an older one has. */
  of(project: string): OwnedNames {
    const { isPattern, patternOf } = this.#form;
    const claim = this.#claims.get(project);
    if (!claim) return { names: [], conflicts: [] };
    const owned: string[] = [];
    const conflicts = new Map<string, string>();
    const lose = (name: string): boolean => {
      const owner = this.#ownerBefore(claim, name);
      if (owner !== undefined) conflicts.set(name, owner);
      return owner !== undefined;
    };
    for (const name of claim.names) {
      if (lose(name)) continue;
      owned.push(name);
      for (const covered of this.#covered.get(name) ?? []) lose(covered);
    }
    const lost = [...conflicts.keys()].filter((name) => !isPattern(name) && owned.includes(patternOf(name))).sort();
    return {
      names: [...owned, ...lost.map((name) => `!${name}`)],
      conflicts: [...conflicts].map(([name, owner]) => ({ name, owner })),
    };
  }

  /** Returns the oldest other Project that is older than a claim and claims a name, or the whole of a pattern. */
  #ownerBefore(claim: NameClaim, name: string): string | undefined {
    const { isPattern, patternOf } = this.#form;
    return this.#claimsOf(isPattern(name) ? [name] : [name, patternOf(name)])
      .filter((other) => compareAge(other, claim) < 0)
      .sort(compareAge)[0]?.project;
  }

  /** Returns the other claims with a name in common. */
  #rivalsOf(claim: NameClaim): readonly NameClaim[] {
    const { isPattern, patternOf } = this.#form;
    const names = claim.names.flatMap((name) =>
      isPattern(name) ? [name, ...(this.#covered.get(name) ?? [])] : [name, patternOf(name)],
    );
    return this.#claimsOf(names).filter(({ project }) => project !== claim.project);
  }

  #claimsOf(names: readonly string[]): NameClaim[] {
    const projects = new Set(names.flatMap((name) => [...(this.#claimants.get(name) ?? [])]));
    return [...projects].flatMap((project) => this.#claims.get(project) ?? []);
  }
}

/** Orders claims by age, the oldest first; two claims are never equal. */
function compareAge(a: NameClaim, b: NameClaim): number {
  const keys = ({ created = '', uid = '', project }: NameClaim) => [created, uid, project];
  const [first, second] = [keys(a), keys(b)];
  const index = first.findIndex((key, at) => key !== second[at]);
  if (index < 0) return 0;
  return (first[index] as string) < (second[index] as string) ? -1 : 1;
}

function addTo(map: Map<string, Set<string>>, key: string, value: string): void {
  const values = map.get(key);
  if (values) values.add(value);
  else map.set(key, new Set([value]));
}

function removeFrom(map: Map<string, Set<string>>, key: string, value: string): void {
  const values = map.get(key);
  values?.delete(value);
  if (values?.size === 0) map.delete(key);
}
