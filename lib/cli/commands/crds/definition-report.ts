import {
  acknowledgePruning,
  compareDefinitionSets,
  findingClasses,
  gravestClass,
  tryObject,
  unusedPruningPaths,
  withTrials,
  type DefinitionFinding,
  type FindingClass,
  type ObjectTrial,
} from '../../../definitions';
import { UsageError } from '../../command/usage-error';
import { type DefinitionSides } from './definition-sides';
import { type ScratchResult } from './scratch-trial';

/** Result of a comparison of definitions. */
export interface DefinitionReport {
  readonly title: string;
  /** The gravest class of a finding that is not acknowledged. */
  readonly verdict: FindingClass;
  /** Number of definitions that were compared. */
  readonly definitions: number;
  /** Number of stored objects that were tried; absent if none were named. */
  readonly objects?: number;
  /** Documents among the objects of which no compared definition is known. */
  readonly skipped?: number;
  readonly findings: readonly DefinitionFinding[];
}

/** Compares the definitions, and tries the stored objects by both. Throws a `UsageError` for an acknowledged path that no removed field has. */
export function definitionReport({ before, after, objects, title }: DefinitionSides, allowPruning: readonly string[], scratch: readonly ScratchResult[] = []): DefinitionReport {
  let findings = compareDefinitionSets(before, after);
  let tried = 0;
  for (const former of before) {
    const next = after.find(({ metadata }) => metadata.name === former.metadata.name);
    if (!next || !objects) continue;
    const tries = scratch.find(({ definition }) => definition === former.metadata.name);
    if (tries) findings = judgedByServer(findings, tries);
    const trials = tries?.trials ?? objects.flatMap((object): ObjectTrial | [] => tryObject(object, former, next) ?? []);
    tried += trials.length;
    const isOwn = ({ definition }: DefinitionFinding): boolean => definition === former.metadata.name;
    findings = [...findings.filter((finding) => !isOwn(finding)), ...withTrials(findings.filter(isOwn), former.metadata.name, trials)];
  }
  const [unused] = unusedPruningPaths(findings, allowPruning);
  if (unused !== undefined)
    throw new UsageError(`--allow-pruning ${unused}: no definition removes this field; correct the path, or omit it`);
  const sorted = acknowledgePruning(findings, allowPruning).sort(
    (one, other) => one.definition.localeCompare(other.definition, 'en') || findingClasses.indexOf(one.class) - findingClasses.indexOf(other.class),
  );
  return {
    title,
    verdict: gravestClass(sorted),
    definitions: after.length,
    ...(objects && { objects: tried, skipped: objects.length - tried }),
    findings: sorted,
  };
}

/** The server knows whether it refuses a definition, and what pinion cannot judge shows in the objects. */
function judgedByServer(findings: readonly DefinitionFinding[], { definition, refused }: ScratchResult): DefinitionFinding[] {
  const known = findings.filter((finding) => finding.definition !== definition || finding.class !== 'refused');
  if (refused === undefined) return known;
  const remedy = 'correct the definition';
  return [...known, { definition, path: '', class: 'refused', change: 'rejected-by-server', reason: refused, remedy }];
}

/** Meaning of a class in a report. */
export const classText: Readonly<Record<FindingClass, string>> = {
  refused: 'the API server refuses it',
  'breaks-objects': 'breaks stored objects',
  'breaks-writes': 'breaks later writes',
  'breaks-clients': 'breaks clients',
  'changes-meaning': 'changes the meaning',
  unknown: 'not known to be safe',
  safe: 'safe',
};

/** Returns the findings to show: safe ones only if all are wanted. */
export const shownFindings = ({ findings }: DefinitionReport, all: boolean): readonly DefinitionFinding[] =>
  findings.filter((finding) => all || finding.class !== 'safe');

/** Returns the last line of a report. */
export function reportSummary({ verdict, definitions, objects, skipped, findings }: DefinitionReport): string {
  const counts = findingClasses.flatMap((one) => {
    const count = findings.filter((finding) => finding.class === one && finding.acknowledged !== true).length;
    return count === 0 ? [] : [`${count} ${one}`];
  });
  const acknowledged = findings.filter((finding) => finding.acknowledged === true).length;
  const parts = [
    `${definitions} ${definitions === 1 ? 'definition' : 'definitions'}`,
    objects === undefined ? 'no objects given' : `${objects} ${objects === 1 ? 'object' : 'objects'} tried`,
    ...(skipped === undefined || skipped === 0 ? [] : [`${skipped} documents of other kinds skipped`]),
    ...counts,
    ...(acknowledged === 0 ? [] : [`${acknowledged} acknowledged`]),
  ];
  return `${parts.join(', ')}; verdict: ${classText[verdict]}`;
}
