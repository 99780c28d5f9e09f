import { Chart, Testing } from 'cdk8s';
import { PinionInstall, PlatformApp } from '../../lib';
import { installManifests } from '../../lib/expand';

const image = 'registry.example.com/pinion/controller:1.0.0';

test('adds the install manifests in their order', () => {
  const chart = Testing.chart();
  const made = new PinionInstall(chart, 'pinion', { image, replicas: 3 });
  expect(Testing.synth(chart)).toEqual(JSON.parse(JSON.stringify(installManifests({ image, replicas: 3 }))));
  expect(made.objects).toHaveLength(installManifests({ image }).length);
});

test('invalid props stop synthesis with the line of the construct', () => {
  const app = new PlatformApp();
  const made = new PinionInstall(new Chart(app, 'chart'), 'pinion', { image: 'controller', namespace: 'kube-system' });
  expect(made.objects).toEqual([]);
  expect(made.problems.map(({ path }) => path)).toEqual([['image'], ['namespace']]);
  expect(() => app.synthYaml()).toThrow(/pinion-install\.test\.ts:\d+:\d+: error bad-format: image/);
});
