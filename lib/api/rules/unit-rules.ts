import { isPlainObject } from '../values/plain-object';
import { type FieldPath } from '../problem';
import { entryListAt } from './own-volumes';
import { containersOfSpec, templatesOfSpec } from './templates-of-spec';
import { type ValidationRule, type RuleViolation } from './validation-rule';

type Fields = Readonly<Record<string, unknown>>;

type Judge = (value: string, path: FieldPath) => RuleViolation[];

/** Judges the requests and limits of containers, pods, overrides and parts of one resource. */
function judgeAmounts(self: Fields, resource: string, judge: Judge): RuleViolation[] {
  const found: RuleViolation[] = [];
  const judgeOwner = ({ resources }: Fields, path: FieldPath) => {
    if (!isPlainObject(resources)) return;
    for (const side of ['requests', 'limits']) {
      const amount = (resources[side] as Fields | undefined)?.[resource];
      if (amount !== undefined && isSuspect(String(amount)))
        found.push(...judge(String(amount), [...path, 'resources', side, resource]));
    }
  };
  for (const { pod, path } of templatesOfSpec(self)) judgeOwner(pod, path);
  for (const { container, path } of containersOfSpec(self)) judgeOwner(container, path);
  for (const list of ['overrides', 'variants', 'beforeDeployment'])
    entryListAt(self, [list]).forEach((override, index) => judgeOwner(override, [list, index]));
  const parts = self['sidecars'];
  if (isPlainObject(parts)) for (const name in parts) judgeOwner(parts[name] as Fields, ['sidecars', name]);
  return found;
}

/** Returns whether an amount has no unit, or a fraction of one. */
const isSuspect = (text: string): boolean => /[\dnum]$/.test(text);

const withoutUnit = /^\d+(\.\d+)?$/;
const belowOne = /^(\d+(?:\.\d+)?)[num]$/;
const mebibyte = 1_048_576;
const manyCores = 100;

const shared = {
  cel: 'true',
  where: 'client',
  severity: 'warning',
  code: 'out-of-range',
  perField: true,
  reads: ['template', 'roles', 'replicatedJobs', 'overrides', 'variants', 'sidecars', 'beforeDeployment'],
} as const;

/** Warnings about amounts that have another unit than was probably meant. */
export const unitRules: readonly ValidationRule[] = [
  {
    ...shared,
    name: 'memory-unit',
    find: (self) => judgeAmounts(self, 'memory', memoryViolation),
    reason: 'is less than 1 MiB',
    remedy: 'write the unit Mi or Gi',
  },
  {
    ...shared,
    name: 'cpu-unit',
    find: (self) => judgeAmounts(self, 'cpu', cpuViolation),
    reason: `is ${manyCores} cores or more`,
    remedy: 'write the unit m for thousandths of a core',
  },
];

function memoryViolation(value: string, path: FieldPath): RuleViolation[] {
  const [, fraction] = belowOne.exec(value) ?? [];
  if (fraction !== undefined) {
    const unit = value.slice(-1);
    return [{ path, value, reason: `has the unit ${unit}, a fraction of a byte`, remedy: `write ${fraction}Mi` }];
  }
  const bytes = withoutUnit.test(value) ? Number(value) : 0;
  return bytes > 0 && bytes < mebibyte
    ? [{ path, value, reason: 'has no unit, and is less than 1 MiB in bytes', remedy: `write ${value}Mi` }]
    : [];
}

function cpuViolation(value: string, path: FieldPath): RuleViolation[] {
  if (!withoutUnit.test(value) || Number(value) < manyCores) return [];
  const remedy = `write ${value}m for thousandths of a core, or ${Number(value) * 1000}m if it is meant`;
  return [{ path, value, reason: `has no unit, and is ${value} whole cores`, remedy }];
}
