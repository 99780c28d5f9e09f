/** Hashes of the inputs of an expansion and of its pod templates. */
export interface ExpansionHashes {
  readonly inputs: string;
  readonly podTemplates: string;
  /** PlatformRevision that it follows. @default - the Platform has none */
  readonly revision?: string | undefined;
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
export const expansionAnnotation = ({ inputs, podTemplates, revision }: ExpansionHashes): string =>
  [inputs, podTemplates, ...(revision === undefined ? [] : [revision])].join(separator);

/** Returns the records on the objects of a workload, which older writes may have left different. */
export const recordsOnObjects = (owned: readonly RecordedObject[]): readonly ExpansionHashes[] =>
  owned.flatMap(({ expansion = '' }) => {
    const [inputs, podTemplates] = expansion.split(separator);
    return inputs && podTemplates ? [{ inputs, podTemplates }] : [];
  });

/** Returns the PlatformRevisions in the records on the objects of a workload. */
export const revisionsOnObjects = (owned: readonly RecordedObject[]): readonly string[] =>
  owned.flatMap(({ expansion = '' }) => expansion.split(separator)[2] ?? []);
