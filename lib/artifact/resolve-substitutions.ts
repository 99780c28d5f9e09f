import { nearest, type FieldPath, type Problem, type PropertyValue, type Workflow } from '../api';
import { type ArtifactResource } from './artifact-content';
import { resolveFieldPath, parseFieldPath, setAtPath } from './field-path';
import { identityOf, type WorkloadManifest } from './workload-manifest';

/** Field of a manifest that is set to the value of a property. */
export interface Substitution {
  /** Index of the manifest. */
  readonly manifest: number;
  readonly path: FieldPath;
  readonly property: string;
}

/** Resolves the substitutions of a workflow to fields of its manifests; reports those that match none. */
export function resolveSubstitutions(
  workflow: Workflow,
  manifests: readonly WorkloadManifest[],
  report: (problem: Problem) => void,
): Substitution[] {
  const byField = new Map<string, Substitution>();
  for (const [property, { substitutions }] of Object.entries(workflow.spec.properties))
    for (const [index, { workload, fieldPath }] of substitutions.entries()) {
      const at = (field: string): FieldPath => ['spec', 'properties', property, 'substitutions', index, field];
      const manifest = findManifest(workload, manifests);
      if (typeof manifest !== 'number') {
        report({ code: 'unknown-reference', path: at('workload'), value: workload, ...manifest });
        continue;
      }
      const path = parseFieldPath(fieldPath);
      const found = path && resolveFieldPath(manifests[manifest]?.value, path);
      if (!found || !('path' in found)) {
        const invalid = {
          reason: 'is not a field path',
          remedy: 'use a path such as spec.template.spec.containers[app].image',
        };
        report({ code: 'unknown-reference', path: at('fieldPath'), value: fieldPath, ...(found ?? invalid) });
        continue;
      }
      const key = JSON.stringify([manifest, ...found.path]);
      const other = byField.get(key);
      if (!other) byField.set(key, { manifest, path: found.path, property });
      else {
        const reason = `is already set by property ${other.property}`;
        report({
          code: 'duplicate',
          path: at('fieldPath'),
          value: fieldPath,
          reason,
          remedy: 'remove one of the two substitutions',
        });
      }
    }
  return [...byField.values()];
}

/** Returns the index of the manifest that a substitution names, or why there is none. */
function findManifest(
  workload: string,
  manifests: readonly WorkloadManifest[],
): number | { reason: string; remedy: string } {
  const [name, kind] = workload.split('/').reverse();
  const found = [...manifests.entries()].filter(([, manifest]) => {
    const identity = identityOf(manifest);
    return identity.name === name && (kind === undefined || identity.kind === kind);
  });
  const [first, second] = found;
  if (first && !second) return first[0];
  if (first) {
    const remedy = `use ${found.map(([, manifest]) => `${identityOf(manifest).kind}/${name}`).join(' or ')}`;
    return { reason: 'is ambiguous', remedy };
  }
  const names = manifests.map((manifest) => identityOf(manifest).name).filter((one) => typeof one === 'string');
  const guess = nearest(name ?? '', names);
  return {
    reason: 'is not a workload of the workflow',
    remedy: guess
      ? `did you mean "${guess}"?`
      : names.length > 0
        ? `use ${names.slice(0, 10).join(', ')}`
        : 'add its file to spec.workloads',
  };
}

/** Returns a manifest with the values of properties; fields of properties without a value stay as they are. */
export function applySubstitutions(
  { status: _, ...value }: WorkloadManifest['value'],
  manifest: number,
  substitutions: readonly Substitution[],
  values: Readonly<Record<string, PropertyValue>>,
): ArtifactResource {
  const resource = substitutions
    .filter((substitution) => substitution.manifest === manifest)
    .reduce<unknown>((whole, { path, property }) => {
      const found = Object.hasOwn(values, property) ? values[property] : undefined;
      return found === undefined ? whole : setAtPath(whole, path, found);
    }, value);
  return resource as ArtifactResource;
}
