import { isPlainObject } from '../../../../api';
import { entriesAt, fieldsAt, fieldIfSet, textAt, without, type Fields } from '../fields';
import { podWithoutDefaults } from '../pod-defaults';
import { withoutToolKeys } from '../tool-keys';

const containerLists = ['containers', 'initContainers'] as const;

/** Returns a pod template without defaults, and with the source of each volume at its mounts: the names of volumes may change. */
export function comparableTemplate(template: Fields): Fields {
  const spec = podWithoutDefaults(fieldsAt(template, 'spec'));
  const volumes = new Map(
    entriesAt(spec, 'volumes').map((volume) => [String(volume['name']), without(volume, 'name')]),
  );
  const mounted = new Set(
    containerLists.flatMap((list) =>
      entriesAt(spec, list).flatMap((container) =>
        entriesAt(container, 'volumeMounts').map(({ name }) => String(name)),
      ),
    ),
  );
  const withSources = (container: Fields): Fields => ({
    ...container,
    ...fieldIfSet(
      'volumeMounts',
      entriesAt(container, 'volumeMounts').map((mount) => mountWithSource(mount, volumes)),
    ),
  });
  const metadata = fieldsAt(template, 'metadata');
  return {
    metadata: {
      labels: withoutToolKeys(fieldsAt(metadata, 'labels')),
      annotations: withoutToolKeys(fieldsAt(metadata, 'annotations')),
    },
    spec: {
      ...without(spec, 'volumes', 'serviceAccount', 'restartPolicy'),
      ...Object.fromEntries(containerLists.map((list) => [list, entriesAt(spec, list).map(withSources)])),
      ...fieldIfSet(
        'volumes',
        entriesAt(spec, 'volumes').filter(({ name }) => !mounted.has(String(name))),
      ),
      ...(spec['restartPolicy'] !== undefined && { restartPolicy: spec['restartPolicy'] }),
    },
  };
}

function mountWithSource(mount: Fields, volumes: ReadonlyMap<string, Fields>): Fields {
  const name = textAt(mount, 'name') ?? '';
  const source = volumes.get(name);
  const plain = Object.fromEntries(
    Object.entries(without(mount, 'name')).filter(([key, value]) => !(key === 'readOnly' && value === false)),
  );
  return { ...plain, volume: source === undefined ? { claimTemplate: name } : withoutEmptyType(source) };
}

/** Removes the default type of host paths, an empty text. */
const withoutEmptyType = (source: Fields): Fields =>
  isPlainObject(source['hostPath']) && source['hostPath']['type'] === ''
    ? { ...source, hostPath: without(source['hostPath'], 'type') }
    : source;
