import { type ClusterConfig } from '../config/cluster-config';
import { groupArn, controlPlaneStatements, workerStatements } from './machine-iam';
import { drainQueueName, nodeGroupName, regionalArn, roleName } from '../names';
import { platformAccounts, type CloudAccount } from '../platform';
import { type PlannedResource } from '../planned-resource';
import { policyText, trustText, type IamStatement, type Trust } from './policy';
import { programStatements } from './program-iam';
import { tagsOf, type Tags } from '../tags';
import { workloadTrust } from './workload-trust';

/** Roles of machines and AWS services. */
export const machineRoles = ['control-plane', 'worker', 'drain-notifier'] as const;

/** Key of an IAM role: its principal. */
export type RoleKey = (typeof machineRoles)[number] | CloudAccount;

/** IAM role with trust and permissions. */
export interface RolePlan extends PlannedResource<{
  readonly name: string;
  readonly description: string;
  readonly assumeRolePolicy: string;
  readonly tags: Tags;
}> {
  readonly role: RoleKey;
  readonly trust: Trust;
  readonly statements: readonly IamStatement[];
  /** Permissions policy as JSON, with placeholders for created IDs. */
  readonly policy: string;
  /** Name of the instance profile. */
  readonly instanceProfile?: string;
}

const ec2: Trust = { service: 'ec2.amazonaws.com' };

/** Plans all IAM roles of the cluster. */
export function rolePlans(config: ClusterConfig): RolePlan[] {
  const programs = (Object.keys(platformAccounts) as CloudAccount[]).filter((program) => isNeeded(config, program));
  return [
    rolePlan(config, 'control-plane', 'Control plane nodes', ec2, controlPlaneStatements(config)),
    rolePlan(config, 'worker', 'Workers', ec2, workerStatements(config)),
    rolePlan(config, 'drain-notifier', 'Auto Scaling, notifying of terminating nodes', notifierTrust(config), [
      {
        name: 'NotifyDrainQueue',
        actions: ['sqs:GetQueueUrl', 'sqs:SendMessage'],
        resources: [regionalArn(config, 'sqs', drainQueueName(config.name))],
      },
    ]),
    ...programs.map((program) => {
      const account = platformAccounts[program];
      const description = `Service account ${account.namespace}/${account.name}`;
      return rolePlan(config, program, description, workloadTrust(config, account), programStatements[program](config));
    }),
  ];
}

/** Returns whether the program is installed: the submission service needs an artifact store. */
const isNeeded = ({ artifacts }: ClusterConfig, program: CloudAccount): boolean =>
  program !== 'submission' || artifacts !== undefined;

/** Limited to the groups of this cluster; otherwise any group of any account could use the role (confused deputy). */
const notifierTrust = (config: ClusterConfig): Trust => ({
  service: 'autoscaling.amazonaws.com',
  when: {
    StringEquals: { 'aws:SourceAccount': config.accountId },
    ArnLike: { 'aws:SourceArn': groupArn(config, nodeGroupName(config.name, '*')) },
  },
});

function rolePlan(
  config: ClusterConfig,
  role: RoleKey,
  description: string,
  trust: Trust,
  statements: readonly IamStatement[],
): RolePlan {
  const name = roleName(config.name, role);
  return {
    name: role,
    role,
    trust,
    statements,
    policy: policyText(statements),
    args: { name, description, assumeRolePolicy: trustText(trust), tags: tagsOf(config, 'identity', role) },
    ...(trust === ec2 && { instanceProfile: name }),
  };
}
