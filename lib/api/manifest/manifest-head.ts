import { type DocumentKind, isNamespaced } from './manifest-kind';
import { apiVersion } from '../names';
import { nearest } from '../values/nearest';
import { isReservedName, nameForm } from '../values/object-name';
import { isPlainObject } from '../values/plain-object';
import { type Problem } from '../problem';

type Report = (problem: Problem) => void;
type Fields = Readonly<Record<string, unknown>>;

const topFields = ['apiVersion', 'kind', 'metadata', 'spec', 'status'];

/** Reports problems outside the spec: version, names, labels and annotations. */
export function checkHead(input: Fields, kind: DocumentKind, report: Report): void {
  if (input['apiVersion'] !== apiVersion) {
    report({
      code: 'unknown-kind',
      path: ['apiVersion'],
      value: input['apiVersion'],
      reason: `is not the apiVersion of ${kind}`,
      remedy: `use ${apiVersion}`,
    });
  }
  for (const key of Object.keys(input)) {
    if (topFields.includes(key)) continue;
    const suggestion = nearest(key, topFields);
    report({
      code: 'unknown-field',
      path: [key],
      value: input[key],
      reason: 'does not exist',
      remedy: suggestion ? `did you mean "${suggestion}"?` : 'move it below spec, or remove it',
    });
  }
  const metadata = input['metadata'];
  if (!isPlainObject(metadata))
    return report({ code: 'required', path: ['metadata'], reason: 'is missing', remedy: 'set metadata.name' });
  checkNames(metadata, kind, report);
  checkMaps(metadata, report);
}

function checkNames(metadata: Fields, kind: DocumentKind, report: Report): void {
  const form = nameForm(kind);
  const { pattern, max, reserved } = form;
  const name = metadata['name'];
  checkName(name, ['metadata', 'name'], new RegExp(pattern), max, report);
  if (reserved && typeof name === 'string' && isReservedName(name, form)) {
    report({
      code: 'platform-owned',
      path: ['metadata', 'name'],
      value: name,
      reason: reserved.reason,
      remedy: reserved.remedy,
    });
  }
  if (kind === 'Platform' && metadata['name'] !== undefined && metadata['name'] !== 'cluster') {
    report({
      code: 'unsupported-value',
      path: ['metadata', 'name'],
      value: metadata['name'],
      reason: 'must be cluster, the name of the only Platform',
      remedy: 'use the name cluster',
    });
  }
  if (isNamespaced(kind))
    checkName(metadata['namespace'], ['metadata', 'namespace'], /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, 63, report);
  else if (metadata['namespace'] !== undefined) {
    report({
      code: 'invalid-combination',
      path: ['metadata', 'namespace'],
      value: metadata['namespace'],
      reason: `is set, but a ${kind} is cluster-scoped`,
      remedy: 'remove it',
    });
  }
}

function checkMaps(metadata: Fields, report: Report): void {
  for (const field of ['labels', 'annotations'] as const) {
    const map = metadata[field];
    if (map === undefined) continue;
    if (!isPlainObject(map)) {
      report({
        code: 'wrong-type',
        path: ['metadata', field],
        value: map,
        reason: 'is not a map',
        remedy: 'use a map of strings',
      });
      continue;
    }
    for (const [key, value] of Object.entries(map)) checkEntry(field, key, value, report);
  }
}

const labelValueForm = /^(([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9])?$/;
const labelKeyForm = /^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

function checkEntry(field: 'labels' | 'annotations', key: string, value: unknown, report: Report): void {
  const path = ['metadata', field, key];
  if (typeof value !== 'string')
    report({ code: 'wrong-type', path, value, reason: 'is not a string', remedy: 'write it in quotes' });
  else if (field === 'labels' && !labelValueForm.test(value)) {
    report({
      code: 'bad-format',
      path,
      value,
      reason: 'is not a label value',
      remedy: 'use at most 63 letters, digits, "-", "_" and "."',
    });
  }
  if (labelKeyForm.test(key)) return;
  report({
    code: 'bad-format',
    path,
    value: key,
    reason: 'is not a label key',
    remedy: 'use a key such as "example.com/division"',
  });
}

function checkName(name: unknown, path: string[], pattern: RegExp, max: number, report: Report): void {
  const remedy = path[1] === 'namespace' ? 'set the project, such as "shop"' : 'use a name such as "cart"';
  if (name === undefined || name === '') report({ code: 'required', path, reason: 'is missing', remedy });
  else if (typeof name !== 'string')
    report({ code: 'wrong-type', path, value: name, reason: 'is not a string', remedy });
  else if (name.length > max)
    report({
      code: 'out-of-range',
      path,
      value: name,
      reason: `has more than ${max} characters`,
      remedy: 'use a shorter name',
    });
  else if (!pattern.test(name))
    report({
      code: 'bad-format',
      path,
      value: name,
      reason: 'is not a lower-case DNS label that starts with a letter',
      remedy,
    });
}
