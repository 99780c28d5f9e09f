import { imageFault } from '../values/image-reference';
import { type FieldPath } from '../problem';
import { entryListAt } from './own-volumes';
import { type ValidationRule } from './validation-rule';

/** Rules across the fields of one variant. */
export const variantRules: readonly ValidationRule[] = [
  {
    name: 'variant-replicas-or-autoscaling',
    cel: '!has(self.replicas) || !has(self.autoscaling)',
    fieldPath: ['autoscaling'],
    reason: 'cannot be combined with replicas',
    remedy: 'set only one of them',
  },
  {
    name: 'image-reference',
    cel: 'true',
    where: 'client',
    reads: ['image'],
    find: ({ image }) => {
      const fault = typeof image === 'string' && /^\S+$/.test(image) ? imageFault(image) : undefined;
      return fault ? [{ path: ['image'], value: image, ...fault }] : [];
    },
    reason: 'is not an image reference',
    remedy: 'write it as registry.example.com/shop/cart:1.4.2',
    code: 'bad-format',
  },
];

/** Rules for a workload with variants: each of them has its own number of pods, and they run side by side. */
export const variantsRules: readonly ValidationRule[] = [
  ...(['replicas', 'autoscaling'] as const).map((field): ValidationRule => ({
    name: `variants-or-${field}`,
    cel: `!has(self.variants) || !has(self.${field})`,
    fieldPath: [field],
    reason: 'cannot be combined with variants, each of which has its own number of pods',
    remedy: `remove it, and set ${field} of the variants`,
  })),
  {
    name: 'variants-run-together',
    cel: '!has(self.variants) || self.rollout.strategy != "Recreate"',
    fieldPath: ['rollout', 'strategy'],
    reason: 'is for versions that cannot run at the same time, and variants do',
    remedy: 'use RollingUpdate, or remove variants',
  },
  {
    name: 'variant-autoscaling-container',
    cel: 'true',
    where: 'client',
    reads: ['variants', 'template'],
    find: (self) => {
      const names = entryListAt(self, ['template', 'spec', 'containers']).map(({ name }) => name);
      return entryListAt(self, ['variants']).flatMap((variant, index): FieldPath[] => {
        const { container } = (variant['autoscaling'] ?? {}) as { readonly container?: unknown };
        return container === undefined || names.includes(container)
          ? []
          : [['variants', index, 'autoscaling', 'container']];
      });
    },
    reason: 'must be the name of a container of the template',
    remedy: 'use the name of a container, or omit it for the whole pod',
    code: 'unknown-reference',
  },
];
