import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Chart } from 'cdk8s';
import {
  parseManifest,
  expand,
  PinterestService,
  PlatformApp,
  resolvePlatform,
  type KubernetesObject,
} from '@pinion-platform/pinion';

/** Returns the spec of a service as an app team writes it, which all contenders share. */
const spec = () => ({
  iamRole: 'role1',
  replicas: 3,
  loadBalancer: { port: 8080 },
  sidecars: { logs: { config: { level: 'info' } } },
  template: {
    spec: { containers: [{ name: 'app', image: 'registry.example.com/app:1.4.2', ports: [{ containerPort: 8080 }] }] },
  },
});

/** Expands the service, for contenders that must render equal objects. */
export function objectsOf(name: string): readonly KubernetesObject[] {
  const input = {
    apiVersion: 'pinterest.com/v1',
    kind: 'PinterestService',
    metadata: { name, namespace: 'shop' },
    spec: spec(),
  } as const;
  return expand(parseManifest(input), resolvePlatform([]).project('shop'));
}

/** Synthesizes one chart from typed input to YAML on disk, including validation and expansion. */
function synthesize(count: number): { objects: number } {
  const outdir = mkdtempSync(join(tmpdir(), 'pinion-bench-'));
  const app = new PlatformApp({ outdir });
  const chart = new Chart(app, 'services');
  for (let index = 0; index < count; index++)
    new PinterestService(chart, `service-${index}`, { project: 'shop', ...spec() });
  app.synth();
  rmSync(outdir, { recursive: true });
  return { objects: app.summary?.objects ?? 0 };
}

/** Measures JSON.stringify of the same objects, which are created beforehand. */
function stringify(count: number): { objects: number; seconds: number } {
  const all = Array.from({ length: count }, (_, index) => objectsOf(`service-${index}`)).flat();
  const begin = process.hrtime.bigint();
  let length = 0;
  for (const object of all) length += JSON.stringify(object).length;
  const seconds = Number(process.hrtime.bigint() - begin) / 1e9;
  return { objects: length > 0 ? all.length : 0, seconds };
}

function main(): void {
  const [mode, count = '1000'] = process.argv.slice(2);
  const begin = process.hrtime.bigint();
  const result = mode === 'stringify' ? stringify(Number(count)) : synthesize(Number(count));
  const seconds = 'seconds' in result ? result.seconds : Number(process.hrtime.bigint() - begin) / 1e9;
  process.stdout.write(
    `${JSON.stringify({ ...result, seconds, megabytes: Math.round(process.resourceUsage().maxRSS / 1024) })}\n`,
  );
}

if (require.main === module) main();
