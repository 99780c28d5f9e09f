import { projectRoles, type ProjectRole } from '../../../lib/api';
import { controllerName, deployerName, platformControllerName } from '../../../lib/expand';
import {
  canaryName,
  canaryProject,
  quotaMonitorProject,
  submissionName,
  submissionProject,
} from '../../../lib/programs';
import { type User } from '../../control-plane/credentials';
import { type Scene } from './scene';

/** Roles of members, each of which has a group of its own in the projects of the scene. */
export const memberRoles = projectRoles;
/** Role of a member. */
export type MemberRole = ProjectRole;

/** Group of the members of the projects `shop` and `plain` with a role. */
export const groupOf = (role: MemberRole): string => `shop-${role}`;

/** Service accounts of our programs, whose tokens are stolen. */
export const programAccounts = {
  controller: { namespace: controllerName, name: controllerName },
  'platform-controller': { namespace: controllerName, name: platformControllerName },
  submission: { namespace: submissionProject, name: submissionName },
  canary: { namespace: canaryProject, name: canaryName },
  'quota-monitor': { namespace: quotaMonitorProject, name: 'quota-monitor' },
  'node-approver': { namespace: 'kube-system', name: 'node-approver' },
  'drain-consumer': { namespace: 'platform-scaling', name: 'drain-consumer' },
} as const;
/** One of our programs. */
export type ProgramName = keyof typeof programAccounts;
/** Names of our programs. */
export const programNames = Object.keys(programAccounts) as readonly ProgramName[];

/** Service accounts of projects. */
const projectAccounts = {
  'deployer of shop': { namespace: 'shop', name: deployerName },
  'deployer of plain': { namespace: 'plain', name: deployerName },
  'workload of shop': { namespace: 'shop', name: 'default' },
} as const;

const others = {
  'platform administrator': { name: 'petra', groups: ['platform-administrators'] },
  'member on call': { name: 'rita', groups: ['oncall', groupOf('edit')] },
  'administrator of bank': { name: 'bob', groups: ['bank-admin'] },
  'user without a role': { name: 'eve' },
  anonymous: { name: 'system:anonymous', groups: ['system:unauthenticated'] },
  // A kubelet's certificate has this name and group.
  'worker node-0': { name: 'system:node:node-0', groups: ['system:nodes'] },
  'machine with a bootstrap token': {
    name: 'system:bootstrap:abcdef',
    groups: ['system:bootstrappers', 'system:bootstrappers:pinion'],
  },
} as const satisfies Readonly<Record<string, User>>;

const memberOf = (role: MemberRole): User => ({ name: `${role}-member`, groups: [groupOf(role)] });

/** Group that an administrator let write every status in the projects of the scene. */
export const statusWriters = 'status-writers';
const statusWriterOf = (role: MemberRole): User => ({
  name: `${role}-status-writer`,
  groups: [groupOf(role), statusWriters],
});

/** Users that the control plane of the suite must be started with. */
export const sceneUsers: readonly User[] = [
  ...memberRoles.flatMap((role) => [memberOf(role), statusWriterOf(role)]),
  ...Object.values(others),
];

/** Who attacks. */
export type ActorName =
  | MemberRole
  | `${MemberRole} with a Role for status`
  | `stolen token of ${ProgramName}`
  | keyof typeof projectAccounts
  | keyof typeof others
  | 'caller without a token'
  | 'caller with a forged token';

/** Returns the name of the actor with the token of a program. */
export const thiefOf = (program: ProgramName): ActorName => `stolen token of ${program}`;

/** Returns the name of the actor with a role and with a Role that grants every status. */
export const statusWriterFor = (role: MemberRole): ActorName => `${role} with a Role for status`;

/** Returns the user of a member. */
function memberUserOf(actor: ActorName): User | undefined {
  const role = memberRoles.find((one) => one === actor);
  if (role) return memberOf(role);
  const writer = memberRoles.find((one) => statusWriterFor(one) === actor);
  return writer && statusWriterOf(writer);
}

/** Returns the user name of an actor with a token. */
export function userNameOf(actor: ActorName): string {
  const member = memberUserOf(actor);
  if (member) return member.name;
  if (actor in others) return others[actor as keyof typeof others].name;
  const { namespace, name } = accountOf(actor);
  return `system:serviceaccount:${namespace}:${name}`;
}

/** Returns the service account of an actor. */
function accountOf(actor: ActorName): { readonly namespace: string; readonly name: string } {
  const program = programNames.find((name) => thiefOf(name) === actor);
  return program ? programAccounts[program] : projectAccounts[actor as keyof typeof projectAccounts];
}

/** Returns the bearer token of an actor. */
export async function tokenOf(scene: Scene, actor: ActorName): Promise<string> {
  const { cluster } = scene;
  const member = memberUserOf(actor);
  if (member) return cluster.tokenOf(member.name);
  if (actor in others) return cluster.tokenOf(others[actor as keyof typeof others].name);
  if (actor === 'caller without a token') return 'none';
  if (actor === 'caller with a forged token') return forgedToken;
  return scene.tokenOf(accountOf(actor));
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
/** A token of the controller with a signature of another key. */
const forgedToken = [
  part({ alg: 'RS256', kid: 'forged' }),
  part({
    iss: 'https://kubernetes.default.svc',
    aud: ['https://kubernetes.default.svc'],
    sub: `system:serviceaccount:${controllerName}:${controllerName}`,
    exp: 4_102_444_800,
  }),
  Buffer.alloc(256, 7).toString('base64url'),
].join('.');
