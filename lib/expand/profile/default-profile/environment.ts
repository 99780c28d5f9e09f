import { environmentPrefix, metadataKeys, recommended, type EnvVar } from '../../../api';

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

/** Variables with the pod's identity and location. */
export const identityVariables: EnvVar[] = [
  field('PROJECT', 'metadata.namespace'),
  fromLabel('WORKLOAD', metadataKeys.workload),
  fromLabel('KIND', metadataKeys.kind),
  fromLabel('VERSION', recommended.version),
  fromLabel('TEAM', metadataKeys.team),
  fromLabel('TIER', metadataKeys.tier),
  fromAnnotation('IMAGE', metadataKeys.image),
  fromAnnotation('CLUSTER', metadataKeys.cluster),
  fromAnnotation('ENVIRONMENT', metadataKeys.environment),
  fromAnnotation('RUNTIME_PROFILE', metadataKeys.profile),
  field('NODE', 'spec.nodeName'),
  field('NODE_ADDRESS', 'status.hostIP'),
  field('POD', 'metadata.name'),
  field('POD_ADDRESS', 'status.podIP'),
  field('POD_UID', 'metadata.uid'),
];

/** Variables with the container's resources: CPU in millicores, memory in bytes; an unset limit is the node's capacity. */
const resourceVariables: EnvVar[] = [
  amount('CPU_REQUEST', 'requests.cpu', '1m'),
  amount('CPU_LIMIT', 'limits.cpu', '1m'),
  amount('MEMORY_REQUEST', 'requests.memory', '1'),
  amount('MEMORY_LIMIT', 'limits.memory', '1'),
];

/** Variables for garbage collection: the pod's owner, creator and expiry. */
const collectionVariables: EnvVar[] = [
  fromAnnotation('OWNER', metadataKeys.owner),
  fromAnnotation('CREATOR', metadataKeys.creator),
  fromAnnotation('EXPIRY', metadataKeys.expiry),
];

/** Variables of every container of the app: identity, resources, garbage collection. */
export const environment: EnvVar[] = [...identityVariables, ...resourceVariables, ...collectionVariables];
