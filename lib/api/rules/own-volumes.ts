import { type FieldPath } from '../problem';
import { type ValidationRule } from './validation-rule';
import { isPlainObject } from '../values/plain-object';
import { valueAt } from '../values/value-at';

type Entry = Readonly<Record<string, unknown>>;

/**
 * Returns rules for a list of volumes, each with `name` and `mountPath`, that a kind adds to the pods of its template.
 *
 * Their names must be distinct from those of the template's volumes, and all of them are mounted in every container of
 * the app.
 */
export function ownVolumeRules(kind: string, field: readonly string[]): readonly ValidationRule[] {
  const list = `self.${field.join('.')}`;
  const volumes = 'self.template.spec.volumes';
  const find =
    (breaks: (entry: Entry, index: number, all: readonly Entry[], self: Entry) => boolean, member: string) =>
    (self: Entry): readonly FieldPath[] => {
      const all = entryListAt(self, field);
      return all.flatMap((entry, index) => (breaks(entry, index, all, self) ? [[...field, index, member]] : []));
    };
  return [
    {
      name: `${kind}-volume-name`,
      cel: `!has(${volumes}) || ${list}.all(o, !${volumes}.exists(v, v.name == o.name))`,
      where: 'client',
      fieldPath: field,
      reason: 'duplicates a volume of the template',
      remedy: 'rename one of them',
      code: 'duplicate',
      find: find(
        (entry, _, __, self) =>
          entryListAt(self, ['template', 'spec', 'volumes']).some(({ name }) => name === entry['name']),
        'name',
      ),
    },
    {
      name: `${kind}-volume-path`,
      cel: `${list}.all(o, ${list}.exists_one(v, v.mountPath == o.mountPath))`,
      where: 'client',
      fieldPath: field,
      reason: 'duplicates the mount path of another volume',
      remedy: 'use another path',
      code: 'duplicate',
      find: find(
        (entry, index, all) => all.slice(0, index).some(({ mountPath }) => mountPath === entry['mountPath']),
        'mountPath',
      ),
    },
  ];
}

/** Returns the objects of a list at a path; empty if there is none. An invalid entry counts as an empty object. */
export function entryListAt(self: Entry, path: readonly string[]): readonly Entry[] {
  const value = valueAt(self, path);
  if (!Array.isArray(value)) return [];
  return value.every(isPlainObject) ? value : value.map((entry) => (isPlainObject(entry) ? entry : {}));
}
