import { nearest, type FieldPath, type Problem, type Spec } from '../../api';

type RuntimePart = Spec<'RuntimeProfile'>['parts'][number];

/** Reports mounts of volumes that the pods of a part may lack, so that the API server would reject every such pod. */
export function partMountProblems(parts: readonly RuntimePart[], report: (problem: Problem) => void): void {
  const alwaysThere = parts.filter(isAlwaysThere).flatMap(volumesOf);
  parts.forEach((part, index) => {
    const known = [...volumesOf(part), ...requirementsOf(part, parts).flatMap(volumesOf), ...alwaysThere];
    for (const { name, path } of mountsOf(part))
      if (!known.includes(name)) report(unknownVolume(name, ['spec', 'parts', index, 'pod', ...path, 'name'], known));
  });
}

const isAlwaysThere = ({ injection, kinds, tiers, needsImage, needsValues }: RuntimePart): boolean =>
  injection === 'Required' && !kinds && !tiers && !needsImage && needsValues.length === 0;

const volumesOf = ({ name, pod }: RuntimePart): string[] => [
  ...(pod?.volumes ?? []).map((volume) => volume.name),
  ...(pod?.files !== undefined || pod?.configFile !== undefined ? [`pinion-${name}-files`] : []),
];

/** Returns the parts without which a part is not injected. */
function requirementsOf(part: RuntimePart, parts: readonly RuntimePart[], seen = new Set<string>()): RuntimePart[] {
  return part.requires.flatMap((name) => {
    const found = seen.has(name) ? undefined : parts.find((other) => other.name === name);
    seen.add(name);
    return found ? [found, ...requirementsOf(found, parts, seen)] : [];
  });
}

/** Lists the mounts of the containers of a part and of the app, each with its path within `pod`. */
const mountsOf = ({ pod }: RuntimePart): { readonly name: string; readonly path: FieldPath }[] => [
  ...(pod?.volumeMounts ?? []).map(({ name }, index) => ({ name, path: ['volumeMounts', index] })),
  ...(['initContainers', 'sidecars'] as const).flatMap((list) =>
    (pod?.[list] ?? []).flatMap((container, at) =>
      (['volumeMounts', 'volumeDevices'] as const).flatMap((field) =>
        (container[field] ?? []).map(({ name }, index) => ({ name, path: [list, at, field, index] })),
      ),
    ),
  ),
];

function unknownVolume(value: string, path: FieldPath, known: readonly string[]): Problem {
  const guess = nearest(value, known);
  return {
    code: 'unknown-reference',
    path,
    value,
    reason: 'is not a volume of this part or of a part that it requires',
    remedy:
      guess === undefined
        ? 'add it to pod.volumes, or add the part with the volume to requires'
        : `did you mean "${guess}"?`,
  };
}
