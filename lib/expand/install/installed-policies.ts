import { type KubernetesObject } from '../objects/kubernetes-object';
import { breakGlassPolicy } from '../policies/break-glass';
import { controllerWritesPolicy } from '../policies/controller-writes';
import { imageDigestPolicy } from '../policies/image-digests';
import { ingressPolicy } from '../policies/ingress-hosts';
import { nodeLabelPolicy } from '../policies/node-labels';
import { operatorWritePolicy } from '../policies/operator-writes';
import { platformWritePolicies } from '../policies/platform-writes';
import { protectedProjectPolicies } from '../policies/protected-projects';
import { protectionPolicies } from '../policies/protection-policies';
import { stageOwnershipPolicy } from '../policies/stage-ownership';
import { tokenSecretPolicy } from '../policies/token-secrets';
import { verifiedRecordPolicies } from '../policies/verified-records';
import { bindableRoles } from './access-roles';
import { controllerName } from './controller-deployment';
import { controllerRules, gangRule } from './controller-rules';

/** Returns the user name of the controller's service account. */
export const controllerUser = (namespace: string): string => `system:serviceaccount:${namespace}:${controllerName}`;

/** Returns the admission policies of an installation with the controller in a namespace, and their bindings. */
export function installedPolicies(namespace: string): readonly KubernetesObject[] {
  const controller = controllerUser(namespace);
  return [
    ...protectionPolicies(),
    ...stageOwnershipPolicy(),
    ...ingressPolicy(),
    ...imageDigestPolicy(),
    ...platformWritePolicies(controller, namespace),
    ...protectedProjectPolicies(controller),
    ...breakGlassPolicy(),
    ...operatorWritePolicy(),
    ...tokenSecretPolicy(),
    ...nodeLabelPolicy(),
    ...verifiedRecordPolicies(controller),
    ...controllerWritesPolicy({
      policy: 'controller-writes',
      user: controller,
      namespace,
      scopes: ['workloads', 'platform'],
      rules: [...controllerRules(), gangRule],
      bindableRoles,
    }),
  ];
}
