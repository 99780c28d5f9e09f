import { type DefinitionFinding } from '../definition-finding';
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
  const open = new Set(trials.flatMap(effectsOf));
  const judged = findings.map((finding): DefinitionFinding => {
    const own = [...open].filter((effect) => isAbout(effect, finding));
    for (const effect of own) open.delete(effect);
    const objects = [...new Set(own.map(({ object }) => object))];
    const tried = trials.filter(({ version }) => finding.version === undefined || version === finding.version).length;
    if (finding.class !== 'breaks-objects' && finding.class !== 'breaks-writes')
      return objects.length > 0 ? named(finding, objects, trials.length) : finding;
    if (finding.change === 'definition-removed' || finding.change === 'conversion-removed') return finding;
    if (objects.length > 0) return named({ ...finding, class: gravest(own, finding) }, objects, trials.length);
    if (tried === 0) return finding;
    return {
      ...finding,
      class: 'changes-meaning',
      reason: `${finding.reason}; none of ${tried} stored objects is affected`,
      objects: [],
    };
  });
  return [...judged, ...unexplained([...open], definition, trials.length)];
}

const named = (finding: DefinitionFinding, objects: readonly string[], total: number): DefinitionFinding => ({
  ...finding,
  reason: `${finding.reason}; affects ${objects.length} of ${total} stored objects`,
  objects: objects.slice(0, maxNamed),
});

const gravest = (effects: readonly Effect[], finding: DefinitionFinding): DefinitionFinding['class'] =>
  effects.some((effect) => effect.class === 'breaks-objects')
    ? 'breaks-objects'
    : effects.some((effect) => effect.class === 'breaks-writes')
      ? 'breaks-writes'
      : finding.class;

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

function isAbout(effect: Effect, { path, version, change }: DefinitionFinding): boolean {
  if (effect.class === 'unknown' || (version !== undefined && version !== effect.version)) return false;
  if (change.endsWith('-loosened') || (change.endsWith('-removed') === false && change === 'field-added')) return false;
  return (
    pathPattern(path).test(effect.path) ||
    (effect.class === 'breaks-writes' && pathPattern(effect.path, true).test(path))
  );
}

/** Matches a path of a schema with paths of values at or below it: `[]` any index, `*` any field. */
function pathPattern(path: string, isValue = false): RegExp {
  const text = path
    .replace(/[.+?^${}()|\\]/g, '\\$&')
    .replace(/\[(\d*)\]/g, isValue ? '\\[\\]' : '\\[\\d+\\]')
    .replace(/\*/g, '[^.[]+');
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
