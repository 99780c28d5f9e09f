import { type Spec } from '../../../api';
import { type PlatformRule } from '../../policies/platform-rule';
import { poolNames, unknownPaths, type RulePath } from '../../policies/rule-paths';

type ServiceRule = PlatformRule<Spec<'PinterestService'>>;
type Variant = NonNullable<Spec<'PinterestService'>['variants']>[number];

/** Amounts that a strict tier requires, by resource. */
const required = { cpu: ['requests'], memory: ['requests', 'limits'] } as const;

/** Lists the amounts that a variant's resources lack: a resource that they name replaces that of the template. */
const missingIn = ({ resources = {} }: Variant): readonly (readonly [side: string, resource: string])[] =>
  (Object.keys(required) as (keyof typeof required)[]).flatMap((resource) => {
    const has = (side: 'requests' | 'limits') => Object.hasOwn(resources[side] ?? {}, resource);
    return has('requests') || has('limits')
      ? required[resource].filter((side) => !has(side)).map((side) => [side, resource] as const)
      : [];
  });

const named = (side: string, resource: string): string =>
  `(has(v.resources.${side}) && "${resource}" in v.resources.${side})`;
const isComplete = Object.entries(required)
  .map(([resource, sides]) => {
    const has = (side: string) => named(side, resource);
    return `(!${has('requests')} && !${has('limits')} || ${sides.map(has).join(' && ')})`;
  })
  .join(' && ');

const requestPaths = ({ variants = [] }: Spec<'PinterestService'>): RulePath[] =>
  variants.flatMap((variant, index) =>
    missingIn(variant).map(([side, resource]) => ({
      path: ['variants', index, 'resources', side, resource],
      reason: `is missing in the variant ${variant.name}, whose resources replace those of the template`,
      remedy: `set resources.${side}.${resource}`,
    })),
  );

/** Platform rules for what variants override. */
export const variantPlatformRules: readonly ServiceRule[] = [
  {
    name: 'requests-stated-in-variants',
    field: ['variants'],
    cel: `!(variables.tier in variables.strictTiers) || object.spec.variants.all(v, !has(v.resources) || (${isComplete}))`,
    readsTemplates: true,
    code: 'required',
    reason: 'lacks a CPU request, a memory request or a memory limit, which the tier requires of every container',
    remedy: 'set resources.requests.cpu, resources.requests.memory and resources.limits.memory',
    paths: requestPaths,
  },
  {
    name: 'variant-pools-offered',
    field: ['variants'],
    cel: 'object.spec.variants.all(v, !has(v.pool) || params.spec.pools.exists(p, p.name == v.pool))',
    code: 'not-available',
    reason: 'names a node pool that this Platform does not offer',
    remedy: 'use one of its spec.pools',
    paths: ({ variants = [] }, context) =>
      unknownPaths(
        variants.map(({ pool }) => pool),
        poolNames(context),
        ['variants'],
        'is not a node pool of this Platform',
        'pool',
      ),
  },
];
