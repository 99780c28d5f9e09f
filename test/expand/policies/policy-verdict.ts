import { celValue, evaluateCel } from '../../../lib/api/rules/cel';
import { installedPolicies } from '../../../lib/expand';

/** Write that a policy judges. */
export interface PolicyRequest {
  readonly user: string;
  /** Plural of the kind. */
  readonly resource: string;
  readonly operation?: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly namespace?: string;
  /** Groups of the user. @default - none */
  readonly groups?: readonly string[];
  /** Annotations of the namespace. */
  readonly facts?: Readonly<Record<string, string>>;
  readonly object: { readonly metadata: { readonly name: string; readonly [field: string]: unknown } };
  /** What an update changes. @default - the object */
  readonly oldObject?: PolicyRequest['object'];
  /** The Platform. @default - one without fields */
  readonly params?: object;
}

interface PolicySpec {
  readonly variables?: readonly { readonly name: string; readonly expression: string }[];
  readonly validations: readonly { readonly expression: string; readonly message: string }[];
}

/** Returns the message of the first validation of an installed policy that a write breaks; undefined if it breaks none. */
export function policyVerdict(
  name: string,
  {
    user,
    groups = [],
    resource,
    operation = 'CREATE',
    namespace,
    facts,
    object,
    oldObject = object,
    params,
  }: PolicyRequest,
): string | undefined {
  const policy = installedPolicies('pinion-controller').find(
    ({ kind, metadata }) => kind === 'ValidatingAdmissionPolicy' && metadata.name === `${name}.pinterest.com`,
  ) as unknown as { readonly spec: PolicySpec };
  const variables: Record<string, unknown> = {};
  const isDeleted = operation === 'DELETE';
  const values = {
    request: {
      userInfo: { username: user, groups },
      resource: { resource },
      operation,
      ...(namespace !== undefined && { namespace }),
    },
    object: isDeleted ? null : celValue(object),
    oldObject: operation === 'CREATE' ? null : celValue(oldObject),
    params: params === undefined ? { spec: {} } : celValue(params),
    namespaceObject:
      namespace === undefined
        ? null
        : { metadata: { labels: { 'app.kubernetes.io/managed-by': 'pinion' }, ...(facts && { annotations: facts }) } },
    variables,
  };
  for (const variable of policy.spec.variables ?? [])
    variables[variable.name] = evaluateCel(variable.expression, values);
  return policy.spec.validations.find(({ expression }) => evaluateCel(expression, values) !== true)?.message;
}
