import { caseBuilders, type Fields, type ProblemCase } from './problem-case';

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

const { crdCase, pinionCase } = caseBuilders(statefulSet);

export const cases: readonly ProblemCase[] = [
  crdCase(
    'an update that can never start',
    { update: { maxUnavailable: 0 } },
    'invalid-combination',
    'spec.update.maxUnavailable',
    'stateful-set-update-progress',
  ),
  crdCase(
    'a partition for the OnDelete update strategy',
    { update: { strategy: 'OnDelete', partition: 2 } },
    'invalid-combination',
    'spec.update.strategy',
    'stateful-set-update-on-delete',
  ),
  crdCase(
    'claim retention without volumes',
    { persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete' } },
    'invalid-combination',
    'spec.persistentVolumeClaimRetentionPolicy',
    'stateful-set-retention',
  ),
  pinionCase(
    'a member port with the number of a client port',
    { ports: [{ name: 'redis', port: 6379, protocol: 'TCP' }], loadBalancer: { port: 6379, protocol: 'TCP' } },
    'duplicate',
    'spec.ports[0]',
    'stateful-set-ports',
  ),
  pinionCase(
    'a member port with the name of a client port',
    {
      ports: [{ name: 'bus', port: 16379, protocol: 'TCP' }],
      loadBalancer: { ports: [{ name: 'bus', port: 6379, protocol: 'TCP' }] },
    },
    'duplicate',
    'spec.ports[0]',
    'stateful-set-ports',
  ),
  pinionCase(
    'two member ports with one number',
    {
      ports: [
        { name: 'client', port: 2379, protocol: 'TCP' },
        { name: 'peer', port: 2379, protocol: 'TCP' },
      ],
    },
    'duplicate',
    'spec.ports[1].port',
    'stateful-set-port-numbers',
  ),
  crdCase(
    'two volumes with the same name',
    { volumeClaimTemplates: [data, { ...data, mountPath: '/log' }] },
    'duplicate',
    'spec.volumeClaimTemplates[1].name',
  ),
  pinionCase(
    'two volumes at one mount path',
    { volumeClaimTemplates: [data, { ...data, name: 'log' }] },
    'duplicate',
    'spec.volumeClaimTemplates[1].mountPath',
    'stateful-set-volume-path',
  ),
  pinionCase(
    'a volume with the name of a template volume',
    { volumeClaimTemplates: [data], template: template({ volumes: [{ name: 'data', emptyDir: {} }] }) },
    'duplicate',
    'spec.volumeClaimTemplates[0].name',
    'stateful-set-volume-name',
  ),
  crdCase(
    'a volume with a reserved platform name',
    { volumeClaimTemplates: [{ ...data, name: 'pinion-data' }] },
    'platform-owned',
    'spec.volumeClaimTemplates[0].name',
    'volume-name-reserved',
  ),
  pinionCase(
    'a volume of size zero',
    { volumeClaimTemplates: [{ ...data, size: 0 }] },
    'out-of-range',
    'spec.volumeClaimTemplates[0].size',
    'claim-size',
  ),
  crdCase(
    'a volume without a size',
    { volumeClaimTemplates: [{ ...data, size: undefined }] },
    'required',
    'spec.volumeClaimTemplates[0].size',
  ),
  crdCase(
    'an unknown access mode',
    { volumeClaimTemplates: [{ ...data, accessModes: ['ReadWrite'] }] },
    'unsupported-value',
    'spec.volumeClaimTemplates[0].accessModes[0]',
  ),
  crdCase('too many members', { replicas: 1001 }, 'out-of-range', 'spec.replicas'),
  crdCase('a negative first ordinal', { ordinals: { start: -1 } }, 'out-of-range', 'spec.ordinals.start'),
  crdCase(
    'an unknown pod management policy',
    { podManagementPolicy: 'ordered' },
    'unsupported-value',
    'spec.podManagementPolicy',
  ),
  crdCase(
    'two budgets',
    { disruption: { minAvailable: 2, maxUnavailable: 1 } },
    'invalid-combination',
    'spec.disruption.maxUnavailable',
    'disruption-budget',
  ),
  crdCase(
    'an explicit serviceName, which the kind sets itself',
    { template: template({ subdomain: 'cache' }) },
    'platform-owned',
    'spec.template.spec.subdomain',
  ),
  crdCase('a Service name that starts with a digit', { membersService: '2nd' }, 'bad-format', 'spec.membersService'),
  crdCase(
    'members that take the Service of the load balancer',
    { membersService: 'cache', loadBalancer: { port: 6379, protocol: 'TCP' } },
    'duplicate',
    'spec.membersService',
    'stateful-set-members-service',
  ),
  crdCase('autoscaling', { autoscaling: { minReplicas: 3, maxReplicas: 5 } }, 'unknown-field', 'spec.autoscaling'),
  pinionCase(
    'a sidecar that mounts a missing volume',
    { volumeClaimTemplates: [data], sidecars: { logs: { mounts: [{ name: 'date', mountPath: '/logs' }] } } },
    'unknown-reference',
    'spec.sidecars.logs.mounts[0].name',
  ),
];
