import { type CelRule, type SchemaNode } from './schema-node';

/** A CEL rule that one of two schemas has. */
export interface RuleChange {
  readonly change: 'rule-added' | 'rule-changed' | 'rule-removed';
  readonly rule: CelRule;
}

/** Returns whether a rule compares with the former value; the API server never exempts it for unchanged values. */
export const isTransitionRule = ({ rule }: CelRule): boolean => /\boldSelf\b/.test(rule);

/** Returns whether a rule only applies to new objects: it holds if there is a former value. */
export const isCreationRule = ({ rule, optionalOldSelf }: CelRule): boolean =>
  optionalOldSelf === true && /^oldSelf\.hasValue\(\) \|\|/.test(rule);

/** Returns the field without which a rule holds, as in `!has(self.field) || …`; undefined if there is none. */
export const guardOf = ({ rule }: CelRule): string | undefined => /^!has\(self\.(\w+)\) \|\| [^?]*$/.exec(rule)?.[1];

const rulesOf = (node: SchemaNode): readonly CelRule[] => node['x-kubernetes-validations'] ?? [];

const key = ({ rule, optionalOldSelf }: CelRule): string =>
  `${optionalOldSelf === true} ${rule.replace(/\s+/g, ' ').trim()}`;

/** Returns the rules that were added, changed or removed. A change of texts only is none. */
export function ruleChanges(before: SchemaNode, after: SchemaNode): RuleChange[] {
  const known = new Set(rulesOf(before).map(key));
  const kept = new Set(rulesOf(after).map(key));
  const removed = rulesOf(before).filter((rule) => !kept.has(key(rule)));
  const changes = rulesOf(after)
    .filter((rule) => !known.has(key(rule)))
    .map((rule): RuleChange => {
      const former = removed.findIndex((other) => isSuccessor(other, rule));
      if (former < 0) return { change: 'rule-added', rule };
      removed.splice(former, 1);
      return { change: 'rule-changed', rule };
    });
  return [...changes, ...removed.map((rule): RuleChange => ({ change: 'rule-removed', rule }))];
}

/** A rule with the same message or field is taken as the same rule with another expression. */
const isSuccessor = (one: CelRule, other: CelRule): boolean =>
  (one.message !== undefined && one.message === other.message) ||
  (one.fieldPath !== undefined && one.fieldPath === other.fieldPath) ||
  (one.message === undefined && other.message === undefined && one.fieldPath === other.fieldPath);
