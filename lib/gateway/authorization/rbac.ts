import { type Attributes, type RbacRule, ruleAllows, type RbacSubject, subjectKey, subjectKeysOf } from './rbac-rules';

/** Role or ClusterRole. */
export interface RbacRole {
  readonly namespace: string | undefined;
  readonly name: string;
  readonly rules: readonly RbacRule[];
}

/** RoleBinding or ClusterRoleBinding. */
export interface RbacBinding {
  /** @default - all namespaces */
  readonly namespace: string | undefined;
  readonly role: { readonly kind: string; readonly name: string };
  readonly subjects: readonly RbacSubject[];
}

/** Group whose members may do everything, whatever the roles say. */
const superusers = 'system:masters';

/** Roles and bindings of a cluster at one moment, ready to be asked. */
export class Rbac {
  readonly #roles = new Map<string, readonly RbacRule[]>();
  readonly #bindings = new Map<string, RbacBinding[]>();

  constructor(roles: Iterable<RbacRole>, bindings: Iterable<RbacBinding>) {
    for (const { namespace, name, rules } of roles) this.#roles.set(roleKey(namespace, name), rules);
    for (const binding of bindings) this.#index(binding);
  }

  /** Returns whether some role allows a request. */
  allows(username: string, groups: readonly string[], attributes: Attributes): boolean {
    if (groups.includes(superusers)) return true;
    return subjectKeysOf(username, groups).some((key) =>
      (this.#bindings.get(key) ?? []).some((binding) => this.#bindingAllows(binding, attributes)),
    );
  }

  #index(binding: RbacBinding): void {
    for (const subject of binding.subjects) {
      const key = subjectKey(subject, binding.namespace);
      if (key === undefined) continue;
      const known = this.#bindings.get(key);
      if (known) known.push(binding);
      else this.#bindings.set(key, [binding]);
    }
  }

  #bindingAllows({ namespace, role }: RbacBinding, attributes: Attributes): boolean {
    if (namespace !== undefined && namespace !== attributes.namespace) return false;
    const rules = this.#roles.get(roleKey(role.kind === 'Role' ? namespace : undefined, role.name)) ?? [];
    return rules.some((rule) => ruleAllows(rule, attributes));
  }
}

const roleKey = (namespace: string | undefined, name: string): string => `${namespace ?? ''}/${name}`;
