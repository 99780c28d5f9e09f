import { formatQuantity, parseQuantity, roundUpQuantity, type Spec, type VolumeMount } from '../../../api';
import { type ProjectContext } from '../../project-context';

type Claims = Spec<'PinterestStatefulSet'>['volumeClaimTemplates'];

/**
 * Returns the volume claim templates of a StatefulSet.
 *
 * They are immutable, so they have no labels that can change, such as version or team. Kubernetes adds the labels of the
 * selector to each claim.
 */
export const volumeClaimTemplates = (claims: Claims, context: ProjectContext) =>
  claims.map(({ name, labels, accessModes, size, storageClass }) => {
    const storageClassName = storageClass ?? context.platform.spec.storage.defaultClass;
    return {
      metadata: { name, ...(labels && { labels }) },
      spec: {
        accessModes,
        resources: { requests: { storage: wholeBytes(size) } },
        ...(storageClassName !== undefined && { storageClassName }),
      },
    };
  });

/** Returns the mounts of claims. */
export const claimMounts = (claims: Claims): VolumeMount[] =>
  claims.map(({ name, mountPath, subPath }) => ({ name, mountPath, ...(subPath !== undefined && { subPath }) }));

const oneByte = 1_000_000_000n;

/** Rounds up to whole bytes; Kubernetes warns about fractions, such as those of `0.05Ti`. */
function wholeBytes(size: string): string {
  const parsed = parseQuantity(size);
  return parsed ? formatQuantity(roundUpQuantity(parsed, oneByte)) : size;
}
