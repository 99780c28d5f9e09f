import { casesAbout, type Fields, type ProblemCase } from './problem-case';

const template = (pod: Fields = {}) => ({
  spec: { containers: [{ name: 'redis', image: 'registry.example.com/redis:8.2.1' }], ...pod },
});
const statefulSet = (spec: Fields) => ({
  apiVersion: 'pinterest.com/v1',
  kind: 'PinterestStatefulSet',
  metadata: { name: 'cache', namespace: 'shop' },
  spec: { replicas: 3, template: template(), ...spec },
});
const data = { name: 'data', mountPath: '/data', size: '10Gi' };

const { broken, seenByUs } = casesAbout(statefulSet);

export const cases: readonly ProblemCase[] = [
  broken(
    'an update that can never begin',
    { update: { maxUnavailable: 0 } },
    'invalid-combination',
    'spec.update.maxUnavailable',
    'stateful-set-update-progress',
  ),
  broken(
    'a partition of an update that nobody makes',
    { update: { strategy: 'OnDelete', partition: 2 } },
    'invalid-combination',
    'spec.update.strategy',
    'stateful-set-update-on-delete',
  ),
  broken(
    'the end of volumes that do not exist',
    { persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete' } },
    'invalid-combination',
    'spec.persistentVolumeClaimRetentionPolicy',
    'stateful-set-retention',
  ),
  seenByUs(
    'a port of members with the number of a port of clients',
    { ports: [{ name: 'redis', port: 6379, protocol: 'TCP' }], loadBalancer: { port: 6379, protocol: 'TCP' } },
    'duplicate',
    'spec.ports[0]',
    'stateful-set-ports',
  ),
  seenByUs(
    'a port of members with the name of a port of clients',
    {
      ports: [{ name: 'bus', port: 16379, protocol: 'TCP' }],
      loadBalancer: { ports: [{ name: 'bus', port: 6379, protocol: 'TCP' }] },
    },
    'duplicate',
    'spec.ports[0]',
    'stateful-set-ports',
  ),
  broken(
    'two volumes of one name',
    { volumeClaimTemplates: [data, { ...data, mountPath: '/log' }] },
    'duplicate',
    'spec.volumeClaimTemplates[1].name',
  ),
  seenByUs(
    'two volumes at one place',
    { volumeClaimTemplates: [data, { ...data, name: 'log' }] },
    'duplicate',
    'spec.volumeClaimTemplates[1].mountPath',
    'stateful-set-volume-path',
  ),
  seenByUs(
    'a volume with the name of one of the template',
    { volumeClaimTemplates: [data], template: template({ volumes: [{ name: 'data', emptyDir: {} }] }) },
    'duplicate',
    'spec.volumeClaimTemplates[0].name',
    'stateful-set-volume-name',
  ),
  broken(
    'a volume that is named as if the platform had added it',
    { volumeClaimTemplates: [{ ...data, name: 'pinion-data' }] },
    'platform-owned',
    'spec.volumeClaimTemplates[0].name',
    'volume-name-reserved',
  ),
  seenByUs(
    'a volume of no size',
    { volumeClaimTemplates: [{ ...data, size: 0 }] },
    'out-of-range',
    'spec.volumeClaimTemplates[0].size',
    'claim-size',
  ),
  broken(
    'a volume without a size',
    { volumeClaimTemplates: [{ ...data, size: undefined }] },
    'required',
    'spec.volumeClaimTemplates[0].size',
  ),
  broken(
    'a way to mount that does not exist',
    { volumeClaimTemplates: [{ ...data, accessModes: ['ReadWrite'] }] },
    'unsupported-value',
    'spec.volumeClaimTemplates[0].accessModes[0]',
  ),
  broken('too many members', { replicas: 1001 }, 'out-of-range', 'spec.replicas'),
  broken('a first member below 0', { ordinals: { start: -1 } }, 'out-of-range', 'spec.ordinals.start'),
  broken(
    'an order that does not exist',
    { podManagementPolicy: 'ordered' },
    'unsupported-value',
    'spec.podManagementPolicy',
  ),
  broken(
    'two budgets',
    { disruption: { minAvailable: 2, maxUnavailable: 1 } },
    'invalid-combination',
    'spec.disruption.maxUnavailable',
    'disruption-budget',
  ),
  broken(
    'a service of its own that the kind makes',
    { template: template({ subdomain: 'cache' }) },
    'platform-owned',
    'spec.template.spec.subdomain',
  ),
  broken('autoscaling', { autoscaling: { minReplicas: 3, maxReplicas: 5 } }, 'unknown-field', 'spec.autoscaling'),
  seenByUs(
    'a sidecar that mounts what is not there',
    { volumeClaimTemplates: [data], sidecars: { logs: { mounts: [{ name: 'date', mountPath: '/logs' }] } } },
    'unknown-reference',
    'spec.sidecars.logs.mounts[0].name',
  ),
];
