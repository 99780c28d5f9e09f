import { type ArtifactContent, type Provenance } from '../../artifact';
import { nameOf } from '../input/input-documents';

/** Printed view of an artifact. */
export interface ArtifactView {
  readonly reference: string;
  readonly digest: string;
  readonly content: ArtifactContent;
  readonly signatures: readonly { readonly provenance: Provenance }[];
}

/** Returns the JSON summary of an artifact. */
export const artifactFacts = ({ reference, digest, content, signatures }: ArtifactView): object => ({
  reference,
  digest,
  stages: content.stages.map(({ resources, ...stage }) => ({ ...stage, resources: resources.map(nameOf) })),
  signatures: signatures.map(({ provenance }) => provenance),
});

/** Returns the text summary of an artifact; `suffix` ends its first line. */
export function artifactText({ reference, digest, content, signatures }: ArtifactView, suffix = ''): string {
  const stages = content.stages.map(({ name, targets, resources, properties }) => {
    const values = Object.entries(properties).map(([key, value]) => `    ${key} = ${String(value)}\n`);
    const count = `${resources.length} ${resources.length === 1 ? 'workload' : 'workloads'}`;
    return `stage ${name} on ${targets.join(', ')}: ${count}\n${values.join('')}`;
  });
  const origins = signatures.map(({ provenance }) => `${provenanceLine(provenance)}\n`);
  return `${reference} ${digest} ${suffix}`.trimEnd() + `\n${origins.join('')}${stages.join('')}`;
}

/** Returns the provenance that an artifact claims, as one line. */
const provenanceLine = ({ repository, ref, commit, published, review, run }: Provenance): string =>
  [
    `from ${repository} ${ref} ${commit.slice(0, 12)} at ${published}`,
    review && `review ${review}`,
    run && `run ${run}`,
  ]
    .filter(Boolean)
    .join(', ');
