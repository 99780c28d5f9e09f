import { type ArtifactContent } from '../artifact';

/**
 * Returns the workloads, and the images of workloads, that a stage of a version has and another stage of it lacks, for
 * messages; none if the version does not have the other stage. Other fields may differ between stages, such as replicas.
 */
export function untestedParts({ stages }: Pick<ArtifactContent, 'stages'>, stage: string, other: string): string[] {
  const tested = partsOf(stages, other);
  return tested ? [...(partsOf(stages, stage) ?? [])].filter((part) => !tested.has(part)) : [];
}

function partsOf(stages: ArtifactContent['stages'], stage: string): Set<string> | undefined {
  const resources = stages.find(({ name }) => name === stage)?.resources;
  if (!resources) return undefined;
  const parts = resources.flatMap(({ kind, metadata, spec }) => {
    const workload = `${kind}/${metadata.name}`;
    return [workload, ...imagesIn(spec).map((image) => `image ${image} of ${workload}`)];
  });
  return new Set(parts);
}

/** Returns the images of containers and volumes anywhere in a value, which patches may set, too. */
function imagesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([field, inner]) => {
    if (field !== 'image') return imagesIn(inner);
    const image: unknown = (inner as { reference?: unknown } | null)?.reference ?? inner;
    return typeof image === 'string' ? [image] : imagesIn(inner);
  });
}
