import { SecurityGroup, VpcEndpoint } from '@pulumi/aws/ec2';
import { SecurityGroupEgressRule, SecurityGroupIngressRule } from '@pulumi/aws/vpc';
import { ComponentResource, type ComponentResourceOptions, type Output } from '@pulumi/pulumi';
import { type EndpointPlan, type GroupName, type GroupRule, type SecurityGroupsPlan } from '../plan';
import { partNamed } from './lookup';
import { type Network } from './network';
import { optionsOf } from './resource-options';

/** What says who reaches whom. */
export interface PassagesArgs {
  readonly network: Network;
  readonly groups: SecurityGroupsPlan;
  readonly endpoints: readonly EndpointPlan[];
}

/** Security groups with their rules, and the endpoints of services of AWS. */
export class Passages extends ComponentResource {
  /** Ids of security groups. */
  readonly groups: ReadonlyMap<GroupName, Output<string>>;

  constructor(name: string, { network, groups, endpoints }: PassagesArgs, options?: ComponentResourceOptions) {
    super('pinion:cluster:Passages', name, {}, options);
    this.groups = new Map(
      groups.groups.map((plan) => [
        plan.group,
        new SecurityGroup(plan.name, { ...plan.args, vpcId: network.vpcId }, optionsOf(this, plan)).id,
      ]),
    );
    const made = endpoints.map((plan) => [plan, this.endpoint(plan, network)] as const);
    const buckets = made.find(([{ args }]) => args.vpcEndpointType === 'Gateway')?.[1].prefixListId;
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
        ...(routeTables && { routeTableIds: routeTables.map((table) => partNamed(network.routeTables, table)) }),
        ...(subnets && {
          subnetIds: subnets.map((subnet) => partNamed(network.subnets, subnet)),
          securityGroupIds: [partNamed(this.groups, 'endpoint')],
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
        ? { prefixListId: partNamed(new Map(buckets ? [['buckets', buckets]] : []), 'buckets') }
        : {};
    const args = { ...plan.args, ...peer, securityGroupId: partNamed(this.groups, plan.group) };
    new Rule(plan.name, args, optionsOf(this, plan));
  }
}
