import {
  parseCluster,
  type ClusterCapacity,
  type ClusterConfig,
  type ClusterInput,
  type MachineUserData,
} from '../../../stacks/plan';

/** The minimal cluster configuration. */
export const plainCluster: ClusterInput = {
  name: 'shop',
  accountId: '123456789012',
  region: 'us-east-1',
  zones: ['us-east-1a', 'us-east-1b', 'us-east-1c'],
  kubernetesVersion: '1.36',
  domain: 'shop.example.com',
  images: { controlPlane: 'ami-0123456789abcdef0', worker: 'ami-0fedcba9876543210' },
  load: { nodes: 300, pods: 6000 },
};

/** A small cluster, with an on-demand and a spot pool. */
export const smallCluster: ClusterInput = {
  ...plainCluster,
  load: {
    nodes: 12,
    pods: 200,
    mix: {
      general: { kind: 'general', share: 0.8, cores: 0.5, memoryGib: 1 },
      batch: { kind: 'spot', share: 0.2, cores: 0.5, memoryGib: 1 },
    },
  },
};

/** Returns the minimal cluster configuration with the overrides of a test. */
export const makeCluster = (own: Partial<ClusterInput> = {}): ClusterConfig =>
  parseCluster({ ...plainCluster, ...own });

/** The capacity of a medium cluster with a pool of each kind. */
export const makeCapacity = (own: Partial<ClusterCapacity> = {}): ClusterCapacity => ({
  autoscaler: { maxNodes: 363, maxCores: 3288, maxMemoryGib: 14_208, scanSeconds: 10, podDelaySeconds: 30 },
  controlPlaneNodes: 3,
  controlPlaneInstanceType: 'm6i.2xlarge',
  controlPlaneRootGib: 64,
  etcd: [
    { etcd: 'main', gib: 24, type: 'gp3', iops: 3000, throughputMBps: 125 },
    { etcd: 'events', gib: 24, type: 'gp3', iops: 3000, throughputMBps: 125 },
  ],
  nodeGroups: [
    {
      pool: 'general',
      kind: 'general',
      architecture: 'amd64',
      instanceTypes: ['m6i.2xlarge'],
      min: 3,
      desired: 240,
      max: 288,
      maxPods: 32,
      rootGib: 100,
    },
    {
      pool: 'memory',
      kind: 'memory',
      architecture: 'amd64',
      instanceTypes: ['r6i.2xlarge'],
      min: 3,
      desired: 30,
      max: 36,
      maxPods: 32,
      rootGib: 100,
    },
    {
      pool: 'training',
      kind: 'accelerator',
      architecture: 'amd64',
      instanceTypes: ['g5.12xlarge'],
      min: 0,
      desired: 10,
      max: 12,
      maxPods: 32,
      rootGib: 200,
    },
    {
      pool: 'batch',
      kind: 'spot',
      architecture: 'amd64',
      instanceTypes: ['m6i.xlarge', 'm7i.xlarge', 'm5.xlarge'],
      min: 0,
      desired: 20,
      max: 24,
      maxPods: 32,
      rootGib: 100,
    },
  ],
  ...own,
});

/** Returns user data for every machine of a capacity. */
export const makeUserData = ({ nodeGroups }: ClusterCapacity): MachineUserData => ({
  controlPlane: Object.fromEntries([...'abcdef'].map((letter) => [letter, 'bWFzdGVy'])),
  pools: Object.fromEntries(nodeGroups.map(({ pool }) => [pool, 'd29ya2Vy'])),
});
