import { entriesAt, fieldsAt, fieldIfSet, textAt, without, type Fields } from './fields';
import { mountsOf, withoutMounts } from './mounts';
import { type AddNote } from './note';

/** Converts the host access of a DaemonSet's pods; returns it and the pod template without it. */
export function hostOf(
  pod: Fields,
  template: Fields,
  note: AddNote,
): { readonly host: Fields; readonly template: Fields } {
  const spec = fieldsAt(template, 'spec');
  const containers = entriesAt(spec, 'containers');
  const volumes = entriesAt(spec, 'volumes');
  const isHostPath = (volume: Fields): boolean => volume['hostPath'] !== undefined;
  const paths = volumes.filter(isHostPath).map((volume) => pathOf(volume, containers, note));
  const names = new Set(paths.map(({ name }) => name));
  const others = volumes.filter(({ name }) => !names.has(String(name)));
  return {
    host: {
      ...(pod['hostNetwork'] === true && { network: true }),
      ...(pod['hostPID'] === true && { pid: true }),
      ...(pod['hostIPC'] === true && { ipc: true }),
      ...fieldIfSet('paths', paths),
    },
    template: {
      ...template,
      spec: {
        ...without(spec, 'volumes'),
        ...fieldIfSet('volumes', others),
        containers: withoutMounts(containers, names),
      },
    },
  };
}

function pathOf(volume: Fields, containers: readonly Fields[], note: AddNote) {
  const name = String(volume['name']);
  const path = textAt(volume, 'hostPath', 'path');
  const { first, differ, everywhere } = mountsOf(containers, name);
  const mountPath = first?.['mountPath'] ?? path;
  if (differ || !everywhere)
    note('template.spec.volumes', `${name} is now mounted into every container, at ${String(mountPath)}`);
  return {
    name,
    path,
    mountPath,
    ...(first?.['readOnly'] !== true && { readOnly: false }),
    ...fieldIfSet('type', textAt(volume, 'hostPath', 'type')),
    ...(first?.['mountPropagation'] === 'HostToContainer' && { followMounts: true }),
  };
}
