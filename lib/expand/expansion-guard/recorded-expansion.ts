/** Hashes of the inputs of an expansion and of its pod templates. */
export interface ExpansionHashes {
  readonly inputs: string;
  readonly podTemplates: string;
}

/** Object that may have the record of the expansion that it was applied from. */
export interface RecordedObject {
  /** Value of the annotation `pinterest.com/expansion`. @default - it has none */
  readonly expansion?: string | undefined;
}

const separator = '/';

/** Returns the annotation of an object with the record of its expansion. */
export const expansionAnnotation = ({ inputs, podTemplates }: ExpansionHashes): string =>
  `${inputs}${separator}${podTemplates}`;

/** Returns the records on the objects of a workload, which older writes may have left different. */
export const recordsOnObjects = (owned: readonly RecordedObject[]): readonly ExpansionHashes[] =>
  owned.flatMap(({ expansion = '' }) => {
    const [inputs, podTemplates] = expansion.split(separator);
    return inputs && podTemplates ? [{ inputs, podTemplates }] : [];
  });
