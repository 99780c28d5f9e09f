import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Chart } from 'cdk8s';
import { parseManifest, expand, PinterestService, PlatformApp, resolvePlatform, type KubernetesObject } from 'pinion';

/** A service as an app team writes it; the same for all contenders. */
const spec = () => ({
  iamRole: 'role1',
  replicas: 3,
  loadBalancer: { port: 8080 },
  sidecars: { logs: { config: { level: 'info' } } },
  template: {
    spec: { containers: [{ name: 'app', image: 'registry.example.com/app:1.4.2', ports: [{ containerPort: 8080 }] }] },
  },
});

/** The expanded objects, for contenders that must render equal objects. */
export function objectsOf(name: string): readonly KubernetesObject[] {
  const input = {
    apiVersion: 'pinterest.com/v1',
    kind: 'PinterestService',
    metadata: { name, namespace: 'shop' },
    spec: spec(),
  } as const;
  return expand(parseManifest(input), resolvePlatform([]).project('shop'));
}

/** Typed input to YAML on disk, validation and expansion included, in one chart. */
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

/** Only JSON.stringify of the same objects, created before the timing. */
function stringify(count: number): { objects: number; seconds: number } {
  const all = Array.from({ length: count }, (_, index) => objectsOf(`service-${index}`)).flat();
  const begin = process.hrtime.bigint();
  let length = 0;
  for (const object of all) length += JSON.stringify(object).length;
  const seconds = Number(process.hrtime.bigint() - begin) / 1e9;
  return { objects: length > 0 ? all.length : 0, seconds };
}

function main(): void {
  const [what, count = '1000'] = process.argv.slice(2);
  const begin = process.hrtime.bigint();
  const done = what === 'stringify' ? stringify(Number(count)) : synthesize(Number(count));
  const seconds = 'seconds' in done ? done.seconds : Number(process.hrtime.bigint() - begin) / 1e9;
  process.stdout.write(
    `${JSON.stringify({ ...done, seconds, megabytes: Math.round(process.resourceUsage().maxRSS / 1024) })}\n`,
  );
}

if (require.main === module) main();
