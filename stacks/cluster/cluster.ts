import { ComponentResource, output, type ComponentResourceOptions, type Output } from '@pulumi/pulumi';
import { platformFactsOf, type ClusterStack } from '../plan';
import { ApiEntrance } from './api-entrance';
import { Buckets } from './buckets';
import { ControlPlane } from './control-plane';
import { EncryptionKey } from './encryption-key';
import { Identity } from './identity';
import { partNamed } from './lookup';
import { Network } from './network';
import { NodeGroups } from './node-groups';
import { Passages } from './passages';

/** A cluster on AWS: everything of its plan, each resource a child of the part that it belongs to. Its options name the provider. */
export class Cluster extends ComponentResource {
  /** What the platform's stack is told. */
  readonly platformFacts: Output<ReturnType<typeof platformFactsOf>>;

  constructor(name: string, stack: ClusterStack, options?: ComponentResourceOptions) {
    super('pinion:cluster:Cluster', name, {}, options);
    const { plan } = stack;
    const own = { parent: this };
    const key = new EncryptionKey('key', plan.key, own);
    const keyArn = key.arn;
    const buckets = new Buckets('buckets', { plans: plan.buckets, keyArn }, own);
    const network = new Network('network', { plan: plan.network, flowLog: plan.flowLog, logs: buckets }, own);
    const reach = { network, groups: plan.securityGroups, endpoints: plan.network.endpoints };
    const passages = new Passages('passages', reach, own);
    const { groups } = passages;
    const securityGroup = partNamed(groups, 'load-balancer');
    const api = new ApiEntrance('api', { plan: plan.network, network, securityGroup }, own);
    const created = { zoneId: api.zoneId, keyId: key.id };
    const identity = new Identity(
      'identity',
      { issuer: plan.issuer, roles: plan.roles, created, discovery: buckets },
      own,
    );
    const machines = { network, groups, keyArn, waitsFor: [network, passages, api, buckets, identity] };
    const controlPlane = new ControlPlane('control-plane', { ...machines, masters: plan.masters }, own);
    new NodeGroups(
      'node-groups',
      {
        ...machines,
        plans: plan.nodeGroups,
        drainQueue: plan.drainQueue,
        ...(plan.spotNotices && { spotNotices: plan.spotNotices }),
        notifierArn: identity.arnOf('drain-notifier'),
        waitsFor: [...machines.waitsFor, controlPlane],
      },
      own,
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
    this.platformFacts = output({ zoneId: api.zoneId, keyArn, roles }).apply((parts) => platformFactsOf(stack, parts));
    this.registerOutputs({ platformFacts: this.platformFacts });
  }
}
