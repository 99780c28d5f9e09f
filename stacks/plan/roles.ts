import { type ClusterConfig } from './cluster-config';
import { groupArn, masterRights, workerRights } from './machine-rights';
import { drainQueueName, nodeGroupName, regionalArn, roleName } from './names';
import { platformAccounts, type CloudAccount } from './platform';
import { type Planned } from './planned';
import { policyText, trustText, type Allowance, type Trust } from './policy';
import { programRights } from './program-rights';
import { tagsOf, type Tags } from './tags';
import { workloadTrust } from './workload-trust';

/** Roles that machines and AWS itself take. */
export const machineRoles = ['master', 'worker', 'drain-notifier'] as const;

/** A role of the cluster, by who takes it. */
export type RoleKey = (typeof machineRoles)[number] | CloudAccount;

/** One role: who takes it, and what it may do. */
export interface RolePlan extends Planned<{
  readonly name: string;
  readonly description: string;
  readonly assumeRolePolicy: string;
  readonly tags: Tags;
}> {
  readonly role: RoleKey;
  readonly trust: Trust;
  readonly allowances: readonly Allowance[];
  /** The allowances as text, with marks for what is not yet created. */
  readonly policy: string;
  /** Name of the instance profile that hands it to machines. */
  readonly instanceProfile?: string;
}

const ec2: Trust = { service: 'ec2.amazonaws.com' };

/** Plans every role of the cluster; what is not here, nobody may do. */
export function rolePlans(config: ClusterConfig): RolePlan[] {
  const programs = (Object.keys(platformAccounts) as CloudAccount[]).filter((program) => isNeeded(config, program));
  return [
    rolePlan(config, 'master', 'Machines of the control plane', ec2, masterRights(config)),
    rolePlan(config, 'worker', 'Machines that run workloads', ec2, workerRights(config)),
    rolePlan(config, 'drain-notifier', 'Auto Scaling, telling of nodes that go', notifierTrust(config), [
      {
        name: 'TellOfNodes',
        actions: ['sqs:GetQueueUrl', 'sqs:SendMessage'],
        resources: [regionalArn(config, 'sqs', drainQueueName(config.name))],
      },
    ]),
    ...programs.map((program) => {
      const account = platformAccounts[program];
      const description = `Service account ${account.namespace}/${account.name}`;
      return rolePlan(config, program, description, workloadTrust(config, account), programRights[program](config));
    }),
  ];
}

/** Whoever deploys nothing has no store of artifacts, and nobody who reads it. */
const isNeeded = ({ artifacts }: ClusterConfig, program: CloudAccount): boolean =>
  program !== 'submission' || artifacts !== undefined;

/** Held to this cluster's groups, or any group of any account could have it spoken to. */
const notifierTrust = (config: ClusterConfig): Trust => ({
  service: 'autoscaling.amazonaws.com',
  when: {
    StringEquals: { 'aws:SourceAccount': config.account },
    ArnLike: { 'aws:SourceArn': groupArn(config, nodeGroupName(config.name, '*')) },
  },
});

function rolePlan(
  config: ClusterConfig,
  role: RoleKey,
  description: string,
  trust: Trust,
  allowances: readonly Allowance[],
): RolePlan {
  const name = roleName(config.name, role);
  return {
    name: role,
    role,
    trust,
    allowances,
    policy: policyText(allowances),
    args: { name, description, assumeRolePolicy: trustText(trust), tags: tagsOf(config, 'identity', role) },
    ...(trust === ec2 && { instanceProfile: name }),
  };
}
