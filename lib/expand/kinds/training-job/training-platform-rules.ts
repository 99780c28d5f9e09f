import { type Spec } from '../../../api';
import { type PlatformRule } from '../../policies/platform-rule';

type TrainingRule = PlatformRule<Spec<'PinterestTrainingJob'>>;
type Paths = NonNullable<TrainingRule['paths']>;

/** Returns the path of an unknown storage class for checkpoints. */
const checkpointPaths: Paths = ({ checkpoint }, { platform }) => [
  {
    path: ['checkpoint', 'claim', 'storageClass'],
    value: checkpoint?.claim?.storageClass,
    offered: platform.spec.storage.classes,
  },
];

/** Returns the path of an accelerator that no pool has. */
const acceleratorPaths: Paths = ({ accelerators }, { platform }) => [
  {
    path: ['accelerators', 'resource'],
    value: accelerators?.resource,
    offered: [...new Set(platform.spec.pools.flatMap((pool) => pool.accelerators))],
  },
];

/** Returns the path of a pool without the accelerator. */
const acceleratorPoolPaths: Paths = ({ accelerators, placement }, { platform }) => {
  if (!accelerators) return [];
  const { resource } = accelerators;
  const matchingPools = platform.spec.pools.filter((pool) => pool.accelerators.includes(resource));
  return [
    {
      path: ['placement', 'pool'],
      value: placement.pool,
      reason: `is a pool whose nodes do not have ${resource}`,
      offered: matchingPools.map(({ name }) => name),
    },
  ];
};

/** Platform rules for training jobs: the Platform must offer their storage class and accelerators. */
export const trainingPlatformRules: readonly TrainingRule[] = [
  {
    name: 'checkpoint-class-offered',
    field: ['checkpoint', 'claim', 'storageClass'],
    cel: 'size(params.spec.storage.classes) == 0 || object.spec.checkpoint.claim.storageClass in params.spec.storage.classes',
    code: 'not-available',
    reason: 'is not a storage class of this Platform',
    remedy: 'use one of its spec.storage.classes',
    paths: checkpointPaths,
  },
  {
    name: 'accelerator-offered',
    field: ['accelerators', 'resource'],
    cel: 'params.spec.pools.exists(p, object.spec.accelerators.resource in p.accelerators)',
    code: 'not-available',
    reason: 'is an accelerator that no pool of this Platform has',
    remedy: 'use one of the accelerators of its spec.pools',
    paths: acceleratorPaths,
  },
  {
    name: 'accelerator-in-pool',
    field: ['accelerators'],
    otherFields: ['placement'],
    cel: '!has(object.spec.placement) || !has(object.spec.placement.pool) || params.spec.pools.all(p, p.name != object.spec.placement.pool || object.spec.accelerators.resource in p.accelerators)',
    code: 'not-available',
    reason: 'are not available in the chosen pool',
    remedy: 'choose a pool that has them, or remove placement.pool',
    paths: acceleratorPoolPaths,
  },
];
