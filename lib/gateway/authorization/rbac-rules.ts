/** Rule of a role. */
export interface RbacRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** RbacSubject of a binding. */
export interface RbacSubject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

/** What a client wants to do. */
export interface Attributes {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

const includes = (list: readonly string[] | undefined, value: string): boolean =>
  list !== undefined && (list.includes('*') || list.includes(value));

/** Returns whether a rule allows a request, as the API server's RBAC authorizer decides. */
export function ruleAllows(rule: RbacRule, { verb, group, resource, subresource, name }: Attributes): boolean {
  return (
    includes(rule.verbs, verb) &&
    includes(rule.apiGroups, group) &&
    resourceMatches(rule.resources ?? [], resource, subresource) &&
    nameMatches(rule.resourceNames ?? [], name)
  );
}

function resourceMatches(resources: readonly string[], resource: string, subresource: string | undefined): boolean {
  if (subresource === undefined) return includes(resources, resource);
  return includes(resources, `${resource}/${subresource}`) || resources.includes(`*/${subresource}`);
}

const nameMatches = (names: readonly string[], name: string | undefined): boolean =>
  names.length === 0 || (name !== undefined && name !== '' && names.includes(name));

/** Returns keys of the subjects that a client is: its name, as user and as service account, and its groups. */
export const subjectKeysOf = (username: string, groups: readonly string[]): string[] => [
  `User:${username}`,
  ...groups.map((group) => `Group:${group}`),
];

/**
 * Returns the key of a subject of a binding; undefined for one that matches no client.
 * @param namespace - namespace of a RoleBinding, the default for a service account
 */
export function subjectKey(subject: RbacSubject, namespace: string | undefined): string | undefined {
  const { kind, name } = subject;
  if (kind === 'User' || kind === 'Group') return `${kind}:${name}`;
  const own = subject.namespace ?? namespace ?? '';
  return kind !== 'ServiceAccount' || own === '' ? undefined : `User:system:serviceaccount:${own}:${name}`;
}
