import { type PlatformRule } from './platform-rule';
import { unknownPaths } from './rule-paths';

interface WithVolumeClaims {
  readonly volumeClaimTemplates?: readonly { readonly storageClass?: string | undefined }[] | undefined;
}

/** Returns the rule that the Platform offers the storage classes of volume claim templates. */
export const storageClassRule = (name: string): PlatformRule<WithVolumeClaims> => ({
  name,
  field: ['volumeClaimTemplates'],
  cel: 'size(params.spec.storage.classes) == 0 || object.spec.volumeClaimTemplates.all(c, !has(c.storageClass) || c.storageClass in params.spec.storage.classes)',
  code: 'not-available',
  reason: 'names a storage class that this Platform does not offer',
  remedy: 'use one of its spec.storage.classes',
  paths: ({ volumeClaimTemplates = [] }, { platform }) =>
    unknownPaths(
      volumeClaimTemplates.map(({ storageClass }) => storageClass),
      platform.spec.storage.classes,
      ['volumeClaimTemplates'],
      'is not a storage class of this Platform',
      'storageClass',
    ),
});
