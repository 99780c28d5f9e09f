import { group, metadataKeys } from '../../api';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { isOwnRole } from '../platform/iam-roles';
import { admissionPolicy } from './admission-policy';
import { projectNamespaces } from './ingress-rules';
import { listVariables } from './rule-facts';

/** Why an annotation of a service account is rejected. */
export const foreignRoleReason = 'is an IAM role that does not belong to the project';
/** What to do instead. */
export const foreignRoleRemedy =
  'use a role of the project, or ask the platform team to add it to spec.iamRoles of the Project';

const key = JSON.stringify(metadataKeys.webIdentityRole);
const roleOf = (object: string): string =>
  `(has(${object}.metadata.annotations) && ${key} in ${object}.metadata.annotations ? ${object}.metadata.annotations[${key}] : "")`;

/** Creates the policy that limits the annotation by which webhooks give an IAM role to a service account. */
export const iamRolePolicy = (): KubernetesObject[] =>
  admissionPolicy(`iam-roles.${group}`, {
    namespaceSelector: projectNamespaces,
    resourceRules: [
      { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['serviceaccounts'] },
    ],
    // What exists is kept when the Project changes.
    matchConditions: [
      {
        name: 'role-changed',
        expression: `${roleOf('object')} != "" && (oldObject == null || ${roleOf('object')} != ${roleOf('oldObject')})`,
      },
    ],
    variables: [...listVariables(), { name: 'role', expression: roleOf('object') }],
    validations: [
      {
        expression: isOwnRole('variables.role'),
        message: `metadata.annotations[${metadataKeys.webIdentityRole}] ${foreignRoleReason}; ${foreignRoleRemedy}`,
        messageExpression: `${JSON.stringify(`metadata.annotations[${metadataKeys.webIdentityRole}]: `)} + variables.role + ${JSON.stringify(` ${foreignRoleReason}; ${foreignRoleRemedy}`)}`,
      },
    ],
  });
