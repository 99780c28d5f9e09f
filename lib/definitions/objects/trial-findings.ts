import { findingClasses, type DefinitionFinding } from '../definition-finding';
import { type ObjectTrial } from './try-object';

/** Objects that a finding names; its reason says how many there are. */
const maxNamed = 20;

/** A part of a trial that a finding may be about. */
interface Effect {
  readonly class: 'breaks-objects' | 'breaks-writes' | 'changes-meaning' | 'unknown';
  readonly version: string;
  readonly path: string;
  readonly change: string;
  readonly text: string;
  readonly object: string;
}

/**
 * Returns findings with the objects that each affects, and findings for effects that no change explains.
 *
 * A finding that breaks none of the objects only limits later values, so that it counts as a change of the meaning.
 */
export function withTrials(
  findings: readonly DefinitionFinding[],
  definition: string,
  trials: readonly ObjectTrial[],
): DefinitionFinding[] {
  const explained = new Map<DefinitionFinding | undefined, Effect[]>();
  for (const effect of trials.flatMap(effectsOf)) {
    const cause = causeOf(effect, findings);
    explained.set(cause, [...(explained.get(cause) ?? []), effect]);
  }
  const judged = findings.map((finding) => judge(finding, explained.get(finding) ?? [], trials));
  return [...judged, ...unexplained(explained.get(undefined) ?? [], definition, trials.length)];
}

function judge(
  finding: DefinitionFinding,
  effects: readonly Effect[],
  trials: readonly ObjectTrial[],
): DefinitionFinding {
  const objects = [...new Set(effects.map(({ object }) => object))];
  const isJudged = finding.class === 'breaks-objects' || finding.class === 'breaks-writes';
  if (objects.length > 0)
    return named(isJudged ? { ...finding, class: gravest(effects) } : finding, objects, trials.length);
  const tried = trials.filter(({ version }) => finding.version === undefined || version === finding.version).length;
  if (!isJudged || tried === 0 || unjudgedChanges.includes(finding.change)) return finding;
  const reason = `${finding.reason}; none of ${tried} stored objects is affected`;
  return { ...finding, class: 'changes-meaning', reason, objects: [] };
}

/** Changes whose effects a trial of single objects does not show. */
const unjudgedChanges = ['definition-removed', 'conversion-removed'];

const named = (finding: DefinitionFinding, objects: readonly string[], total: number): DefinitionFinding => ({
  ...finding,
  reason: `${finding.reason}; affects ${objects.length} of ${total} stored objects`,
  objects: objects.slice(0, maxNamed),
});

const gravest = (effects: readonly Effect[]): DefinitionFinding['class'] =>
  findingClasses.find((one) => effects.some((effect) => effect.class === one)) ?? 'changes-meaning';

function effectsOf({ object, version, lost, changed, rejected, unknown }: ObjectTrial): Effect[] {
  const base = { object, version };
  return [
    ...lost.map((path): Effect => ({
      ...base,
      class: 'breaks-objects',
      path,
      change: 'stored-fields-lost',
      text: 'is no longer read',
    })),
    ...changed.map((path): Effect => ({
      ...base,
      class: 'changes-meaning',
      path,
      change: 'stored-value-changed',
      text: 'is read with another value',
    })),
    ...rejected.map(({ step, field, path, reason }): Effect => {
      const write =
        step === 'update'
          ? 'a write that changes nothing'
          : step === 'status'
            ? 'a write of the status'
            : step === 'scale'
              ? 'scaling'
              : `a change of ${field}`;
      return {
        ...base,
        class: 'breaks-writes',
        path,
        change: 'write-rejected',
        text: `${write} is rejected: ${reason}`,
      };
    }),
    ...unknown.map((text): Effect => ({
      ...base,
      class: 'unknown',
      path: text.slice(0, text.indexOf(': ')),
      change: 'not-evaluated',
      text,
    })),
  ];
}

/** Returns the finding that explains an effect: of those at or above its path, the nearest. */
function causeOf(effect: Effect, findings: readonly DefinitionFinding[]): DefinitionFinding | undefined {
  const [nearest] = findings
    .filter((finding) => explains(finding, effect))
    .sort((one, other) => other.path.length - one.path.length);
  return nearest;
}

/** Classes of findings that can have an effect of a class. */
const causingClasses: Readonly<Record<Effect['class'], readonly DefinitionFinding['class'][]>> = {
  'breaks-objects': ['breaks-objects'],
  'breaks-writes': ['breaks-writes', 'breaks-objects'],
  'changes-meaning': ['changes-meaning', 'breaks-objects'],
  unknown: [],
};

const explains = ({ path, version, class: one }: DefinitionFinding, effect: Effect): boolean =>
  causingClasses[effect.class].includes(one) &&
  (version === undefined || version === effect.version) &&
  pathPattern(path).test(effect.path);

/** Matches the paths of values at or below a path of a schema: `[]` any index, `*` any field. */
function pathPattern(path: string): RegExp {
  const text = path
    .replace(/[.+?^${}()|\\]/g, '\\$&')
    .replace(/\*/g, '[^.]+')
    .replace(/\[\]/g, '\\[\\d+\\]');
  return new RegExp(path === '' ? '^' : `^${text}(?=$|[.[])`);
}

/** Effects whose cause is another change, such as a stored version: one finding for each path and kind of effect. */
function unexplained(effects: readonly Effect[], definition: string, total: number): DefinitionFinding[] {
  const groups = new Map<string, Effect[]>();
  for (const effect of effects) {
    const path = effect.path.replace(/\[\d+\]/g, '[]');
    const key = `${effect.class} ${effect.version} ${path} ${effect.change}`;
    groups.set(key, [...(groups.get(key) ?? []), effect]);
  }
  return [...groups.values()].map((group) => {
    const [{ class: one, version, path, change, text }] = group as [Effect, ...Effect[]];
    const objects = [...new Set(group.map(({ object }) => object))];
    const base = { definition, version, path: path.replace(/\[\d+\]/g, '[]'), class: one, change, reason: text };
    return named({ ...base, remedy: 'change the objects first, or keep the former definition' }, objects, total);
  });
}
