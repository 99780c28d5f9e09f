import { casesAbout, type Fields, type ProblemCase } from './problem-case';

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

const { broken, seenByUs } = casesAbout(daemon);

export const cases: readonly ProblemCase[] = [
  broken(
    'an update that can never begin',
    { update: { maxUnavailable: '0%' } },
    'invalid-combination',
    'spec.update.maxUnavailable',
    'daemon-update-progress',
  ),
  broken(
    'an update that goes both ways at once',
    { update: { maxUnavailable: 1, maxSurge: '10%' } },
    'invalid-combination',
    'spec.update.maxSurge',
    'daemon-update-one-way',
  ),
  broken(
    'a pace for an update that nobody makes',
    { update: { strategy: 'OnDelete', maxUnavailable: 2 } },
    'invalid-combination',
    'spec.update.strategy',
    'daemon-update-on-delete',
  ),
  broken(
    'two pods in the network of one node, whose ports would collide',
    { update: { maxSurge: 1 }, host: { network: true } },
    'invalid-combination',
    'spec.update.maxSurge',
    'daemon-surge-host-network',
  ),
  seenByUs(
    'two pods on one port of the node',
    { update: { maxSurge: 1 }, template: template({}, { ports: [{ containerPort: 53, hostPort: 53 }] }) },
    'invalid-combination',
    'spec.update.maxSurge',
    'daemon-surge-host-port',
  ),
  broken(
    'tolerations beside the toleration of everything',
    { tolerations: [{ key: 'example.com/spot', operator: 'Exists' }] },
    'invalid-combination',
    'spec.tolerations',
    'daemon-tolerations',
  ),
  broken(
    'a pool where pools are meant',
    { placement: { pool: 'general' } },
    'invalid-combination',
    'spec.placement.pool',
    'daemon-pool',
  ),
  broken(
    'a spread of pods of which every node has one',
    { placement: { spread: { zones: 'Required' } } },
    'invalid-combination',
    'spec.placement.spread',
    'daemon-spread',
  ),
  broken(
    'two priorities',
    { critical: true, tier: 'standard' },
    'invalid-combination',
    'spec.tier',
    'daemon-critical-tier',
  ),
  broken(
    'a volume that is named as if the platform had added it',
    { host: { paths: [{ ...logs, name: 'pinion-logs' }] } },
    'platform-owned',
    'spec.host.paths[0].name',
    'volume-name-reserved',
  ),
  seenByUs(
    'a path of the node with the name of another volume',
    { host: { paths: [logs] }, template: template({ volumes: [{ name: 'logs', emptyDir: {} }] }) },
    'duplicate',
    'spec.host.paths[0].name',
    'daemon-volume-name',
  ),
  seenByUs(
    'two paths of the node at one place',
    { host: { paths: [logs, { ...logs, name: 'journal', path: '/var/log/journal' }] } },
    'duplicate',
    'spec.host.paths[1].mountPath',
    'daemon-volume-path',
  ),
  broken(
    'a path of the node past the list that the project allows',
    { template: template({ volumes: [{ name: 'docker', hostPath: { path: '/var/run/docker.sock' } }] }) },
    'platform-owned',
    'spec.template.spec.volumes[0].hostPath',
    'daemon-host-path-volume',
  ),
  broken(
    "a network policy for pods in the node's network",
    { host: { network: true }, access: { from: [{ project: 'shop' }] } },
    'invalid-combination',
    'spec.access',
    'daemon-host-network-access',
  ),
  broken('a budget of nothing', { nodeBudget: {} }, 'required', 'spec.nodeBudget', 'daemon-budget'),
  broken('a budget that is no quantity', { nodeBudget: { memory: '256 MB' } }, 'bad-format', 'spec.nodeBudget.memory'),
  broken('no pools at all', { pools: [] }, 'out-of-range', 'spec.pools'),
  broken(
    'access to the node where it does not belong',
    { template: template({ hostNetwork: true }) },
    'platform-owned',
    'spec.template.spec.hostNetwork',
  ),
  broken('a number of pods', { replicas: 3 }, 'unknown-field', 'spec.replicas'),
  seenByUs(
    'a daemon in a project that is not for infrastructure',
    {},
    'not-available',
    'spec',
    'daemon-infrastructure',
  ),
  seenByUs(
    'a pool that the Platform does not have',
    { pools: ['quantum'] },
    'not-available',
    'spec.pools[0]',
    'daemon-pools-offered',
  ),
];
