import { InstanceProfile, OpenIdConnectProvider, Role, RolePolicy } from '@pulumi/aws/iam';
import {
  ComponentResource,
  output,
  type ComponentResourceOptions,
  type Input,
  type Output,
  type Resource,
} from '@pulumi/pulumi';
import { withCreated, type Created, type IssuerPlan, type RoleKey, type RolePlan } from '../plan';
import { partNamed } from './lookup';
import { optionsOf } from './resource-options';

/** What identities are made from. */
export interface IdentityArgs {
  readonly issuer: IssuerPlan;
  readonly roles: readonly RolePlan[];
  /** What stands in the texts of policies by a mark until it is there. */
  readonly created: { readonly [Name in keyof Created]: Input<string> };
  /** What answers at the issuer's address: IAM asks it for its certificate. */
  readonly discovery: Resource;
}

/** The issuer of tokens of service accounts, and every role with what it may do. */
export class Identity extends ComponentResource {
  private readonly arns: ReadonlyMap<RoleKey, Output<string>>;

  constructor(name: string, { issuer, roles, created, discovery }: IdentityArgs, options?: ComponentResourceOptions) {
    super('pinion:cluster:Identity', name, {}, options);
    const provider = new OpenIdConnectProvider(issuer.name, issuer.args, optionsOf(this, issuer, [discovery]));
    const marks = output(created);
    this.arns = new Map(
      roles.map((plan) => {
        const role = new Role(plan.name, plan.args, optionsOf(this, plan, 'issuer' in plan.trust ? [provider] : []));
        const policy = marks.apply((known) => withCreated(plan.policy, known));
        new RolePolicy(plan.name, { name: plan.args.name, role: role.name, policy }, { parent: this });
        if (plan.instanceProfile !== undefined)
          new InstanceProfile(
            plan.name,
            { name: plan.instanceProfile, role: role.name, tags: plan.args.tags },
            { parent: this },
          );
        return [plan.role, role.arn];
      }),
    );
    this.registerOutputs({});
  }

  /** ARN of a role. */
  arnOf(role: RoleKey): Output<string> {
    return partNamed(this.arns, role);
  }
}
