import {
  isError,
  isPlatformKind,
  isWorkloadKind,
  platformFileName,
  ProblemsError,
  safeParseManifest,
  type PlatformManifest,
  type Workload,
} from '../../../../api';
import { expand, resolvePlatform } from '../../../../expand';
import { snapshotOf } from '../../../../testing';
import { readDocuments } from '../../../../yaml';
import { type ProjectChoices } from '../project-choices';
import { platformFile } from './platform-file';
import { snapshotTitle, starterManifest } from './source-files';

/**
 * Returns the snapshot of the test of a new project, as jest writes it: in CI, jest writes none and fails.
 * Throws a `ProblemsError` if the names are not valid.
 */
export function snapshotFile(choices: ProjectChoices): string {
  const { documents } = readDocuments(Buffer.from(platformFile(choices)), platformFileName);
  const parsed = [...documents.map(({ value }) => value), starterManifest(choices)].map((value) =>
    safeParseManifest(value),
  );
  const problems = parsed.flatMap((result) => result.problems);
  if (problems.some(isError)) throw new ProblemsError(problems);
  const manifests = parsed.flatMap(({ manifest }) => manifest ?? []);
  const platform = resolvePlatform(manifests.filter((manifest) => isPlatformKind(manifest.kind)) as PlatformManifest[]);
  const workloads = manifests.filter((manifest) => isWorkloadKind(manifest.kind)) as Workload[];
  const objects = workloads.flatMap((workload) => expand(workload, platform.project(choices.project)));
  const escaped = `"${snapshotOf(objects)}"`.replace(/`|\\|\$\{/g, '\\$&');
  return `// Jest Snapshot v1, https://jestjs.io/docs/snapshot-testing\n\nexports[\`${snapshotTitle} 1\`] = \`\n${escaped}\n\`;\n`;
}
