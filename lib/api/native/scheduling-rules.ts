import { type ValidationRule } from '../rules/validation-rule';
import * as forms from './forms';
import { type NativeCheck, type FieldLimits, type TypeRules } from './overlay';
import { entriesIn, listIn, objectIn, type Self } from './rule-forms';

// Selectors occur eight times in a pod: CRD schemas, which must stay small, exclude their patterns and rules.
const key: FieldLimits = { form: forms.qualifiedName, client: true };
const weight: FieldLimits = { minimum: 1, maximum: 100 };
const matchLabels: FieldLimits = {
  maxProperties: 64,
  keyForm: forms.qualifiedName,
  items: { form: forms.labelValueForm, client: true },
};
const labelKeys: FieldLimits = { items: { form: forms.qualifiedName, client: true } };

const selectorValues: ValidationRule = {
  name: 'operator-and-values',
  cel:
    "self.operator in ['In', 'NotIn'] ? has(self.values) && self.values.size() > 0 : " +
    "self.operator in ['Exists', 'DoesNotExist'] ? !has(self.values) || self.values.size() == 0 : " +
    'has(self.values) && self.values.size() == 1',
  reason: 'cannot be combined with the operator',
  remedy: 'set values with In and NotIn, one value with Gt and Lt, none with Exists and DoesNotExist',
  fieldPath: ['values'],
  where: 'client',
  holds: ({ operator, values }) => {
    const count = Array.isArray(values) ? values.length : 0;
    if (operator === 'In' || operator === 'NotIn') return count > 0;
    if (operator === 'Exists' || operator === 'DoesNotExist') return count === 0;
    return typeof operator !== 'string' || count === 1;
  },
};

const everyKey: ValidationRule = {
  name: 'toleration-without-key',
  cel: "(has(self.key) && self.key != '') || (has(self.operator) && self.operator == 'Exists')",
  reason: 'must be Exists without a key',
  remedy: 'set a key, or operator: Exists to tolerate every taint',
  fieldPath: ['operator'],
  holds: (self) => (self['key'] !== undefined && self['key'] !== '') || self['operator'] === 'Exists',
};

const secondsForExecute: ValidationRule = {
  name: 'toleration-seconds',
  cel: "!has(self.tolerationSeconds) || (has(self.effect) && self.effect == 'NoExecute')",
  reason: 'must be NoExecute with tolerationSeconds',
  remedy: 'set effect: NoExecute, or omit tolerationSeconds',
  fieldPath: ['effect'],
  holds: (self) => self['tolerationSeconds'] === undefined || self['effect'] === 'NoExecute',
};

const existsHasNoValue: ValidationRule = {
  name: 'toleration-exists-has-no-value',
  cel: "!has(self.value) || self.value == '' || !has(self.operator) || self.operator != 'Exists'",
  reason: 'cannot be combined with operator Exists',
  remedy: 'omit the value, or use operator: Equal',
  fieldPath: ['value'],
  holds: (self) => self['value'] === undefined || self['value'] === '' || self['operator'] !== 'Exists',
};

const minDomains: ValidationRule = {
  name: 'min-domains',
  cel: "!has(self.minDomains) || self.whenUnsatisfiable == 'DoNotSchedule'",
  reason: 'needs whenUnsatisfiable: DoNotSchedule',
  remedy: 'omit minDomains, or set whenUnsatisfiable: DoNotSchedule',
  fieldPath: ['minDomains'],
  holds: (self) => self['minDomains'] === undefined || self['whenUnsatisfiable'] === 'DoNotSchedule',
};

const needsSelector = (field: string): ValidationRule => ({
  name: `${field}-needs-selector`,
  cel: `!has(self.${field}) || self.${field}.size() == 0 || has(self.labelSelector)`,
  reason: 'needs a labelSelector',
  remedy: 'set a labelSelector',
  fieldPath: [field],
  where: 'client',
  holds: (self) => !Array.isArray(self[field]) || self[field].length === 0 || self['labelSelector'] !== undefined,
});

/** Requires that matched label keys are neither in the selector nor among the mismatched ones. */
const labelKeysOnce = (taken: (self: Self) => readonly unknown[]): NativeCheck => ({
  name: 'match-label-keys-once',
  check: (self, report) => {
    const keys = self['matchLabelKeys'];
    if (!Array.isArray(keys)) return;
    const used = taken(self);
    keys.forEach((name: unknown, index) => {
      if (!used.includes(name)) return;
      report(
        'invalid-combination',
        ['matchLabelKeys', index],
        'is named elsewhere in the same term',
        'name it in one place',
        String(name),
      );
    });
  },
});

const selectorKeys = (self: Self): readonly unknown[] => {
  const selector = objectIn(self, 'labelSelector');
  return [
    ...Object.keys(objectIn(selector, 'matchLabels')),
    ...listIn(selector, 'matchExpressions').map((entry) => entry['key']),
  ];
};

const mismatchKeys = (self: Self): readonly unknown[] =>
  Array.isArray(self['mismatchLabelKeys']) ? self['mismatchLabelKeys'] : [];

const nodeFields: NativeCheck = {
  name: 'node-fields',
  check: (self, report) => {
    for (const [index, { key: name, operator, values }] of entriesIn(self, 'matchFields')) {
      const place = ['matchFields', index] as const;
      if (typeof name === 'string' && name !== 'metadata.name') {
        report('unsupported-value', [...place, 'key'], 'must be metadata.name', 'use metadata.name', name);
      }
      if (typeof operator === 'string' && operator !== 'In' && operator !== 'NotIn') {
        report(
          'unsupported-value',
          [...place, 'operator'],
          'cannot be combined with matchFields',
          'use In or NotIn',
          operator,
        );
      } else if (!Array.isArray(values) || values.length !== 1) {
        report('out-of-range', [...place, 'values'], 'must have exactly one entry', 'set one value');
      }
    }
  },
};

const labelsOfNodes: NativeCheck = {
  name: 'node-label-values',
  check: (self, report) => {
    const pattern = new RegExp(forms.labelValueForm.pattern);
    for (const [index, { values }] of entriesIn(self, 'matchExpressions')) {
      if (!Array.isArray(values)) continue;
      values.forEach((value: unknown, at) => {
        if (typeof value !== 'string' || (pattern.test(value) && value.length <= 63)) return;
        report(
          'bad-format',
          ['matchExpressions', index, 'values', at],
          'is not the value of a label',
          `write ${forms.labelValueForm.what}`,
          value,
        );
      });
    }
  },
};

/** Rules for pod scheduling: selectors, affinity, tolerations, spread. */
export const schedulingRules: Readonly<Record<string, TypeRules>> = {
  LabelSelector: { fields: { matchLabels } },
  LabelSelectorRequirement: {
    fields: {
      key,
      operator: { enum: ['In', 'NotIn', 'Exists', 'DoesNotExist'] },
      values: { items: { form: forms.labelValueForm, client: true } },
    },
    rules: [selectorValues],
  },
  NodeSelector: { fields: { nodeSelectorTerms: { minItems: 1 } } },
  NodeSelectorTerm: { checks: [nodeFields, labelsOfNodes] },
  NodeSelectorRequirement: { fields: { key }, rules: [selectorValues] },
  PreferredSchedulingTerm: { fields: { weight } },
  WeightedPodAffinityTerm: { fields: { weight } },
  PodAffinityTerm: {
    fields: {
      topologyKey: key,
      namespaces: { items: { form: forms.dnsLabel, client: true } },
      matchLabelKeys: labelKeys,
      mismatchLabelKeys: labelKeys,
    },
    rules: [needsSelector('matchLabelKeys'), needsSelector('mismatchLabelKeys')],
    checks: [labelKeysOnce((self) => [...selectorKeys(self), ...mismatchKeys(self)])],
  },
  TopologySpreadConstraint: {
    fields: {
      maxSkew: { minimum: 1 },
      minDomains: { minimum: 1 },
      topologyKey: { minLength: 1 },
      matchLabelKeys: labelKeys,
    },
    rules: [minDomains, needsSelector('matchLabelKeys')],
    checks: [labelKeysOnce(selectorKeys)],
  },
  Toleration: {
    fields: {
      key: { form: { ...forms.qualifiedName, pattern: `^$|${forms.qualifiedName.pattern}` } },
      operator: { enum: ['Equal', 'Exists'] },
      value: { form: forms.labelValueForm },
    },
    rules: [everyKey, secondsForExecute, existsHasNoValue],
  },
};
