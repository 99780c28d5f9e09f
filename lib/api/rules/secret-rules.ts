import { isPlainObject } from '../values/plain-object';
import { type FieldPath } from '../problem';
import { isSecretSetting, secretIn, secretInSetting } from './literal-secret';
import { entryListAt } from './own-volumes';
import { containersOfSpec } from './templates-of-spec';
import { type ValidationRule, type RuleViolation } from './validation-rule';
import { valueAt } from '../values/value-at';

type Fields = Readonly<Record<string, unknown>>;

const toVariable = 'put it into a Secret, and refer to that in spec.secrets.env';
const toFile = 'put it into a Secret, and mount that with spec.secrets.files';
const toRole = 'set spec.iamRole, or put it into a Secret and refer to that in spec.secrets';

/** Warning about secrets in plain text. It never has the value. */
export const secretRules: readonly ValidationRule[] = [
  {
    name: 'literal-secret',
    cel: 'true',
    where: 'client',
    severity: 'warning',
    perField: true,
    reads: [
      'config',
      'template',
      'roles',
      'replicatedJobs',
      'overrides',
      'variants',
      'configTemplates',
      'sidecars',
      'beforeDeployment',
    ],
    find: findSecrets,
    reason: 'contains a secret in plain text',
    remedy: toVariable,
    code: 'invalid-combination',
  },
];

function findSecrets(self: Fields): RuleViolation[] {
  const found: RuleViolation[] = [];
  const inVariables = (env: unknown, path: FieldPath) =>
    eachText(env, (name, value) => found.push(...inVariable(name, value, [...path, name])));
  const inFiles = (files: unknown, path: FieldPath) =>
    eachText(files, (name, text) => found.push(...asViolation(secretIn(text), [...path, name], toFile)));
  inVariables(valueAt(self, ['config', 'env']), ['config', 'env']);
  inFiles(valueAt(self, ['config', 'files']), ['config', 'files']);
  eachEntry(self['sidecars'], (name, part) => inVariables(part['env'], ['sidecars', name, 'env']));
  entryListAt(self, ['configTemplates']).forEach(({ data }, at) => inFiles(data, ['configTemplates', at, 'data']));
  for (const list of ['overrides', 'variants', 'beforeDeployment'])
    entryListAt(self, [list]).forEach((override, at) => {
      inVariables(override['env'], [list, at, 'env']);
      eachEntry(override['config'], (name, files) => inFiles(files, [list, at, 'config', name]));
      found.push(...inArguments(override, [list, at]));
    });
  for (const { container, path } of containersOfSpec(self)) found.push(...inContainer(container, path));
  return found;
}

function inContainer(container: Fields, path: FieldPath): RuleViolation[] {
  const found = inArguments(container, path);
  if (container['env'] === undefined) return found;
  entryListAt(container, ['env']).forEach(({ name, value }, index) => {
    if (typeof name === 'string' && typeof value === 'string')
      found.push(...inVariable(name, value, [...path, 'env', index, 'value']));
  });
  return found;
}

function inVariable(name: string, value: string, path: FieldPath): RuleViolation[] {
  const content = secretInSetting(value);
  if (content !== undefined) return asViolation(content, path, toVariable);
  return isSecretSetting(name, value)
    ? [{ path, reason: 'has the name of a secret, and its value in plain text', remedy: toVariable }]
    : [];
}

const asViolation = (content: string | undefined, path: FieldPath, remedy: string): RuleViolation[] =>
  content === undefined
    ? []
    : [
        {
          path,
          reason: `contains what looks like ${content}`,
          remedy: content.startsWith('an AWS') ? toRole : remedy,
        },
      ];

/** Returns the secrets in a command and its arguments: `--password=…`, or the argument after `--password`. */
function inArguments(container: Fields, path: FieldPath): RuleViolation[] {
  return ['command', 'args'].flatMap((field) => {
    const list = container[field];
    if (!Array.isArray(list)) return [];
    return list.flatMap((argument: unknown, index) =>
      typeof argument === 'string' ? inArgument(argument, list[index - 1], [...path, field, index]) : [],
    );
  });
}

function inArgument(argument: string, before: unknown, path: FieldPath): RuleViolation[] {
  const content = secretInSetting(argument);
  if (content !== undefined) return asViolation(content, path, toVariable);
  const [, name, value] = /^--?([A-Za-z][\w.-]*)=(\S+)$/.exec(argument) ?? [];
  const option = typeof before === 'string' ? /^--?([A-Za-z][\w.-]*)$/.exec(before)?.[1] : undefined;
  const isSecret =
    name !== undefined && value !== undefined
      ? isSecretSetting(name, value)
      : option !== undefined && /^[^-\s]\S*$/.test(argument) && isSecretSetting(option, argument);
  const remedy = `${toVariable}; arguments can contain $(NAME) of a variable`;
  return isSecret ? [{ path, reason: 'is the value of a secret in plain text', remedy }] : [];
}

function eachText(map: unknown, visit: (key: string, text: string) => void): void {
  if (!isPlainObject(map)) return;
  for (const [key, text] of Object.entries(map)) if (typeof text === 'string') visit(key, text);
}

function eachEntry(map: unknown, visit: (key: string, entry: Fields) => void): void {
  if (!isPlainObject(map)) return;
  for (const [key, entry] of Object.entries(map)) if (isPlainObject(entry)) visit(key, entry);
}
