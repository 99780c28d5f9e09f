import { type KubernetesObject } from '@pinion-platform/pinion';
import { rbacObjects, leaderElectionRules, readVerbs, rule } from '../../objects/program-rbac';
import { ciliumAgent } from './cilium-agent';
import { ciliumConfiguration } from './cilium-configuration';
import { ciliumOperator } from './cilium-operator';
import { programObjects, systemNamespace } from '../../objects/plain-object';
import { type PlatformStackConfig } from '../../config/platform-stack-config';

const group = 'cilium.io';

/** CRDs that the operator creates and updates itself, from its own image. */
const definitions = [
  'ciliumbgpadvertisements',
  'ciliumbgpclusterconfigs',
  'ciliumbgpnodeconfigoverrides',
  'ciliumbgpnodeconfigs',
  'ciliumbgppeerconfigs',
  'ciliumcidrgroups',
  'ciliumclusterwideenvoyconfigs',
  'ciliumclusterwidenetworkpolicies',
  'ciliumegressgatewaypolicies',
  'ciliumendpoints',
  'ciliumendpointslices',
  'ciliumenvoyconfigs',
  'ciliumgatewayclassconfigs',
  'ciliumidentities',
  'ciliuml2announcementpolicies',
  'ciliumloadbalancerippools',
  'ciliumlocalredirectpolicies',
  'ciliumnetworkpolicies',
  'ciliumnodeconfigs',
  'ciliumnodes',
  'ciliumpodippools',
];

const agentRules = [
  rule('networking.k8s.io', ['networkpolicies'], readVerbs),
  rule('discovery.k8s.io', ['endpointslices'], readVerbs),
  rule('', ['namespaces', 'nodes', 'pods', 'services'], readVerbs),
  rule('apiextensions.k8s.io', ['customresourcedefinitions'], readVerbs),
  rule(group, definitions, ['list', 'watch']),
  rule(group, ['ciliumendpoints', 'ciliumidentities', 'ciliumnodes'], ['create']),
  rule(group, ['ciliumidentities'], ['update']),
  rule(group, ['ciliumendpoints'], ['delete', 'get', 'patch']),
  rule(group, ['ciliumendpoints/status'], ['patch']),
  rule(group, ['ciliumnodes', 'ciliumnodes/status'], ['get', 'update']),
];

const operatorRules = [
  rule('', ['namespaces', 'pods', 'services'], readVerbs),
  rule('', ['nodes'], ['list', 'patch', 'watch']),
  rule('', ['nodes/status'], ['patch']),
  rule('discovery.k8s.io', ['endpointslices'], readVerbs),
  rule('apiextensions.k8s.io', ['customresourcedefinitions'], ['create', ...readVerbs]),
  rule(
    'apiextensions.k8s.io',
    ['customresourcedefinitions'],
    ['update'],
    definitions.map((plural) => `${plural}.${group}`),
  ),
  rule(group, definitions, readVerbs),
  rule(group, ['ciliumclusterwidenetworkpolicies/status', 'ciliumnetworkpolicies/status'], ['patch', 'update']),
  rule(group, ['ciliumendpoints', 'ciliumidentities'], ['delete', 'update']),
  rule(group, ['ciliumendpointslices', 'ciliumnodes'], ['create', 'delete', 'update']),
  rule(group, ['ciliumnodes/status'], ['update']),
];

/**
 * Cilium as an overlay network: pods have addresses outside the VPC, security groups open one port between nodes, and
 * network policies are enforced.
 */
export function cilium(config: PlatformStackConfig): KubernetesObject[] {
  const object = programObjects('cilium', systemNamespace);
  const account = (name: string) => ({ namespace: systemNamespace, name });
  return [
    ...['cilium', 'cilium-operator'].map((name) =>
      object('v1', 'ServiceAccount', name, { automountServiceAccountToken: false }),
    ),
    ...rbacObjects('cilium', {
      account: account('cilium'),
      cluster: agentRules,
      own: [rule('', ['configmaps'], readVerbs)],
    }),
    ...rbacObjects('cilium-operator', {
      account: account('cilium-operator'),
      cluster: operatorRules,
      own: [
        rule('', ['configmaps'], ['patch'], ['cilium-config']),
        ...leaderElectionRules('cilium-operator-resource-lock'),
      ],
    }),
    object('v1', 'ConfigMap', 'cilium-config', { data: ciliumConfiguration(config) }),
    ciliumOperator(config),
    ciliumAgent(config),
  ];
}
