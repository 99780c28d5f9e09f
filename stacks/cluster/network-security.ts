import { SecurityGroup, VpcEndpoint } from '@pulumi/aws/ec2';
import { SecurityGroupEgressRule, SecurityGroupIngressRule } from '@pulumi/aws/vpc';
import { ComponentResource, type ComponentResourceOptions, type Output } from '@pulumi/pulumi';
import { type EndpointPlan, type GroupName, type GroupRule, type SecurityGroupsPlan } from '../plan';
import { requirePart } from './require-part';
import { type Network } from './network';
import { optionsOf } from './resource-options';

/** Arguments of `NetworkSecurity`. */
export interface NetworkSecurityArgs {
  readonly network: Network;
  readonly groups: SecurityGroupsPlan;
  readonly endpoints: readonly EndpointPlan[];
}

/** Security groups with their rules, and VPC endpoints of AWS services. */
export class NetworkSecurity extends ComponentResource {
  /** IDs of security groups. */
  readonly groups: ReadonlyMap<GroupName, Output<string>>;

  constructor(name: string, { network, groups, endpoints }: NetworkSecurityArgs, options?: ComponentResourceOptions) {
    super('pinion:cluster:NetworkSecurity', name, {}, options);
    this.groups = new Map(
      groups.groups.map((plan) => [
        plan.group,
        new SecurityGroup(plan.name, { ...plan.args, vpcId: network.vpcId }, optionsOf(this, plan)).id,
      ]),
    );
    const created = endpoints.map((plan) => [plan, this.endpoint(plan, network)] as const);
    const buckets = created.find(([{ args }]) => args.vpcEndpointType === 'Gateway')?.[1].prefixListId;
    for (const rule of groups.rules) this.rule(rule, buckets);
    this.registerOutputs({});
  }

  private endpoint(plan: EndpointPlan, network: Network): VpcEndpoint {
    const { routeTables, subnets } = plan;
    return new VpcEndpoint(
      plan.name,
      {
        ...plan.args,
        vpcId: network.vpcId,
        ...(routeTables && { routeTableIds: routeTables.map((table) => requirePart(network.routeTables, table)) }),
        ...(subnets && {
          subnetIds: subnets.map((subnet) => requirePart(network.subnets, subnet)),
          securityGroupIds: [requirePart(this.groups, 'endpoint')],
        }),
      },
      optionsOf(this, plan),
    );
  }

  private rule(plan: GroupRule, buckets: Output<string> | undefined): void {
    const Rule = plan.direction === 'ingress' ? SecurityGroupIngressRule : SecurityGroupEgressRule;
    const group = this.groups.get(plan.peer as GroupName);
    const peer = group
      ? { referencedSecurityGroupId: group }
      : plan.peer === 'buckets'
        ? { prefixListId: requirePart(new Map(buckets ? [['buckets', buckets]] : []), 'buckets') }
        : {};
    const args = { ...plan.args, ...peer, securityGroupId: requirePart(this.groups, plan.group) };
    new Rule(plan.name, args, optionsOf(this, plan));
  }
}
