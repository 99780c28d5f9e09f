import { InstanceProfile, OpenIdConnectProvider, Role, RolePolicy } from '@pulumi/aws/iam';
import {
  ComponentResource,
  output,
  type ComponentResourceOptions,
  type Input,
  type Output,
  type Resource,
} from '@pulumi/pulumi';
import { withCreated, type CreatedIds, type IssuerPlan, type RoleKey, type RolePlan } from '../plan';
import { requirePart } from './require-part';
import { optionsOf } from './resource-options';

/** Arguments of `Identity`. */
export interface IdentityArgs {
  readonly issuer: IssuerPlan;
  readonly roles: readonly RolePlan[];
  /** IDs that replace the placeholders in policies. */
  readonly created: { readonly [Name in keyof CreatedIds]: Input<string> };
  /** Bucket that serves the issuer URL; IAM requests its certificate. */
  readonly discovery: Resource;
}

/** OIDC provider of service account tokens, and all IAM roles with their policies. */
export class Identity extends ComponentResource {
  private readonly arns: ReadonlyMap<RoleKey, Output<string>>;

  constructor(name: string, { issuer, roles, created, discovery }: IdentityArgs, options?: ComponentResourceOptions) {
    super('pinion:cluster:Identity', name, {}, options);
    const provider = new OpenIdConnectProvider(issuer.name, issuer.args, optionsOf(this, issuer, [discovery]));
    const ids = output(created);
    this.arns = new Map(
      roles.map((plan) => {
        const role = new Role(plan.name, plan.args, optionsOf(this, plan, 'issuer' in plan.trust ? [provider] : []));
        const policy = ids.apply((known) => withCreated(plan.policy, known));
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

  /** Returns the ARN of a role. */
  arnOf(role: RoleKey): Output<string> {
    return requirePart(this.arns, role);
  }
}
