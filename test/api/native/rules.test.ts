import { evaluateCel } from '../../../lib/api/rules/cel';
import { nativeRules, structureOf, type TypeName } from '../../../lib/api/native';
import { type ValidationRule } from '../../../lib/api/rules/validation-rule';
import { goodPod, podCases, podOf } from './pod-cases';

type Self = Readonly<Record<string, unknown>>;

/** Every nested object with the name of its native type. */
function* objects(type: TypeName, value: unknown): Generator<readonly [TypeName, Self]> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  yield [type, value as Self];
  for (const [key, field] of structureOf(type).fields) {
    const inner = field.type ?? field.items?.type;
    const child = (value as Self)[key];
    if (inner === undefined || child === undefined) continue;
    for (const entry of Array.isArray(child) ? child : [child]) yield* objects(inner, entry);
  }
}

const evaluateRule = (rule: ValidationRule, self: Self): boolean | undefined =>
  rule.find !== undefined ? rule.find(self).length === 0 : rule.holds?.(self);

test('each rule gives the same result in CEL as in its function, for every valid and invalid pod', () => {
  const seen = new Map<string, Set<boolean>>();
  const differences: unknown[] = [];
  for (const pod of [goodPod(), ...podCases.map(podOf)]) {
    for (const [type, self] of objects('PodSpec', pod)) {
      for (const rule of nativeRules[type]?.rules ?? []) {
        let verdict: unknown;
        try {
          verdict = evaluateCel(rule.cel, { self });
        } catch {
          continue;
        }
        const mine = evaluateRule(rule, self);
        if (mine !== verdict) differences.push({ type, rule: rule.name, self, mine, verdict });
        seen.set(rule.name, (seen.get(rule.name) ?? new Set()).add(verdict === true));
      }
    }
  }
  expect(differences).toEqual([]);
  const oneSided = [...seen].filter(([, verdicts]) => verdicts.size < 2).map(([name]) => name);
  expect(oneSided).toEqual([]);
});

test('each native rule has a function, so that the interpreter is not loaded for it', () => {
  const rules = Object.values(nativeRules).flatMap((entry) => entry.rules ?? []);
  expect(rules.filter((rule) => rule.holds === undefined && rule.find === undefined)).toEqual([]);
});

test('the types and fields that rules refer to exist', () => {
  for (const [type, rules] of Object.entries(nativeRules)) {
    const fields = structureOf(type as TypeName).fields;
    for (const key of [...Object.keys(rules.fields ?? {}), ...(rules.required ?? [])])
      expect([type, key, fields.has(key)]).toEqual([type, key, true]);
  }
});
