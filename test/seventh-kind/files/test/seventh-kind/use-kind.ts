import assert from 'node:assert/strict';
import { App, Chart } from 'cdk8s';
import { crdOf, metadataKeys, parseManifest, type Workload } from '../../lib/api';
import { PinterestWorker } from '../../lib/constructs';
import { expand } from '../../lib/expand';
import { canaryTests } from '../../lib/operations/canary/kinds/canary-kinds';
import { scaleOf } from '../../lib/submission/preview/kinds/kind-scales';
import { makeProjectContext, makeWorker } from '../../lib/testing';
import { ControllerFixture } from '../controller/controller-fixture';

const manifest = makeWorker({ replicas: 2 });
const workload = parseManifest(manifest) as Workload<'PinterestWorker'>;
const names = (objects: readonly { readonly kind: string }[]): readonly string[] =>
  objects.map(({ kind }) => kind).sort();

function synthesized(): readonly string[] {
  const chart = new Chart(new App(), 'chart');
  const { name, namespace } = workload.metadata;
  new PinterestWorker(chart, name, { project: namespace, ...manifest.spec });
  return names(chart.toJson() as readonly { readonly kind: string }[]);
}

async function reconciled(): Promise<ControllerFixture> {
  const fixture = new ControllerFixture();
  await fixture.start(manifest);
  await fixture.settle(5000);
  return fixture;
}

async function main(): Promise<void> {
  const expanded = names(expand(workload, makeProjectContext()));
  assert.ok(expanded.includes('Deployment') && !expanded.includes('Service'), expanded.join());
  assert.deepEqual(synthesized(), expanded);
  assert.equal(crdOf('PinterestWorker').spec.names.plural, 'pinterestworkers');
  assert.deepEqual(scaleOf(workload), { path: ['replicas'], current: 2, min: 1 });
  assert.ok(canaryTests.PinterestWorker.steps.includes('ready'));

  const fixture = await reconciled();
  const deployment = fixture.server.find('Deployment', 'shop', 'app');
  assert.equal(deployment?.metadata.labels?.[metadataKeys.kind], 'PinterestWorker');
  assert.equal(deployment?.metadata.ownerReferences?.[0]?.kind, 'PinterestWorker');
  assert.ok(Array.isArray(fixture.status('PinterestWorker', 'shop', 'app')['conditions']));
  await fixture.stop();
}

void main();
