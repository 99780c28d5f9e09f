import { caseBuilders, type Fields, type ProblemCase } from './problem-case';

const template = (pod: Fields = {}, container: Fields = {}) => ({
  spec: { containers: [{ name: 'agent', image: 'registry.example.com/agent:1.0.0', ...container }], ...pod },
});
const daemon = (spec: Fields) => ({
  apiVersion: 'pinterest.com/v1',
  kind: 'PinterestDaemon',
  metadata: { name: 'agent', namespace: 'infra' },
  spec: { template: template(), ...spec },
});
const logs = { name: 'logs', path: '/var/log', mountPath: '/host/log' };

const { crdCase, pinionCase } = caseBuilders(daemon);

export const cases: readonly ProblemCase[] = [
  crdCase(
    'an update that can never start',
    { update: { maxUnavailable: '0%' } },
    'invalid-combination',
    'spec.update.maxUnavailable',
    'daemon-update-progress',
  ),
  pinionCase(
    'two ports with one number',
    {
      ports: [
        { name: 'statsd', port: 8125, protocol: 'UDP' },
        { name: 'events', port: 8125, protocol: 'UDP' },
      ],
    },
    'duplicate',
    'spec.ports[1].port',
    'daemon-port-numbers',
  ),
  crdCase(
    'an update with surge and maxUnavailable',
    { update: { maxUnavailable: 1, maxSurge: '10%' } },
    'invalid-combination',
    'spec.update.maxSurge',
    'daemon-update-one-way',
  ),
  crdCase(
    'a rate for the OnDelete update strategy',
    { update: { strategy: 'OnDelete', maxUnavailable: 2 } },
    'invalid-combination',
    'spec.update.strategy',
    'daemon-update-on-delete',
  ),
  crdCase(
    'a surge with host networking, which makes ports conflict',
    { update: { maxSurge: 1 }, host: { network: true } },
    'invalid-combination',
    'spec.update.maxSurge',
    'daemon-surge-host-network',
  ),
  pinionCase(
    'a surge with a host port',
    { update: { maxSurge: 1 }, template: template({}, { ports: [{ containerPort: 53, hostPort: 53 }] }) },
    'invalid-combination',
    'spec.update.maxSurge',
    'daemon-surge-host-port',
  ),
  crdCase(
    'tolerations in addition to a toleration of everything',
    { tolerations: [{ key: 'example.com/spot', operator: 'Exists' }] },
    'invalid-combination',
    'spec.tolerations',
    'daemon-tolerations',
  ),
  crdCase(
    'pool instead of pools',
    { placement: { pool: 'general' } },
    'invalid-combination',
    'spec.placement.pool',
    'daemon-pool',
  ),
  crdCase(
    'a spread constraint for one pod per node',
    { placement: { spread: { zones: 'Required' } } },
    'invalid-combination',
    'spec.placement.spread',
    'daemon-spread',
  ),
  crdCase(
    'two priorities',
    { critical: true, tier: 'standard' },
    'invalid-combination',
    'spec.tier',
    'daemon-critical-tier',
  ),
  crdCase(
    'a volume with a reserved platform name',
    { host: { paths: [{ ...logs, name: 'pinion-logs' }] } },
    'platform-owned',
    'spec.host.paths[0].name',
    'volume-name-reserved',
  ),
  pinionCase(
    'a host path with the name of another volume',
    { host: { paths: [logs] }, template: template({ volumes: [{ name: 'logs', emptyDir: {} }] }) },
    'duplicate',
    'spec.host.paths[0].name',
    'daemon-volume-name',
  ),
  pinionCase(
    'two host paths at one mount path',
    { host: { paths: [logs, { ...logs, name: 'journal', path: '/var/log/journal' }] } },
    'duplicate',
    'spec.host.paths[1].mountPath',
    'daemon-volume-path',
  ),
  crdCase(
    'a host path that the project does not allow',
    { template: template({ volumes: [{ name: 'docker', hostPath: { path: '/var/run/docker.sock' } }] }) },
    'platform-owned',
    'spec.template.spec.volumes[0].hostPath',
    'daemon-host-path-volume',
  ),
  crdCase(
    'a network policy for host network pods',
    { host: { network: true }, access: { from: [{ project: 'shop' }] } },
    'invalid-combination',
    'spec.access',
    'daemon-host-network-access',
  ),
  crdCase('an empty budget', { nodeBudget: {} }, 'required', 'spec.nodeBudget', 'daemon-budget'),
  crdCase(
    'a budget that is not a quantity',
    { nodeBudget: { memory: '256 MB' } },
    'bad-format',
    'spec.nodeBudget.memory',
  ),
  crdCase('no pools at all', { pools: [] }, 'out-of-range', 'spec.pools'),
  crdCase(
    'host access in the pod template',
    { template: template({ hostNetwork: true }) },
    'platform-owned',
    'spec.template.spec.hostNetwork',
  ),
  crdCase('a number of replicas', { replicas: 3 }, 'unknown-field', 'spec.replicas'),
  pinionCase(
    'a daemon in a project that is not for infrastructure',
    {},
    'not-available',
    'spec',
    'daemon-infrastructure',
  ),
  pinionCase(
    'a pool that the Platform does not have',
    { pools: ['quantum'] },
    'not-available',
    'spec.pools[0]',
    'daemon-pools-offered',
  ),
];
