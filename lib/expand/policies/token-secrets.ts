import { group, manager, recommended } from '../../api';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { admissionPolicy } from './admission-policy';

/** Type of the Secrets that Kubernetes fills with a token of a service account. */
export const tokenSecretType = 'kubernetes.io/service-account-token';
const accountOf = (object: string) =>
  `${object}.metadata.?annotations.orValue({})[?"kubernetes.io/service-account.name"].orValue("")`;

/** Condition of requests that make a Secret the token of an account. */
export const makesTokenSecret = {
  name: 'token',
  expression: `object.?type.orValue("") == "${tokenSecretType}" && (oldObject == null || ${accountOf('object')} != ${accountOf('oldObject')})`,
};

/**
 * Creates the policy for Secrets that Kubernetes fills with a token of a service account: writing one is creating a
 * token, which writing Secrets does not include.
 */
export const tokenSecretPolicy = (): KubernetesObject[] =>
  admissionPolicy(`token-secrets.${group}`, {
    namespaceSelector: { matchLabels: { [recommended.managedBy]: manager } },
    resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['secrets'] }],
    matchConditions: [makesTokenSecret],
    validations: [
      {
        expression: `authorizer.group("").resource("serviceaccounts").subresource("token").namespace(request.namespace).name(${accountOf('object')}).check("create").allowed()`,
        message: `type: a Secret of type ${tokenSecretType} is a token of a service account, which your role may not create; mount a projected token into the pods of a workload instead`,
      },
    ],
  });
