import { formatQuantity, parseQuantity, roundUpQuantity, type Spec, type VolumeMount } from '../../../api';
import { type ProjectContext } from '../../project-context';

type Claims = Spec<'PinterestStatefulSet'>['volumeClaimTemplates'];

/**
 * Claim templates as a StatefulSet has them.
 *
 * They can never change, so that nothing is in them that might: no version, no team. The labels of the selector are added to
 * each claim by Kubernetes.
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
