import { group, pinionKinds, type PinionKind, type Problem } from '../../../api';
import { entriesAt } from './fields';
import { type NativeObject } from './native-object';

/** Returns the reason why an object cannot be imported: a custom resource manages it; undefined if none does. */
export function ownedProblem(object: NativeObject, namespace: string): Problem | undefined {
  const owners = entriesAt(object, 'metadata', 'ownerReferences');
  const owner = owners.find(
    ({ apiVersion, controller }) => controller === true && String(apiVersion).startsWith(`${group}/`),
  );
  if (!owner) return undefined;
  const [kind, name] = [String(owner['kind']), String(owner['name'])];
  const known = Object.hasOwn(pinionKinds, kind) ? pinionKinds[kind as PinionKind] : undefined;
  const place = object.metadata.namespace ?? namespace;
  const at = known?.scope === 'Cluster' ? '' : ` -n ${place}`;
  return {
    code: 'platform-owned',
    path: ['metadata', 'ownerReferences'],
    reason: `is already managed by ${kind} ${name}, which reverts changes`,
    remedy: `change that one instead: kubectl get ${known?.shortNames[0] ?? kind.toLowerCase()} ${name}${at} -o yaml`,
    object: `${object.kind} ${place}/${object.metadata.name}`,
  };
}
