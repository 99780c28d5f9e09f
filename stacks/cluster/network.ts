import {
  Eip,
  FlowLog,
  InternetGateway,
  NatGateway,
  Route,
  RouteTable,
  RouteTableAssociation,
  Subnet,
  Vpc,
} from '@pulumi/aws/ec2';
import { ComponentResource, type ComponentResourceOptions, type Output, type Resource } from '@pulumi/pulumi';
import { type FlowLogPlan, type NetworkPlan, type RouteTablePlan } from '../plan';
import { requirePart } from './require-part';
import { optionsOf } from './resource-options';

/** Arguments of `Network`. */
export interface NetworkArgs {
  readonly plan: NetworkPlan;
  readonly flowLog: FlowLogPlan;
  /** Destination of the flow log. */
  readonly logs: Resource;
}

/** VPC with subnets, route tables and gateways. */
export class Network extends ComponentResource {
  readonly vpcId: Output<string>;
  /** IDs of subnets by name in the plan. */
  readonly subnets: ReadonlyMap<string, Output<string>>;
  /** IDs of route tables by name in the plan. */
  readonly routeTables: ReadonlyMap<string, Output<string>>;

  constructor(name: string, { plan, flowLog, logs }: NetworkArgs, options?: ComponentResourceOptions) {
    super('pinion:cluster:Network', name, {}, options);
    const vpc = new Vpc(plan.vpc.name, plan.vpc.args, optionsOf(this, plan.vpc));
    this.vpcId = vpc.id;
    new FlowLog(flowLog.name, { ...flowLog.args, vpcId: vpc.id }, optionsOf(this, flowLog, [logs]));
    this.subnets = new Map(
      plan.subnets.map((subnet) => [
        subnet.name,
        new Subnet(subnet.name, { ...subnet.args, vpcId: vpc.id }, optionsOf(this, subnet)).id,
      ]),
    );
    const internet =
      plan.internetGateway &&
      new InternetGateway(
        plan.internetGateway.name,
        { ...plan.internetGateway.args, vpcId: vpc.id },
        optionsOf(this, plan.internetGateway),
      );
    const nats = this.natGateways(plan, internet);
    this.routeTables = new Map(plan.routeTables.map((table) => [table.name, this.routeTable(table, internet, nats)]));
    for (const { name: subnet, routeTable } of plan.subnets)
      new RouteTableAssociation(
        subnet,
        { subnetId: requirePart(this.subnets, subnet), routeTableId: requirePart(this.routeTables, routeTable) },
        { parent: this },
      );
    this.registerOutputs({ vpcId: this.vpcId });
  }

  private natGateways(plan: NetworkPlan, internet: InternetGateway | undefined): ReadonlyMap<string, Output<string>> {
    // An elastic IP needs a VPC with an internet gateway.
    const dependsOn = internet ? [internet] : [];
    return new Map(
      plan.natGateways.map((nat) => {
        const address = new Eip(nat.name, { domain: 'vpc', tags: nat.args.tags }, optionsOf(this, nat, dependsOn));
        const subnetId = requirePart(this.subnets, nat.subnet);
        const args = { ...nat.args, subnetId, allocationId: address.allocationId };
        return [nat.name, new NatGateway(nat.name, args, optionsOf(this, nat, dependsOn)).id];
      }),
    );
  }

  private routeTable(
    { name, args, defaultRoute, ...planned }: RouteTablePlan,
    internet: InternetGateway | undefined,
    nats: ReadonlyMap<string, Output<string>>,
  ): Output<string> {
    const table = new RouteTable(name, { ...args, vpcId: this.vpcId }, optionsOf(this, planned));
    if (!defaultRoute) return table.id;
    const target =
      'natGateway' in defaultRoute
        ? { natGatewayId: requirePart(nats, defaultRoute.natGateway) }
        : { gatewayId: requirePart(new Map(internet ? [['internet', internet.id]] : []), 'internet') };
    new Route(name, { routeTableId: table.id, destinationCidrBlock: '0.0.0.0/0', ...target }, { parent: this });
    return table.id;
  }
}
