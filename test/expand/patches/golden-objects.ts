import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { parseManifest, type ManifestInput, type PlatformManifest, type Workload } from '../../../lib/api';
import { expand, resolvePlatform, type KubernetesObject, type ProjectContext } from '../../../lib/expand';

const folder = join(__dirname, '..', '..', 'golden');
const documents = (path: string): ManifestInput[] =>
  existsSync(path) ? (loadAll(readFileSync(path, 'utf8')) as ManifestInput[]) : [];

/** Workload of a golden case without its patches, and its context. */
interface GoldenWorkload {
  readonly title: string;
  readonly workload: Workload;
  readonly context: ProjectContext;
}

/** Workloads of all golden cases. */
export const goldenWorkloads: readonly GoldenWorkload[] = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name }) => {
    const platform = documents(join(folder, name, 'platform.yaml')).map((input) => parseManifest(input));
    const cluster = resolvePlatform(platform as PlatformManifest[]);
    return documents(join(folder, name, 'input.yaml')).map((input): GoldenWorkload => {
      const { patches: _, ...spec } = input.spec as { patches?: unknown };
      const workload = parseManifest({ ...input, spec } as ManifestInput) as Workload;
      return { title: name, workload, context: cluster.project(workload.metadata.namespace) };
    });
  });

/** Objects that the golden cases generate. */
export const goldenObjects: readonly KubernetesObject[] = goldenWorkloads.flatMap(({ workload, context }) =>
  expand(workload, context),
);
