import { draftObject, type KubernetesObject } from '../objects/kubernetes-object';

/** Resources and operations that a policy applies to. */
export interface ResourceRule {
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly operations: readonly ('CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT')[];
  readonly resources: readonly string[];
}

/** CEL expression that a request must satisfy, and the message of the rejection. */
export interface Validation {
  readonly expression: string;
  readonly message: string;
  readonly messageExpression?: string;
  readonly reason?: 'Forbidden' | 'Invalid';
}

/** Content of an admission policy and its binding. */
export interface AdmissionPolicy {
  readonly paramKind?: { readonly apiVersion: string; readonly kind: string };
  /** Parameters of the binding; required with `paramKind`. */
  readonly paramRef?: {
    readonly name?: string;
    readonly selector?: object;
    readonly parameterNotFoundAction: 'Allow' | 'Deny';
  };
  readonly resourceRules: readonly ResourceRule[];
  readonly namespaceSelector?:
    | {
        readonly matchLabels: Readonly<Record<string, string>>;
        readonly matchExpressions?: readonly (
          | { readonly key: string; readonly operator: 'Exists' }
          | { readonly key: string; readonly operator: 'NotIn'; readonly values: readonly string[] }
        )[];
      }
    | {
        readonly matchExpressions: readonly {
          readonly key: string;
          readonly operator: 'In' | 'NotIn';
          readonly values: readonly string[];
        }[];
      };
  readonly objectSelector?:
    | { readonly matchLabels: Readonly<Record<string, string>> }
    | { readonly matchExpressions: readonly { readonly key: string; readonly operator: 'Exists' }[] };
  readonly matchConditions?: readonly { readonly name: string; readonly expression: string }[];
  readonly variables?: readonly { readonly name: string; readonly expression: string }[];
  readonly validations: readonly Validation[];
  /** What happens to requests that break a validation. Without `Deny`, those that cannot be evaluated are admitted, too. @default - they are denied */
  readonly actions?: readonly ('Deny' | 'Audit' | 'Warn')[];
}

/**
 * Creates an admission policy and its binding, which rejects what the policy forbids.
 *
 * All defaults of the API server are included, so that a stored policy can be compared with the installed one.
 */
export function admissionPolicy(name: string, content: AdmissionPolicy): KubernetesObject[] {
  const { paramKind, paramRef, resourceRules, namespaceSelector, objectSelector, validations, actions, ...rest } =
    content;
  const policy = {
    failurePolicy: actions && !actions.includes('Deny') ? 'Ignore' : 'Fail',
    ...(paramKind && { paramKind }),
    matchConstraints: {
      matchPolicy: 'Equivalent',
      namespaceSelector: namespaceSelector ?? {},
      objectSelector: objectSelector ?? {},
      resourceRules: resourceRules.map((rule) => ({ ...rule, scope: '*' })),
    },
    ...rest,
    validations: validations.map((validation) => ({ ...validation, reason: validation.reason ?? 'Forbidden' })),
  };
  const binding = { policyName: name, ...(paramRef && { paramRef }), validationActions: actions ?? ['Deny'] };
  return [
    draftObject('ValidatingAdmissionPolicy', { name }, { spec: policy }),
    draftObject('ValidatingAdmissionPolicyBinding', { name }, { spec: binding }),
  ];
}
