import { entriesAt } from './fields';
import { type NativeObject } from './native-object';

/** Service account that pods have if they name none. */
export const defaultAccount = 'default';

/**
 * Returns whether a role binding names a service account. Every namespace has one named default, so that a subject of
 * another namespace is not that of the pods; other names are theirs also if the manifests have another namespace.
 */
export const bindsAccount = (binding: NativeObject, account: string, namespace: string): boolean =>
  (binding.kind === 'RoleBinding' || binding.kind === 'ClusterRoleBinding') &&
  entriesAt(binding, 'subjects').some(
    (subject) =>
      subject['kind'] === 'ServiceAccount' &&
      subject['name'] === account &&
      (account !== defaultAccount || (subject['namespace'] ?? namespace) === namespace),
  );
