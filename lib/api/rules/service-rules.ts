import { balancedPortPath, balancedPorts, samePorts } from './load-balancer-rules';
import { reservedPrefix } from '../names';
import { entryListAt } from './own-volumes';
import { type FieldPath } from '../problem';
import { type ValidationRule } from './validation-rule';
import { variantsRules } from './variant-rules';
import { workloadRulesOf } from './workload-rules';

type Fields = Readonly<Record<string, unknown>>;

const firstProtocol =
  '(has(self.loadBalancer.ports) ? self.loadBalancer.ports[0].protocol : self.loadBalancer.protocol)';

const healthRules: readonly ValidationRule[] = [
  {
    name: 'health-port',
    cel: '!has(self.health) || has(self.health.port) || has(self.loadBalancer)',
    fieldPath: ['health'],
    reason: 'requires health.port without a load balancer',
    remedy: 'set health.port',
    code: 'required',
  },
  {
    name: 'health-protocol',
    cel: `!has(self.health) || has(self.health.port) || !has(self.loadBalancer) || (has(self.health.path) ? ${firstProtocol} in ["HTTP", "HTTPS"] : ${firstProtocol} != "UDP")`,
    fieldPath: ['health'],
    reason: 'uses HTTP, but the first port of the load balancer has another protocol',
    remedy: 'set health.port, or omit path for a TCP check',
  },
];

const portRules: readonly ValidationRule[] = [
  {
    name: 'service-ports',
    cel: '!has(self.ports) || self.ports.all(p, self.ports.exists_one(o, o.port == p.port))',
    where: 'client',
    find: repeatedPorts,
    reason: 'duplicates the name or number of another port of the Service',
    remedy: 'use another name and number',
    code: 'duplicate',
  },
  {
    name: 'service-port-names',
    cel: 'true',
    where: 'client',
    find: (self) => targets(self).flatMap(({ target, path }) => (unknownName(self, target) ? [path] : [])),
    reason: 'must be the name of a container port of the template',
    remedy: 'use the name of one of its ports, or a number',
    code: 'unknown-reference',
  },
  {
    name: 'service-port-numbers',
    cel: 'true',
    where: 'client',
    severity: 'warning',
    find: (self) => targets(self).flatMap(({ target, path }) => (undeclaredNumber(self, target) ? [path] : [])),
    reason: 'must be a declared container port',
    remedy: 'declare the port, or correct the number',
    code: 'unknown-reference',
  },
];

/** Rules across the fields of a service. */
export const serviceRules: readonly ValidationRule[] = [
  {
    name: 'replicas-or-autoscaling',
    cel: '!has(self.replicas) || !has(self.autoscaling)',
    fieldPath: ['autoscaling'],
    reason: 'cannot be combined with replicas',
    remedy: 'set only one of them',
  },
  {
    name: 'autoscaling-container',
    cel: '!has(self.autoscaling) || !has(self.autoscaling.container) || self.template.spec.containers.exists(c, c.name == self.autoscaling.container)',
    where: 'client',
    find: (self) => {
      const containerName = (self['autoscaling'] as Fields | undefined)?.['container'];
      const exists = entryListAt(self, ['template', 'spec', 'containers']).some(({ name }) => name === containerName);
      return containerName === undefined || exists ? [] : [['autoscaling', 'container']];
    },
    reason: 'must be the name of a container of the template',
    remedy: 'use the name of a container, or omit it for the whole pod',
    code: 'unknown-reference',
  },
  {
    name: 'disruption-blocks-drains',
    cel: 'true',
    where: 'client',
    severity: 'warning',
    find: blockedDrains,
    reason: 'must be less than the minimum number of pods, or node drains never finish',
    remedy: 'set it to at most one less than the minimum number of pods',
  },
  ...variantsRules,
  ...healthRules,
  ...portRules,
  ...workloadRulesOf(),
];

function repeatedPorts(self: Fields): FieldPath[] {
  const [ports, taken] = [entryListAt(self, ['ports']), balancedPorts(self)];
  const repeated = new Set(samePorts(ports, taken));
  return ports.flatMap(({ name }, index) =>
    repeated.has(index) || taken.some((other) => other['name'] === name) ? [['ports', index]] : [],
  );
}

/** Returns the container ports that the spec refers to, with their paths. */
function targets(self: Fields): { readonly target: unknown; readonly path: FieldPath }[] {
  const targetOf = (port: Fields, path: FieldPath) => {
    const field = port['targetPort'] === undefined ? 'port' : 'targetPort';
    return { target: port[field], path: [...path, field] };
  };
  const health = (self['health'] as Fields | undefined)?.['port'];
  return [
    ...balancedPorts(self).map((port, index) => targetOf(port, balancedPortPath(self, index))),
    ...entryListAt(self, ['ports']).map((port, index) => targetOf(port, ['ports', index])),
    ...(health === undefined ? [] : [{ target: health, path: ['health', 'port'] }]),
  ];
}

/** Returns the ports of the containers that run while the pod serves. */
const declaredPorts = (self: Fields): readonly Fields[] =>
  ['containers', 'initContainers']
    .flatMap((list) => entryListAt(self, ['template', 'spec', list]).map((container) => ({ list, container })))
    .filter(({ list, container }) => list === 'containers' || container['restartPolicy'] === 'Always')
    .flatMap(({ container }) => entryListAt(container, ['ports']));

const unknownName = (self: Fields, target: unknown): boolean =>
  typeof target === 'string' &&
  !target.startsWith(reservedPrefix) &&
  !declaredPorts(self).some(({ name }) => name === target);

function undeclaredNumber(self: Fields, target: unknown): boolean {
  const declared = declaredPorts(self);
  return (
    typeof target === 'number' && declared.length > 0 && !declared.some(({ containerPort }) => containerPort === target)
  );
}

function blockedDrains(self: Fields): FieldPath[] {
  const { enabled, minAvailable, maxUnavailable } = self['disruption'] as Fields;
  const variants = entryListAt(self, ['variants']);
  const scaling = variants.length > 0 ? variants : [self];
  const scaled = scaling.some(({ autoscaling }) => autoscaling !== undefined);
  const minPods = scaling.reduce((sum, one) => sum + minPodsOf(one), 0);
  if (enabled === false || (minPods < 2 && !scaled)) return [];
  const stays = minAvailable === '100%' || (typeof minAvailable === 'number' && minAvailable >= minPods);
  if (stays) return [['disruption', 'minAvailable']];
  return maxUnavailable === 0 || /^0+%$/.test(String(maxUnavailable)) ? [['disruption', 'maxUnavailable']] : [];
}

const minPodsOf = ({ autoscaling, replicas }: Fields): number =>
  ((autoscaling as Fields | undefined)?.['minReplicas'] ?? replicas ?? 1) as number;
