import { group, pinionKinds, type PinionKind, type Problem } from '../../../api';
import { entriesAt } from './fields';
import { type NativeObject } from './native-object';

/** Returns the problem that a custom resource manages an object, so that it cannot be imported; undefined if none does. */
export function ownedProblem(object: NativeObject, namespace: string): Problem | undefined {
  const owners = entriesAt(object, 'metadata', 'ownerReferences');
  const owner = owners.find(
    ({ apiVersion, controller }) => controller === true && String(apiVersion).startsWith(`${group}/`),
  );
  if (!owner) return undefined;
  const [kind, name] = [String(owner['kind']), String(owner['name'])];
  const known = Object.hasOwn(pinionKinds, kind) ? pinionKinds[kind as PinionKind] : undefined;
  const objectNamespace = object.metadata.namespace ?? namespace;
  const namespaceFlag = known?.scope === 'Cluster' ? '' : ` -n ${objectNamespace}`;
  return {
    code: 'platform-owned',
    path: ['metadata', 'ownerReferences'],
    reason: `is already managed by ${kind} ${name}, which reverts changes`,
    remedy: `change the custom resource instead: kubectl get ${known?.shortNames[0] ?? kind.toLowerCase()} ${name}${namespaceFlag} -o yaml`,
    object: `${object.kind} ${objectNamespace}/${object.metadata.name}`,
  };
}
