import { isPlainObject, valueAt } from '../../../api';
import { fieldsAt, textAt, type Fields } from './fields';
import { defaultAccount } from './role-bindings';
import { type NativeObject } from './native-object';

/** Paths of the objects with the pod templates of a kind; `*` stands for all entries of a list or map. Others have it in `spec`. */
const templateParents: Readonly<Record<string, readonly string[]>> = {
  CronJob: ['spec', 'jobTemplate', 'spec'],
  JobSet: ['spec', 'replicatedJobs', '*', 'template', 'spec'],
  TFJob: ['spec', 'tfReplicaSpecs', '*'],
  PyTorchJob: ['spec', 'pytorchReplicaSpecs', '*'],
  JAXJob: ['spec', 'jaxReplicaSpecs', '*'],
};

/** Returns the pod templates of a native workload. */
export function templatesOf(object: NativeObject): readonly Fields[] {
  let parents: readonly unknown[] = [object];
  for (const step of templateParents[object.kind] ?? ['spec'])
    parents = parents.flatMap((parent) => (step === '*' ? entriesOf(parent) : [fieldsAt(parent)[step]]));
  return parents.map((parent) => fieldsAt(parent, 'template'));
}

const entriesOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as readonly unknown[]) : Object.values(fieldsAt(value));

/** Returns the pod template of a native workload; the first one, if it has several. */
export const templateOf = (object: NativeObject): Fields => templatesOf(object)[0] ?? {};

/** Returns the name of the service account of a native workload. */
export function accountNameOf(object: NativeObject): string {
  const pod = fieldsAt(templateOf(object), 'spec');
  return textAt(pod, 'serviceAccountName') ?? textAt(pod, 'serviceAccount') ?? defaultAccount;
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
