import { valueAt } from '../../../api';
import { entriesAt, fieldsAt, fieldIfSet, isSame, labelsAt, textAt, type Fields } from './fields';
import { mountsOf, withoutMounts } from './mounts';
import { type NativeObject } from './native-object';
import { type AddNote } from './note';

/** Converts the volume claim templates of a StatefulSet; returns them and its pod template without their mounts. */
export function claimsOf(
  statefulSet: NativeObject,
  template: Fields,
  note: AddNote,
): { readonly claims: readonly Fields[]; readonly template: Fields } {
  const spec = fieldsAt(template, 'spec');
  const containers = entriesAt(spec, 'containers');
  const claims = entriesAt(statefulSet, 'spec', 'volumeClaimTemplates').map((claim, index) =>
    claimOf(claim, containers, (message) => note(`volumeClaimTemplates[${index}]`, message)),
  );
  const names = new Set(claims.map(({ name }) => name));
  return { claims, template: { ...template, spec: { ...spec, containers: withoutMounts(containers, names) } } };
}

function claimOf(claim: Fields, containers: readonly Fields[], note: (message: string) => void) {
  const name = textAt(claim, 'metadata', 'name') ?? '';
  const { first, differ, everywhere } = mountsOf(containers, name);
  if (!first) note(`${name} is mounted by no container; choose its mountPath in spec.volumeClaimTemplates`);
  if (differ) note(`${name} is mounted with different settings; every container now uses those of the first mount`);
  else if (first && !everywhere) note(`${name} is now mounted into every container, not only one`);
  if (first?.['readOnly'] === true)
    note(`${name} was mounted read-only, which claims do not support; it is now writable`);
  const modes = valueAt(claim, ['spec', 'accessModes']);
  return {
    name,
    mountPath: first?.['mountPath'] ?? `/var/lib/${name}`,
    ...fieldIfSet('subPath', first?.['subPath']),
    size: valueAt(claim, ['spec', 'resources', 'requests', 'storage']),
    ...fieldIfSet('storageClass', textAt(claim, 'spec', 'storageClassName')),
    ...(isSame(modes, ['ReadWriteOnce']) ? {} : fieldIfSet('accessModes', modes)),
    ...fieldIfSet('labels', labelsAt(claim, 'metadata', 'labels')),
  };
}
