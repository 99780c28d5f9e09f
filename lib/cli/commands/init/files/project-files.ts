import { packageScope } from '../../../io/package-name';
import { ownVersion } from '../../../io/own-version';
import { type ProjectChoices } from '../project-choices';
import { ciFiles } from './ci-files';
import { packageFile } from './package-file';
import { platformFile } from './platform-file';
import { readmeFile } from './readme-file';
import { snapshotFile } from './snapshot-file';
import { sourceFiles } from './source-files';

const tsconfigFile = `${JSON.stringify(
  {
    compilerOptions: {
      target: 'es2022',
      module: 'node20',
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: true,
      sourceMap: true,
      types: ['node', 'jest'],
    },
    include: ['*.ts'],
  },
  undefined,
  2,
)}\n`;

/** Returns all files of a new project except its lock file, by path. Throws a `ProblemsError` if the names are not valid. */
export function projectFiles(choices: ProjectChoices): Readonly<Record<string, string | Uint8Array>> {
  const { pinion, registry } = choices;
  const snapshot = snapshotFile(choices);
  return {
    '.gitignore': 'node_modules/\ndist/\n',
    ...(registry !== undefined && { '.npmrc': `${packageScope}:registry=${registry}\n` }),
    ...ciFiles(choices.ci),
    'README.md': readmeFile(choices),
    // Another version may generate other objects.
    ...(pinion.version === ownVersion() && { '__snapshots__/workloads.test.ts.snap': snapshot }),
    'package.json': packageFile(choices),
    'pinion.platform.yaml': platformFile(choices),
    ...sourceFiles(choices),
    'tsconfig.json': tsconfigFile,
    ...(pinion.file && { [pinion.file.path]: pinion.file.content }),
  };
}
