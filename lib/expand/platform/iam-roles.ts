import { type PlatformManifest } from '../../api';
import { ownsName, type OwnedNameForm } from './name-ownership';

/** Returns the ARN of an IAM role by its ARN or name; undefined for a name without an account in the Platform. */
export function roleArn(role: string, { spec: { aws } }: PlatformManifest<'Platform'>): string | undefined {
  if (role.startsWith('arn:')) return role;
  return aws && `arn:${aws.partition}:iam::${aws.accountId}:role/${role}`;
}

/**
 * Returns the ARNs of the IAM roles that a Project claims: those in the path of its name in the Platform's account, and
 * `iamRoles`. A prefix such as `shop-` would also cover the roles of a project `shop-admin`; a path does not.
 */
export const claimedRoles = (
  project: string,
  roles: readonly string[],
  platform: PlatformManifest<'Platform'>,
): readonly string[] => [...new Set([`${project}/*`, ...roles].flatMap((role) => roleArn(role, platform) ?? []))];

/** ARNs of IAM roles, and patterns that end in `/*` and cover the roles of one path, without those of paths below it. */
export const roleForm: OwnedNameForm = {
  what: 'an IAM role',
  spelling: /^arn:[a-z-]+:iam::[0-9]{12}:role\/([A-Za-z0-9+=,.@_-]+\/)*[A-Za-z0-9+=,.@_-]+$/,
  isPattern: (name) => name.endsWith('/*'),
  patternOf: (name) => `${name.slice(0, name.lastIndexOf('/') + 1)}*`,
};

/** Returns whether an ARN is among the IAM roles of a Project. */
export const ownsRole = (roles: readonly string[], arn: string): boolean => ownsName(roles, arn, roleForm);

/** Returns the CEL condition that the ARN of a role belongs to the project whose roles are `variables.iamRoles`. */
export const isOwnRole = (arn: string): string =>
  `(${arn}.matches(${JSON.stringify(roleForm.spelling.source)}) && (${arn} in variables.iamRoles || ` +
  `(${arn}.substring(0, ${arn}.lastIndexOf("/") + 1) + "*") in variables.iamRoles && !(("!" + ${arn}) in variables.iamRoles)))`;
