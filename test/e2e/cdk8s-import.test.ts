import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { load } from 'js-yaml';
import { safeParseManifest, pinionKinds } from '../../lib/api';

// Two compilations, which take 24 s on an idle machine.
jest.setTimeout(180_000);

const run = promisify(execFile);
const root = join(__dirname, '..', '..');
const bin = (name: string): string => join(root, 'node_modules', '.bin', name);

/** App that uses only the types that `cdk8s import` generates from the definitions. */
const program = `import { App, Chart } from 'cdk8s';
import {
  PinterestService,
  PinterestServiceSpecLoadBalancerProtocol,
  type PinterestServiceProps,
} from './imports/pinterest.com';

const props: PinterestServiceProps = {
  metadata: { name: 'example', namespace: 'exampleproject' },
  spec: {
    iamRole: 'role1',
    replicas: 3,
    loadBalancer: { port: 8080, protocol: PinterestServiceSpecLoadBalancerProtocol.GRPC },
    sidecars: { logs: { config: { level: 'info' } } },
    template: {
      spec: {
        containers: [
          {
            name: 'app',
            image: 'registry.example.com/app:1.4.2',
            ports: [{ containerPort: 8080 }],
            resources: { limits: { memory: '1Gi' } },
          },
        ],
      },
    },
  },
};
const app = new App();
new PinterestService(new Chart(app, 'chart'), 'example', props);
process.stdout.write(app.synthYaml());
`;
const options = {
  ...{ target: 'es2022', module: 'node20', moduleResolution: 'node16', strict: true, skipLibCheck: true },
  ...{ types: ['node'], outDir: 'built', noUnusedLocals: true },
};

describe('cdk8s import', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'pinion-imports-'));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('generates types that an app compiles against and that synthesize valid manifests', async () => {
    const files = readdirSync(join(root, 'crds')).filter((name) => name.endsWith('.yaml'));
    expect(files).toHaveLength(Object.keys(pinionKinds).length);
    // A single file: a second import of the same group would overwrite the first module.
    const definitions = files.map((name) => readFileSync(join(root, 'crds', name), 'utf8')).join('\n---\n');
    writeFileSync(join(folder, 'crds.yaml'), definitions);
    const importing = ['import', 'crds.yaml', '--language', 'typescript', '--no-save', '--check-upgrade=false'];
    await run(bin('cdk8s'), importing, { cwd: folder });
    const imported = readFileSync(join(folder, 'imports', 'pinterest.com.ts'), 'utf8');
    for (const kind of Object.keys(pinionKinds)) expect(imported).toContain(`export class ${kind} extends ApiObject`);

    writeFileSync(join(folder, 'main.ts'), program);
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['main.ts'] }));
    const compiled = await run(bin('tsc'), ['-p', folder], { cwd: folder }).catch((error: { stdout: string }) => error);
    expect(compiled.stdout).toBe('');

    const { stdout } = await run(process.execPath, [join(folder, 'built', 'main.js')], { cwd: folder });
    const document = load(stdout);
    expect(safeParseManifest(document).problems).toEqual([]);
    expect(document).toMatchObject({ spec: { replicas: 3, loadBalancer: { protocol: 'GRPC' } } });
  });
});
