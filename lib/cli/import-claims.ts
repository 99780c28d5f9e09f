import { valueAt } from '../api';
import {
  entriesAt,
  fieldsAt,
  given,
  isSame,
  labelsAt,
  textAt,
  without,
  type Fields,
  type NativeObject,
} from './import-fields';

/** The claims of a set, and its template without their mounts. */
export function claimsOf(
  set: NativeObject,
  template: Fields,
  note: (path: string, message: string) => void,
): { readonly claims: readonly Fields[]; readonly template: Fields } {
  const containers = entriesAt(template, 'spec', 'containers');
  const claims = entriesAt(set, 'spec', 'volumeClaimTemplates').map((claim, index) => {
    const name = textAt(claim, 'metadata', 'name') ?? '';
    const mounts = containers.flatMap((container) =>
      entriesAt(container, 'volumeMounts').filter((mount) => mount['name'] === name),
    );
    const [first] = mounts;
    if (!first)
      note(`volumeClaimTemplates[${index}]`, `${name} is mounted by no container; choose its mountPath in spec.claims`);
    if (mounts.some((mount) => !isSame(mount, first)))
      note(
        `volumeClaimTemplates[${index}]`,
        `${name} is mounted in several ways, and every container sees it at the first one now`,
      );
    else if (first && mounts.length < containers.length)
      note(`volumeClaimTemplates[${index}]`, `${name} is seen by every container now, not by one alone`);
    if (first?.['readOnly'] === true)
      note(
        `volumeClaimTemplates[${index}]`,
        `${name} is mounted for reading only, which claims cannot say; it can be written now`,
      );
    const modes = valueAt(claim, ['spec', 'accessModes']);
    return {
      name,
      mountPath: first?.['mountPath'] ?? `/var/lib/${name}`,
      ...given('subPath', first?.['subPath']),
      size: valueAt(claim, ['spec', 'resources', 'requests', 'storage']),
      ...given('storageClass', textAt(claim, 'spec', 'storageClassName')),
      ...(isSame(modes, ['ReadWriteOnce']) ? {} : given('accessModes', modes)),
      ...given('labels', labelsAt(claim, 'metadata', 'labels')),
    };
  });
  const names = new Set(claims.map(({ name }) => name));
  const spec = fieldsAt(template, 'spec');
  const unmounted = containers.map((container) => ({
    ...without(container, 'volumeMounts'),
    ...given(
      'volumeMounts',
      entriesAt(container, 'volumeMounts').filter((mount) => !names.has(String(mount['name']))),
    ),
  }));
  return { claims, template: { ...template, spec: { ...spec, containers: unmounted } } };
}
