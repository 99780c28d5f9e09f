import { Listener, LoadBalancer, TargetGroup, TargetGroupAttachment } from '@pulumi/aws/lb';
import { Record, Zone } from '@pulumi/aws/route53';
import { ComponentResource, type ComponentResourceOptions, type Input, type Output } from '@pulumi/pulumi';
import { type NetworkPlan } from '../plan';
import { requirePart } from './require-part';
import { type Network } from './network';
import { optionsOf } from './resource-options';

/** Arguments of `ApiLoadBalancer`. */
export interface ApiLoadBalancerArgs {
  readonly plan: Pick<NetworkPlan, 'api' | 'dns'>;
  readonly network: Network;
  readonly securityGroup: Input<string>;
}

/** Internal load balancer of the API and its record in the private zone. */
export class ApiLoadBalancer extends ComponentResource {
  readonly zoneId: Output<string>;

  constructor(name: string, { plan, network, securityGroup }: ApiLoadBalancerArgs, options?: ComponentResourceOptions) {
    super('pinion:cluster:ApiLoadBalancer', name, {}, options);
    const { api, dns } = plan;
    const balancer = new LoadBalancer(
      api.loadBalancer.name,
      {
        ...api.loadBalancer.args,
        subnets: api.subnets.map((subnet) => requirePart(network.subnets, subnet)),
        securityGroups: [securityGroup],
      },
      optionsOf(this, api.loadBalancer),
    );
    const group = new TargetGroup(
      api.targetGroup.name,
      { ...api.targetGroup.args, vpcId: network.vpcId },
      optionsOf(this, api.targetGroup),
    );
    new Listener(
      api.listener.name,
      {
        ...api.listener.args,
        loadBalancerArn: balancer.arn,
        defaultActions: [{ type: 'forward', targetGroupArn: group.arn }],
      },
      optionsOf(this, api.listener),
    );
    for (const target of api.targets)
      new TargetGroupAttachment(target.name, { ...target.args, targetGroupArn: group.arn }, optionsOf(this, target));
    const zone = new Zone(
      dns.zone.name,
      { ...dns.zone.args, vpcs: [{ vpcId: network.vpcId }] },
      optionsOf(this, dns.zone),
    );
    const alias = { name: balancer.dnsName, zoneId: balancer.zoneId, evaluateTargetHealth: true };
    new Record(
      dns.apiRecord.name,
      { ...dns.apiRecord.args, zoneId: zone.zoneId, aliases: [alias] },
      optionsOf(this, dns.apiRecord),
    );
    this.zoneId = zone.zoneId;
    this.registerOutputs({ zoneId: this.zoneId });
  }
}
