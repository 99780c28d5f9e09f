import { environmentPrefix, keys, recommended, type EnvVar } from '../../api';

const field = (name: string, fieldPath: string): EnvVar => ({
  name: `${environmentPrefix}${name}`,
  valueFrom: { fieldRef: { fieldPath } },
});
const fromLabel = (name: string, key: string) => field(name, `metadata.labels['${key}']`);
const fromAnnotation = (name: string, key: string) => field(name, `metadata.annotations['${key}']`);
const amount = (name: string, resource: string, divisor: string): EnvVar => ({
  name: `${environmentPrefix}${name}`,
  valueFrom: { resourceFieldRef: { resource, divisor } },
});

/** Who the pod is and where it runs. */
export const identityVariables: EnvVar[] = [
  field('PROJECT', 'metadata.namespace'),
  fromLabel('WORKLOAD', keys.workload),
  fromLabel('KIND', keys.kind),
  fromLabel('VERSION', recommended.version),
  fromLabel('TEAM', keys.team),
  fromLabel('TIER', keys.tier),
  fromAnnotation('IMAGE', keys.image),
  fromAnnotation('CLUSTER', keys.cluster),
  fromAnnotation('ENVIRONMENT', keys.environment),
  fromAnnotation('RUNTIME_PROFILE', keys.profile),
  field('NODE', 'spec.nodeName'),
  field('NODE_ADDRESS', 'status.hostIP'),
  field('POD', 'metadata.name'),
  field('POD_ADDRESS', 'status.podIP'),
  field('POD_UID', 'metadata.uid'),
];

/** What the container may use: CPU in millicores, memory in bytes; a limit that nobody gave is what the node has. */
const resourceVariables: EnvVar[] = [
  amount('CPU_REQUEST', 'requests.cpu', '1m'),
  amount('CPU_LIMIT', 'limits.cpu', '1m'),
  amount('MEMORY_REQUEST', 'requests.memory', '1'),
  amount('MEMORY_LIMIT', 'limits.memory', '1'),
];

/** Who answers for the pod, what made it, and until when it is meant to live. */
const collectionVariables: EnvVar[] = [
  fromAnnotation('OWNER', keys.owner),
  fromAnnotation('CREATOR', keys.creator),
  fromAnnotation('EXPIRY', keys.expiry),
];

/** Variables that every container of the app has: identity, resources, garbage collection. */
export const environment: EnvVar[] = [...identityVariables, ...resourceVariables, ...collectionVariables];
