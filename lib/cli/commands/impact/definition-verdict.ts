import { group } from '../../../api';
import { type SnapshotObject } from '../../../impact';
import {
  acknowledgePruning,
  asDefinition,
  compareDefinitionSets,
  gravestClass,
  isObjectOf,
  unusedPruningPaths,
  type CustomResourceDefinition,
  type StoredObject,
} from '../../../definitions';
import { UsageError } from '../../command/usage-error';
import { definitionReport, type DefinitionReport } from '../crds/definition-report';

/** Definitions before and after a change. */
export interface ComparedDefinitions {
  readonly before: readonly CustomResourceDefinition[];
  readonly after: readonly CustomResourceDefinition[];
  /** What is compared with what. */
  readonly title: string;
  /** Stored objects to try. @default - not known */
  readonly objects?: readonly SnapshotObject[];
}

/** Returns what `pinion crds check` finds: objects are only tried by definitions of which a change is not known to be safe. */
export function definitionVerdict(
  { before, after, title, objects }: ComparedDefinitions,
  allowPruning: readonly string[],
): DefinitionReport {
  const unsafe = new Set(
    compareDefinitionSets(before, after).flatMap((one) => (one.class === 'safe' ? [] : one.definition)),
  );
  const changed = before.filter(({ metadata }) => unsafe.has(metadata.name));
  const tried = objects?.map(asStored).filter((object) => changed.some((definition) => isObjectOf(object, definition)));
  const { findings: found, ...report } = definitionReport({ before, after, objects: tried, title }, []);
  const findings = acknowledgePruning(found, allowPruning);
  return { ...report, findings, verdict: gravestClass(findings) };
}

/** A snapshot has only some fields of the status. */
const asStored = ({ status: _, ...object }: SnapshotObject): StoredObject => object;

/** Throws a `UsageError` for an acknowledged path that no compared definition removes. */
export function refuseUnusedPruning(
  reports: readonly (DefinitionReport | undefined)[],
  allowPruning: readonly string[],
): void {
  const findings = reports.flatMap((report) => report?.findings ?? []);
  const [unused] = unusedPruningPaths(findings, allowPruning);
  if (unused !== undefined)
    throw new UsageError(`--allow-pruning ${unused}: no definition removes this field; correct the path, or omit it`);
}

/** Returns the definitions of pinion's kinds among documents. */
export const pinionDefinitionsOf = (documents: readonly unknown[]): readonly CustomResourceDefinition[] =>
  documents.flatMap((document) => {
    const definition = asDefinition(document);
    return definition?.spec.group === group ? [definition] : [];
  });
