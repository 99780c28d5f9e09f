import {
  environmentPrefix,
  group,
  keys,
  manager,
  pinionKinds,
  recommended,
  reservedPrefix,
  type PinionKind,
  type Problem,
} from '../api';
import { entriesAt, fieldsAt, given, labelsAt, without, type Fields, type NativeObject } from './import-fields';

/** Why an object is nothing to import: a custom resource of ours made it and keeps it; undefined where none does. */
export function ownedProblem(object: NativeObject, namespace: string): Problem | undefined {
  const owners = entriesAt(object, 'metadata', 'ownerReferences');
  const owner = owners.find(
    ({ apiVersion, controller }) => controller === true && String(apiVersion).startsWith(`${group}/`),
  );
  if (!owner) return undefined;
  const [kind, name] = [String(owner['kind']), String(owner['name'])];
  const known = Object.hasOwn(pinionKinds, kind) ? pinionKinds[kind as PinionKind] : undefined;
  const place = object.metadata.namespace ?? namespace;
  const at = known?.scope === 'Cluster' ? '' : ` -n ${place}`;
  return {
    code: 'platform-owned',
    path: ['metadata', 'ownerReferences'],
    reason: `it belongs to ${kind} ${name} already, which keeps it as it says`,
    remedy: `change that one instead: kubectl get ${known?.shortNames[0] ?? kind.toLowerCase()} ${name}${at} -o yaml`,
    object: `${object.kind} ${place}/${object.metadata.name}`,
  };
}

/** Whether pinion made an object, as where it was rendered and applied without a controller. */
export const isRendered = ({ metadata: { labels = {} } }: NativeObject): boolean =>
  labels[recommended.managedBy] === manager && labels[keys.workload] !== undefined;

const recommendedKeys: readonly string[] = Object.values(recommended);

/** Whether a label or an annotation of a rendered object was added to what a person wrote. */
export const isAddedKey = (key: string): boolean => key.startsWith(`${group}/`) || recommendedKeys.includes(key);

/** A rendered template without what the platform added to it: keys, variables, containers, volumes and their mounts. */
export function withoutAdded(template: Fields): Fields {
  const spec = fieldsAt(template, 'spec');
  const containers = (list: string) => unreserved(spec, list).map(withoutAddedVariables);
  const metadata = fieldsAt(template, 'metadata');
  const ownKeys = (map: string) => Object.entries(labelsAt(metadata, map)).filter(([key]) => !isAddedKey(key));
  return {
    ...template,
    metadata: {
      ...without(metadata, 'labels', 'annotations'),
      ...given('labels', Object.fromEntries(ownKeys('labels'))),
      ...given('annotations', Object.fromEntries(ownKeys('annotations'))),
    },
    spec: {
      ...without(spec, 'initContainers', 'volumes'),
      containers: containers('containers'),
      ...given('initContainers', containers('initContainers')),
      ...given('volumes', unreserved(spec, 'volumes')),
    },
  };
}

function withoutAddedVariables(container: Fields): Fields {
  const env = entriesAt(container, 'env').filter(({ name }) => !String(name).startsWith(environmentPrefix));
  return {
    ...without(container, 'env', 'volumeMounts'),
    ...given('env', env),
    ...given('volumeMounts', unreserved(container, 'volumeMounts')),
  };
}

const unreserved = (fields: Fields, list: string): readonly Fields[] =>
  entriesAt(fields, list).filter(({ name }) => !String(name).startsWith(reservedPrefix));
