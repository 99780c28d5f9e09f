import { entriesAt, fieldsAt, given, isSame, textAt, without, type Fields } from './import-fields';

/** Access to machines that a daemon's pods have, and its template without it. */
export function hostOf(
  pod: Fields,
  template: Fields,
  note: (path: string, message: string) => void,
): { readonly host: Fields; readonly template: Fields } {
  const containers = entriesAt(template, 'spec', 'containers');
  const volumes = entriesAt(template, 'spec', 'volumes');
  const onHost = volumes.filter((volume) => volume['hostPath'] !== undefined);
  const names = new Set(onHost.map(({ name }) => String(name)));
  const paths = onHost.map((volume) => {
    const name = String(volume['name']);
    const mounts = containers.flatMap((container) =>
      entriesAt(container, 'volumeMounts').filter((mount) => mount['name'] === name),
    );
    const [first] = mounts;
    const path = textAt(volume, 'hostPath', 'path');
    if (mounts.some((mount) => !isSame(mount, first)) || mounts.length < containers.length)
      note(
        'template.spec.volumes',
        `${name} is seen by every container now, at ${String(first?.['mountPath'] ?? path)}`,
      );
    return {
      name,
      path,
      mountPath: first?.['mountPath'] ?? path,
      ...(first?.['readOnly'] !== true && { readOnly: false }),
      ...given('type', textAt(volume, 'hostPath', 'type')),
      ...(first?.['mountPropagation'] === 'HostToContainer' && { followMounts: true }),
    };
  });
  const free = (list: readonly Fields[]) => list.filter(({ name }) => !names.has(String(name)));
  const spec = fieldsAt(template, 'spec');
  const unmounted = containers.map((container) => ({
    ...without(container, 'volumeMounts'),
    ...given('volumeMounts', free(entriesAt(container, 'volumeMounts'))),
  }));
  return {
    host: {
      ...(pod['hostNetwork'] === true && { network: true }),
      ...(pod['hostPID'] === true && { pid: true }),
      ...(pod['hostIPC'] === true && { ipc: true }),
      ...given('paths', paths),
    },
    template: {
      ...template,
      spec: { ...without(spec, 'volumes'), ...given('volumes', free(volumes)), containers: unmounted },
    },
  };
}
