import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiObject, App, Chart } from 'cdk8s';
import * as plus from 'cdk8s-plus-27';
import { objectsOf } from './synth-worker';

interface NativeContainer {
  readonly name: string;
  readonly image: string;
  readonly command?: string[];
  readonly args?: string[];
  readonly env?: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: { readonly fieldRef?: { readonly fieldPath: string } };
  }[];
}

/**
 * Adds the eight objects of a pinion service, with stock L2 constructs where they exist, including its six
 * containers and their environment variables.
 */
function addService(
  chart: Chart,
  name: string,
  template: readonly { readonly kind: string; readonly [field: string]: unknown }[],
): void {
  const account = new plus.ServiceAccount(chart, `${name}-account`) as plus.IServiceAccount;
  template
    .filter(({ kind }) => kind === 'ConfigMap')
    .forEach((object, index) => {
      new plus.ConfigMap(chart, `${name}-config-${index}`, {
        data: object['data'] as Record<string, string>,
        immutable: true,
      });
    });
  const native = template.find(({ kind }) => kind === 'Deployment')?.['spec'] as {
    template: { spec: { containers: NativeContainer[]; initContainers: NativeContainer[] } };
  };
  const props = ({ name: container, image, command, args, env }: NativeContainer): plus.ContainerProps => ({
    name: container,
    image,
    ...(command && { command }),
    ...(args && { args }),
    envVariables: Object.fromEntries(
      (env ?? []).map(({ name: variable, value }) => [variable, plus.EnvValue.fromValue(value ?? 'from the pod')]),
    ),
    securityContext: { user: 1000 },
  });
  const deployment = new plus.Deployment(chart, name, { replicas: 3, serviceAccount: account });
  const [first, ...rest] = native.template.spec.containers;
  if (first) deployment.addContainer({ ...props(first), portNumber: 8080 });
  rest.forEach((container) => deployment.addContainer(props(container)));
  native.template.spec.initContainers.forEach((container) => deployment.addInitContainer(props(container)));
  const service = deployment.exposeViaService({ ports: [{ port: 8080 }] });
  new plus.Ingress(chart, `${name}-ingress`, {
    rules: [{ host: `${name}.example.com`, backend: plus.IngressBackend.fromService(service) }],
  });
  new ApiObject(chart, `${name}-budget`, {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    spec: { maxUnavailable: 1 },
  });
}

function main(): void {
  const count = Number(process.argv[2] ?? '1000');
  const template = objectsOf('service');
  const outdir = mkdtempSync(join(tmpdir(), 'pinion-bench-'));
  const begin = process.hrtime.bigint();
  const app = new App({ outdir });
  const chart = new Chart(app, 'services');
  for (let index = 0; index < count; index++) addService(chart, `service-${index}`, template);
  app.synth();
  const seconds = Number(process.hrtime.bigint() - begin) / 1e9;
  rmSync(outdir, { recursive: true });
  process.stdout.write(`${JSON.stringify({ objects: count * template.length, seconds })}\n`);
}

main();
