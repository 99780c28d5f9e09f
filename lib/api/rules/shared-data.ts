import { environmentPrefix } from '../names';
import { type Problem } from '../problem';
import { isPlainObject } from '../values/plain-object';
import { isSecretSetting, secretIn, secretInSetting } from './literal-secret';

/** Maximum size of a ConfigMap, in bytes. */
const maxBytes = 1_048_576;
const keyForm = /^(?!\.\.)[-._a-zA-Z0-9]{1,253}$/;
const toSecret = 'put it into a Secret, and refer to that in spec.secrets of the workloads';

/** Lists problems of the data of a shared ConfigMap: keys, values, size, and likely secrets, whose values they never have. */
export function sharedDataProblems(data: unknown): readonly Problem[] {
  if (!isPlainObject(data)) {
    const [reason, remedy] = ['is not an object', 'write an object of texts, by variable or file name'];
    return [{ code: 'wrong-type', path: ['data'], reason, remedy }];
  }
  const problems = Object.entries(data).flatMap(([key, value]) => entryProblems(key, value));
  const bytes = Object.entries(data).reduce((sum, [key, value]) => sum + byteLength(key) + byteLength(value), 0);
  if (bytes <= maxBytes) return problems;
  const [reason, remedy] = [
    'must not exceed 1 MiB, the limit of a ConfigMap',
    'divide it, or put large files into the image',
  ];
  return [...problems, { code: 'out-of-range', path: ['data'], reason, remedy }];
}

/** Lists problems of keys that become variables. */
export const sharedVariableProblems = (data: Readonly<Record<string, unknown>>): readonly Problem[] =>
  Object.keys(data).flatMap((key): Problem[] => {
    if (key.startsWith(environmentPrefix)) {
      const reason = `starts with "${environmentPrefix}", which is reserved for the platform`;
      return [{ code: 'platform-owned', path: ['data', key], reason, remedy: 'use another name' }];
    }
    if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(key)) return [];
    const [reason, remedy] = [
      'becomes a variable, and has the name of a file',
      'share files and variables in two SharedConfigs',
    ];
    return [{ code: 'bad-format', path: ['data', key], reason, remedy, severity: 'warning' }];
  });

function entryProblems(key: string, value: unknown): Problem[] {
  const path = ['data', key];
  if (!keyForm.test(key)) {
    const reason = 'is not a key of a ConfigMap';
    return [{ code: 'bad-format', path, reason, remedy: 'use letters, digits, dots, dashes and underscores' }];
  }
  if (typeof value !== 'string') {
    return [{ code: 'wrong-type', path, reason: 'is not a text', remedy: 'write a text, such as "10"' }];
  }
  const reason = secretReason(key, value);
  if (reason === undefined) return [];
  return [{ code: 'invalid-combination', path, reason, remedy: toSecret, rule: 'literal-secret', severity: 'warning' }];
}

/** Returns why a value seems to be a secret. A text of several lines is a file, which has no name of a setting. */
function secretReason(key: string, value: string): string | undefined {
  const isFile = value.includes('\n');
  const content = isFile ? secretIn(value) : secretInSetting(value);
  if (content !== undefined) return `contains what looks like ${content}`;
  return !isFile && isSecretSetting(key, value) ? 'has the name of a secret, and its value in plain text' : undefined;
}

const encoder = new TextEncoder();
const byteLength = (value: unknown): number => (typeof value === 'string' ? encoder.encode(value).length : 0);
