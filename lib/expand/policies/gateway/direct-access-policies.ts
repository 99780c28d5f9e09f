import { gatewayAudience, group } from '../../../api';
import { type KubernetesObject } from '../../objects/kubernetes-object';
import { admissionPolicy, type AdmissionPolicy } from '../admission-policy';
import { makesTokenSecret, tokenSecretType } from '../token-secrets';
import {
  exceptKubelets,
  exceptRepair,
  gatewayNamespaces,
  platformParameter,
  refusesDirectAccess,
} from './gateway-scope';

/** A way around the gateway, and the policy that closes it. */
interface Bypass extends Pick<AdmissionPolicy, 'resourceRules' | 'validations'> {
  readonly name: string;
  readonly conditions?: AdmissionPolicy['matchConditions'];
}

const isForApiServer = (audience: string): string => `${audience} in params.spec.gateway.audiences`;
const remedy = `let its clients use the gateway (audience ${gatewayAudience}), or ask the platform team to add the project to spec.gateway.directProjects of the Platform`;

const bypasses: readonly Bypass[] = [
  {
    name: 'direct-pods',
    resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
    validations: [
      {
        expression: `object.spec.?volumes.orValue([]).all(v, v.?projected.?sources.orValue([]).all(s, !has(s.serviceAccountToken) || (has(s.serviceAccountToken.audience) && s.serviceAccountToken.audience != "" && !(${isForApiServer('s.serviceAccountToken.audience')}))))`,
        message: `spec.volumes: has a token for the API server, which pods of this project do not get; ${remedy}`,
      },
    ],
  },
  {
    name: 'direct-tokens',
    resourceRules: [
      { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['serviceaccounts/token'] },
    ],
    conditions: [exceptKubelets],
    validations: [
      {
        expression: `size(object.spec.?audiences.orValue([])) > 0 && object.spec.audiences.all(a, !(${isForApiServer('a')}))`,
        message: `spec.audiences: is an audience of the API server, for which accounts of this project do not get tokens; ${remedy}`,
      },
    ],
  },
  {
    name: 'direct-secrets',
    resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['secrets'] }],
    conditions: [makesTokenSecret],
    validations: [
      {
        expression: 'false',
        message: `type: a Secret of type ${tokenSecretType} is a token for the API server, which accounts of this project do not get; ${remedy}`,
      },
    ],
  },
];

/**
 * Creates the policies that close the ways around the gateway: tokens for the API server in pods, on request and in
 * Secrets. Each has a twin that reports what it would refuse, in the audit log and as a warning, while the Platform
 * observes.
 */
export const directAccessPolicies = (): KubernetesObject[] =>
  bypasses.flatMap(({ name, conditions = [], ...rest }) =>
    [false, true].flatMap((isReport) =>
      admissionPolicy(`${name}${isReport ? '-reported' : ''}.${group}`, {
        ...platformParameter,
        ...rest,
        namespaceSelector: gatewayNamespaces(isReport),
        matchConditions: [...refusesDirectAccess(isReport), exceptRepair, ...conditions],
        ...(isReport && { actions: ['Audit', 'Warn'] }),
      }),
    ),
  );
