import { type KubernetesObject } from '../objects/kubernetes-object';
import { admissionPolicyNames } from '../policies/admission-policies';
import { breakGlassPolicy } from '../policies/break-glass';
import { controllerLeasesPolicy, controllerWritesPolicies } from '../policies/controller-writes';
import { expansionRecordPolicy } from '../policies/expansion-records';
import { directAccessPolicies } from '../policies/gateway/direct-access-policies';
import { gatewayAuthorityPolicy } from '../policies/gateway/gateway-authority';
import { iamRolePolicy } from '../policies/iam-role-policy';
import { imageDigestPolicy } from '../policies/image-digests';
import { ingressPolicy } from '../policies/ingress-hosts';
import { nodeLabelPolicy } from '../policies/node-labels';
import { operatorWritePolicy } from '../policies/operator-writes';
import { platformWritePolicies } from '../policies/platform-writes';
import { podPriorityPolicy } from '../policies/pod-priority';
import { protectedProjectPolicies } from '../policies/protected-projects';
import { protectionPolicies } from '../policies/protection-policies';
import { stageOwnershipPolicy } from '../policies/stage-ownership';
import { tokenSecretPolicy } from '../policies/token-secrets';
import { verifiedRecordPolicies } from '../policies/verified-records';
import { bindableRoles } from './access-roles';
import { controllerIdentities, controllerName, controllerUsers } from './controller-identities';
import { controllerRules, gangRule, partResources } from './controller-rules';

/** Returns the admission policies of an installation with the controllers in a namespace, and their bindings. */
export function installedPolicies(namespace: string, isSingle = false): readonly KubernetesObject[] {
  const users = controllerUsers(namespace, isSingle);
  return [
    ...protectionPolicies(),
    ...stageOwnershipPolicy(),
    ...ingressPolicy(),
    ...iamRolePolicy(),
    ...podPriorityPolicy(users.workloads),
    ...imageDigestPolicy(),
    ...platformWritePolicies(users, namespace),
    ...protectedProjectPolicies(users),
    ...breakGlassPolicy(),
    ...operatorWritePolicy(),
    ...tokenSecretPolicy(),
    ...directAccessPolicies(),
    ...gatewayAuthorityPolicy(users),
    ...nodeLabelPolicy(),
    ...verifiedRecordPolicies(users.workloads),
    ...expansionRecordPolicy(users.workloads),
    ...controllerIdentities(isSingle).flatMap(({ name, scopes }) => {
      const writesLeases = scopes.includes('workloads');
      const controller = {
        policy: writesLeases ? 'controller-writes' : 'platform-controller-writes',
        user: users[writesLeases ? 'workloads' : 'platform'],
        namespace,
        lease: name,
        scopes,
        rules: [...controllerRules(scopes), ...(writesLeases ? [gangRule] : [])],
        partResources: partResources(),
        bindableRoles,
      };
      return [...controllerWritesPolicies(controller), ...(writesLeases ? controllerLeasesPolicy(controller) : [])];
    }),
  ];
}

let ownNames: ReadonlySet<string> | undefined;

/** Returns whether an admission policy is one of pinion's, of the installation or of the Platform. */
export function isOwnPolicy(name: string): boolean {
  ownNames ??= new Set([
    ...[false, true]
      .flatMap((isSingle) => installedPolicies(controllerName, isSingle))
      .map(({ metadata }) => metadata.name),
    ...admissionPolicyNames,
  ]);
  return ownNames.has(name);
}
