/** Hashes of the inputs of an expansion and of its pod templates. */
export interface ExpansionHashes {
  readonly inputs: string;
  readonly podTemplates: string;
  /** PlatformRevision that it follows. @default - the Platform has none */
  readonly revision?: string | undefined;
  /** Revision of its Project that it follows. @default - the Project has had no other */
  readonly projectRevision?: string | undefined;
}

/** Object that may have the record of the expansion that it was applied from. */
export interface RecordedObject {
  /** @default - unknown */
  readonly kind?: string | undefined;
  /** @default - unknown */
  readonly name?: string | undefined;
  /** Value of the annotation `pinterest.com/expansion`. @default - it has none */
  readonly expansion?: string | undefined;
}

const separator = '/';

/** Returns the annotation of an object with the record of its expansion. */
export function expansionAnnotation({ inputs, podTemplates, revision, projectRevision }: ExpansionHashes): string {
  const revisions = projectRevision === undefined ? [revision] : [revision ?? '', projectRevision];
  return [inputs, podTemplates, ...revisions.filter((one) => one !== undefined)].join(separator);
}

/** Returns the records on the objects of a workload, which older writes may have left different. */
export const recordsOnObjects = (owned: readonly RecordedObject[]): readonly ExpansionHashes[] =>
  owned.flatMap(({ expansion = '' }) => {
    const [inputs, podTemplates] = expansion.split(separator);
    return inputs && podTemplates ? [{ inputs, podTemplates }] : [];
  });

/** What a workload follows a revision of. */
export type RevisionSubject = 'Platform' | 'Project';

const places = { Platform: 2, Project: 3 } as const satisfies Record<RevisionSubject, number>;

/** Returns the revisions of a subject in the records on the objects of a workload. */
export const revisionsOnObjects = (
  owned: readonly RecordedObject[],
  subject: RevisionSubject = 'Platform',
): readonly string[] => owned.flatMap(({ expansion = '' }) => expansion.split(separator)[places[subject]] || []);
