import { isPlainObject } from '../values/plain-object';
import { type FieldPath } from '../problem';
import { checkRule } from '../rules/validation-rule';
import { didYouMean } from './did-you-mean';
import { type NativeCheck, type ProblemReporter, type IssueReporter, type TypeRules } from './overlay';
import { checkScalar } from './scalar';
import { type Field, type Structure, structureOf, type TypeName } from './structure-table';
import { missing } from './structures.generated';
import { describeType, type NativeOptions, omittedFields, reportHere, type Walk } from './walk';

const noOptions: NativeOptions = {};

/**
 * Checks a value against a native Kubernetes type: structure, limits and rules.
 *
 * All problems are reported at once, with absolute paths. The value is not changed; `undefined` counts as absent.
 */
export function checkNative(
  type: TypeName,
  value: unknown,
  path: FieldPath,
  report: ProblemReporter,
  options: NativeOptions = noOptions,
): void {
  walkObject(structureOf(type), value, { path: [...path], report, options, volumes: options.volumes ?? [] });
}

function walkObject(structure: Structure, value: unknown, walk: Walk, only?: readonly string[]): void {
  if (!isPlainObject(value)) {
    reportHere(
      walk,
      'wrong-type',
      `must be a map, not ${describeType(value)}`,
      `write a ${structure.name} as a map of its fields`,
    );
    return;
  }
  const omitted = omittedFields(walk.options.omit, structure.name);
  const { path, volumes } = walk;
  if (structure.rules?.volumes !== undefined) walk.volumes = [...volumes, ...structure.rules.volumes(value)];
  for (const key in value) {
    const entry = value[key];
    if (entry === undefined) continue;
    const field = structure.fields.get(key);
    path.push(key);
    if (field === undefined) reportUnknown(structure, key, walk);
    else if (only !== undefined && !only.includes(key)) {
      reportHere(walk, 'unknown-field', 'is not supported here', `set only ${only.join(' and ')}`);
    } else if (omitted?.[key] !== undefined) {
      if (omitted[key] !== '') reportHere(walk, 'platform-owned', 'is set by the platform', omitted[key]);
    } else {
      if (walk.options.version === '1.35') checkVersion(structure.name, key, entry, walk);
      walkField(field, entry, walk);
    }
    path.pop();
  }
  for (const key of structure.required) {
    if (value[key] !== undefined || omitted?.[key] !== undefined) continue;
    path.push(key);
    reportHere(walk, 'required', `is required in ${structure.name}`, `set ${key}`);
    path.pop();
  }
  walk.volumes = volumes;
  if (structure.rules !== undefined) applyRules(structure.rules, value, walk);
}

function applyRules({ rules, checks }: TypeRules, value: Readonly<Record<string, unknown>>, walk: Walk): void {
  if (rules !== undefined) for (const rule of rules) checkRule(rule, value, walk.path, walk.report);
  if (checks !== undefined) for (const check of checks) applyCheck(check, value, walk);
}

function applyCheck({ name, check }: NativeCheck, value: Readonly<Record<string, unknown>>, walk: Walk): void {
  const report: IssueReporter = (code, path, reason, remedy, found) => {
    const shown = found === undefined ? undefined : { value: found };
    walk.report({ code, path: [...walk.path, ...path], ...shown, reason, remedy, rule: name });
  };
  check(value, report, walk.volumes);
}

function walkField(field: Field, value: unknown, walk: Walk): void {
  if (field.kind === 'object') walkObject(structureOf(field.type as TypeName), value, walk, field.limits?.only);
  else if (field.kind === 'list') walkList(field, value, walk);
  else if (field.kind === 'map') walkMap(field, value, walk);
  else checkScalar(field, value, walk);
}

function walkList(field: Field, value: unknown, walk: Walk): void {
  if (!Array.isArray(value)) {
    reportHere(walk, 'wrong-type', `must be a list, not ${describeType(value)}`, 'write a list');
    return;
  }
  const { limits } = field;
  if (limits !== undefined) checkCount(value.length, limits.minItems, limits.maxItems, walk);
  const path = walk.path;
  for (let index = 0; index < value.length; index++) {
    path.push(index);
    walkField(field.items as Field, value[index], walk);
    path.pop();
  }
  if (value.length > 1) {
    if (field.keys !== undefined) checkKeys(field, field.keys, value, walk);
    else if (field.set) checkSet(value, walk);
  }
}

function walkMap(field: Field, value: unknown, walk: Walk): void {
  if (!isPlainObject(value)) {
    reportHere(walk, 'wrong-type', `must be a map, not ${describeType(value)}`, 'write a map');
    return;
  }
  const { limits, keyPattern } = field;
  if (limits?.maxProperties !== undefined) checkCount(Object.keys(value).length, undefined, limits.maxProperties, walk);
  for (const key in value) {
    if (value[key] === undefined) continue;
    walk.path.push(key);
    if (keyPattern !== undefined && (!keyPattern.test(key) || key.length > (limits?.keyForm?.maxLength ?? Infinity))) {
      reportHere(
        walk,
        'bad-format',
        `has a name that is not ${limits?.keyForm?.what}`,
        `rename it to ${limits?.keyForm?.what}`,
      );
    }
    walkField(field.items as Field, value[key], walk);
    walk.path.pop();
  }
}

function checkCount(count: number, least: number | undefined, most: number | undefined, walk: Walk): void {
  if (least !== undefined && count < least) {
    reportHere(
      walk,
      count === 0 ? 'required' : 'out-of-range',
      `must have at least ${least} entries, not ${count}`,
      'add entries',
    );
  }
  if (most !== undefined && count > most) {
    reportHere(walk, 'out-of-range', `must have at most ${most} entries, not ${count}`, `use at most ${most}`);
  }
}

function checkKeys(field: Field, keys: readonly string[], list: readonly unknown[], walk: Walk): void {
  const fields = structureOf(field.items?.type as TypeName).fields;
  const seen = new Set<string>();
  list.forEach((entry, index) => {
    if (!isPlainObject(entry)) return;
    const parts = keys.map((key) => entry[key] ?? fields.get(key)?.default ?? '');
    const identity = parts.length === 1 ? String(parts[0]) : JSON.stringify(parts);
    if (seen.has(identity))
      reportDuplicate(walk, [index, keys[0] as string], `the same ${keys.join(' and ')}`, parts[0]);
    seen.add(identity);
  });
}

function checkSet(list: readonly unknown[], walk: Walk): void {
  list.forEach((entry, index) => {
    if (list.indexOf(entry) < index) reportDuplicate(walk, [index], 'the same value', entry);
  });
}

function reportDuplicate(walk: Walk, steps: FieldPath, same: string, value: unknown): void {
  walk.path.push(...steps);
  reportHere(walk, 'duplicate', `has ${same} as an earlier entry`, 'use unique entries, or remove one', value);
  walk.path.length -= steps.length;
}

function reportUnknown(structure: Structure, key: string, walk: Walk): void {
  const near = didYouMean(key, structure.fields.keys());
  const remedy =
    near === undefined ? `remove it; ${structure.name} has ${listFields(structure)}` : `did you mean ${near}?`;
  reportHere(walk, 'unknown-field', `is not a field of ${structure.name}`, remedy);
}

function listFields(structure: Structure): string {
  const names = [...structure.fields.keys()];
  return names.length <= 12 ? names.join(', ') : `${names.slice(0, 11).join(', ')} and ${names.length - 11} more`;
}

function checkVersion(type: TypeName, key: string, value: unknown, walk: Walk): void {
  const lacks: Readonly<Record<string, readonly string[]>> = missing['1.35'];
  const list = lacks[type];
  if (list === undefined) return;
  if (list.includes(key))
    reportHere(walk, 'unsupported-field', 'is not supported by Kubernetes 1.35', 'remove it, or use Kubernetes 1.36');
  else if (typeof value === 'string' && list.includes(`${key}=${value}`)) {
    reportHere(
      walk,
      'unsupported-field',
      'is a value that Kubernetes 1.35 does not support',
      'use another value, or Kubernetes 1.36',
      value,
    );
  }
}
