import { ComponentResource, output, type ComponentResourceOptions, type Output } from '@pulumi/pulumi';
import { platformInputsOf, type ClusterStack } from '../plan';
import { ApiLoadBalancer } from './api-load-balancer';
import { Buckets } from './buckets';
import { ControlPlane } from './control-plane';
import { EncryptionKey } from './encryption-key';
import { Identity } from './identity';
import { requirePart } from './require-part';
import { Network } from './network';
import { NodeGroups } from './node-groups';
import { NetworkSecurity } from './network-security';

/** Cluster on AWS: all resources of its plan. The options name the provider. */
export class Cluster extends ComponentResource {
  /** Input of the platform stack. */
  readonly platformInputs: Output<ReturnType<typeof platformInputsOf>>;

  constructor(name: string, stack: ClusterStack, options?: ComponentResourceOptions) {
    super('pinion:cluster:Cluster', name, {}, options);
    const { plan } = stack;
    const childOptions = { parent: this };
    const key = new EncryptionKey('key', plan.key, childOptions);
    const keyArn = key.arn;
    const buckets = new Buckets('buckets', { plans: plan.buckets, keyArn }, childOptions);
    const network = new Network('network', { plan: plan.network, flowLog: plan.flowLog, logs: buckets }, childOptions);
    const securityArgs = { network, groups: plan.securityGroups, endpoints: plan.network.endpoints };
    const security = new NetworkSecurity('network-security', securityArgs, childOptions);
    const { groups } = security;
    const securityGroup = requirePart(groups, 'load-balancer');
    const api = new ApiLoadBalancer('api', { plan: plan.network, network, securityGroup }, childOptions);
    const created = { zoneId: api.zoneId, keyId: key.id };
    const identity = new Identity(
      'identity',
      { issuer: plan.issuer, roles: plan.roles, created, discovery: buckets },
      childOptions,
    );
    const machines = { network, groups, keyArn, dependsOn: [network, security, api, buckets, identity] };
    const controlPlane = new ControlPlane('control-plane', { ...machines, machines: plan.controlPlane }, childOptions);
    new NodeGroups(
      'node-groups',
      {
        ...machines,
        plans: plan.nodeGroups,
        drainQueue: plan.drainQueue,
        ...(plan.spotNotices && { spotNotices: plan.spotNotices }),
        notifierArn: identity.arnOf('drain-notifier'),
        dependsOn: [...machines.dependsOn, controlPlane],
      },
      childOptions,
    );
    const roles = {
      'cloud-controller-manager': identity.arnOf('cloud-controller-manager'),
      'cluster-autoscaler': identity.arnOf('cluster-autoscaler'),
      'drain-consumer': identity.arnOf('drain-consumer'),
      'ebs-csi-driver': identity.arnOf('ebs-csi-driver'),
      'external-dns': identity.arnOf('external-dns'),
      'node-approver': identity.arnOf('node-approver'),
      ...(stack.config.artifacts && { submission: identity.arnOf('submission') }),
    };
    this.platformInputs = output({ zoneId: api.zoneId, keyArn, roles }).apply((parts) =>
      platformInputsOf(stack, parts),
    );
    this.registerOutputs({ platformInputs: this.platformInputs });
  }
}
