import { packageName } from '../../../io/package-name';
import { type ProjectChoices } from '../project-choices';

/** Versions that are tested together; a test compares them with those of this repository. */
const dependencies = { cdk8s: '2.70.106', constructs: '10.8.1' };
const devDependencies = {
  '@swc/core': '1.16.18',
  '@swc/jest': '0.2.39',
  '@types/jest': '30.0.0',
  '@types/node': '20.19.43',
  'cdk8s-cli': '2.207.60',
  jest: '30.5.2',
  'ts-node': '10.9.2',
  typescript: '6.0.3',
};

/** Returns `package.json`. */
export const packageFile = ({ project, pinion }: ProjectChoices): string =>
  `${JSON.stringify(
    {
      name: `${project}-workloads`,
      version: '1.0.0',
      private: true,
      type: 'commonjs',
      engines: { node: '^20.19.0 || ^22.13.0 || ^24.0.0' },
      scripts: {
        compile: 'tsc --noEmit',
        test: 'jest',
        check: 'pinion check --quiet pinion.platform.yaml',
        synth: 'cdk8s synth --check-upgrade=false',
      },
      dependencies: { [packageName]: pinion.spec, ...dependencies },
      devDependencies,
      jest: { transform: { '^.+\\.ts$': '@swc/jest' }, testPathIgnorePatterns: ['/node_modules/', '/dist/'] },
    },
    undefined,
    2,
  )}\n`;
