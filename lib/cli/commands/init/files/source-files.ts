import { apiVersion } from '../../../../api';
import { writeYaml } from '../../../../yaml';
import { packageName } from '../../../io/package-name';
import { type ProjectChoices } from '../project-choices';
import { typescriptLiteral } from '../typescript-literal';

/** Returns the manifest of the first workload. */
export const starterManifest = ({ project, name, starter }: ProjectChoices) => ({
  apiVersion,
  kind: starter.kind,
  metadata: { name, namespace: project },
  spec: starter.spec,
});

/** Title of the test whose snapshot is part of a new project. */
export const snapshotTitle = 'the objects match the snapshot';

const importLine = (name: string, specifier: string): string =>
  `import { ${name} } from ${JSON.stringify(specifier).replaceAll('"', "'")};`;

/** Returns the files that hold the workload, by path. */
export function sourceFiles(choices: ProjectChoices): Readonly<Record<string, string>> {
  const { project, name, starter } = choices;
  if (choices.flavor === 'yaml')
    return {
      [`workloads/${name}.yaml`]: writeYaml(starterManifest(choices)),
      'workloads.test.ts': yamlTest,
      'cdk8s.yaml': cdk8sFile('npx --no-install pinion render workloads --output-dir dist'),
    };
  const props = typescriptLiteral({ project, ...starter.spec }, 2, starter.kind.length + name.length + 17);
  return {
    'main.ts': mainFile(project),
    'workloads.ts': `${importLine(starter.kind, packageName)}
${importLine('type Chart', 'cdk8s')}

/** Adds all workloads of the project. */
export function addWorkloads(chart: Chart): void {
  new ${starter.kind}(chart, '${name}', ${props});
}
`,
    'workloads.test.ts': constructsTest,
    'cdk8s.yaml': cdk8sFile('node --require ts-node/register/transpile-only main.ts'),
  };
}

const cdk8sFile = (app: string): string => `language: typescript\napp: ${app}\noutput: dist\n`;

const mainFile = (project: string): string => `${importLine('PlatformApp', packageName)}
${importLine('Chart', 'cdk8s')}
${importLine('addWorkloads', './workloads')}

const app = new PlatformApp();
addWorkloads(new Chart(app, '${project}'));
app.synth();
`;

const constructsTest = `${importLine('snapshotOf', `${packageName}/testing`)}
${importLine('Testing', 'cdk8s')}
${importLine('addWorkloads', './workloads')}

test('${snapshotTitle}', () => {
  const chart = Testing.chart();
  addWorkloads(chart);
  expect(snapshotOf(Testing.synth(chart))).toMatchSnapshot();
});
`;

const yamlTest = `${importLine('execFileSync', 'node:child_process')}
${importLine('snapshotOf', `${packageName}/testing`)}

test('${snapshotTitle}', () => {
  const output = execFileSync('npx', ['--no-install', 'pinion', 'render', 'workloads', '-o', 'json'], { encoding: 'utf8' });
  expect(snapshotOf(JSON.parse(output).items)).toMatchSnapshot();
});
`;
