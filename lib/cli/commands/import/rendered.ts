import { environmentPrefix, group, metadataKeys, manager, recommended, reservedPrefix } from '../../../api';
import { entriesAt, fieldsAt, fieldIfSet, labelsAt, without, type Fields } from './fields';
import { type NativeObject } from './native-object';

/** Returns whether pinion generated an object, for example by rendering it for use without a controller. */
export const isRendered = ({ metadata: { labels = {} } }: NativeObject): boolean =>
  labels[recommended.managedBy] === manager && labels[metadataKeys.workload] !== undefined;

const recommendedKeys: readonly string[] = Object.values(recommended);

/** Returns whether pinion added a label or annotation to a rendered object. */
export const isAddedKey = (key: string): boolean => key.startsWith(`${group}/`) || recommendedKeys.includes(key);

/** Returns a rendered template without the additions of the platform: keys, variables, containers, volumes and mounts. */
export function withoutAdded(template: Fields): Fields {
  const spec = fieldsAt(template, 'spec');
  const containers = (list: string) => unreserved(spec, list).map(withoutAddedVariables);
  const metadata = fieldsAt(template, 'metadata');
  const ownKeys = (map: string) => Object.entries(labelsAt(metadata, map)).filter(([key]) => !isAddedKey(key));
  return {
    ...template,
    metadata: {
      ...without(metadata, 'labels', 'annotations'),
      ...fieldIfSet('labels', Object.fromEntries(ownKeys('labels'))),
      ...fieldIfSet('annotations', Object.fromEntries(ownKeys('annotations'))),
    },
    spec: {
      ...without(spec, 'initContainers', 'volumes'),
      containers: containers('containers'),
      ...fieldIfSet('initContainers', containers('initContainers')),
      ...fieldIfSet('volumes', unreserved(spec, 'volumes')),
    },
  };
}

function withoutAddedVariables(container: Fields): Fields {
  const env = entriesAt(container, 'env').filter(({ name }) => !String(name).startsWith(environmentPrefix));
  return {
    ...without(container, 'env', 'volumeMounts'),
    ...fieldIfSet('env', env),
    ...fieldIfSet('volumeMounts', unreserved(container, 'volumeMounts')),
  };
}

const unreserved = (fields: Fields, list: string): readonly Fields[] =>
  entriesAt(fields, list).filter(({ name }) => !String(name).startsWith(reservedPrefix));
