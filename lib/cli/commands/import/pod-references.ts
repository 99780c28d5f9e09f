import { isPlainObject, valueAt } from '../../../api';
import { fieldsAt, textAt, type Fields } from './fields';
import { type NativeObject } from './native-object';

/** Returns the pod template of a native workload. */
export const templateOf = (object: NativeObject): Fields =>
  object.kind === 'CronJob'
    ? fieldsAt(object, 'spec', 'jobTemplate', 'spec', 'template')
    : fieldsAt(object, 'spec', 'template');

/** Returns the name of the service account of a native workload; undefined for the default one. */
export function accountNameOf(object: NativeObject): string | undefined {
  const pod = fieldsAt(templateOf(object), 'spec');
  return textAt(pod, 'serviceAccountName') ?? textAt(pod, 'serviceAccount');
}

/** Fields by which pods refer to objects of a kind. */
const referenceFields: Readonly<Record<string, readonly (readonly string[])[]>> = {
  ConfigMap: [
    ['configMap', 'name'],
    ['configMapRef', 'name'],
    ['configMapKeyRef', 'name'],
  ],
  Secret: [
    ['secret', 'name'],
    ['secret', 'secretName'],
    ['secretRef', 'name'],
    ['secretKeyRef', 'name'],
    ['imagePullSecrets', 'name'],
  ],
  PersistentVolumeClaim: [['persistentVolumeClaim', 'claimName']],
};

/** Returns the names of all objects of a kind that a pod template refers to. */
export function namesIn(template: unknown, kind: string): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isPlainObject(value)) return;
    for (const path of referenceFields[kind] ?? []) {
      const found = valueAt(value, path);
      if (typeof found === 'string') names.add(found);
      const list = value[path[0] ?? ''];
      if (Array.isArray(list)) for (const entry of list) names.add(String(valueAt(entry, path.slice(1))));
    }
    Object.values(value).forEach(visit);
  };
  visit(template);
  return names;
}
