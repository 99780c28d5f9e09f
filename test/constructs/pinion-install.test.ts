import { Chart, Testing } from 'cdk8s';
import { PinionInstall, PlatformApp } from '../../lib';
import { installManifests } from '../../lib/expand';

const image = 'registry.example.com/pinion/controller:1.0.0';

test('adds the install manifests in their order', () => {
  const chart = Testing.chart();
  const install = new PinionInstall(chart, 'pinion', { image, replicas: 3 });
  expect(Testing.synth(chart)).toEqual(JSON.parse(JSON.stringify(installManifests({ image, replicas: 3 }))));
  expect(install.objects).toHaveLength(installManifests({ image }).length);
});

test('invalid props stop synthesis with the line of the construct', () => {
  const app = new PlatformApp();
  const install = new PinionInstall(new Chart(app, 'chart'), 'pinion', {
    image: 'controller',
    namespace: 'kube-system',
  });
  expect(install.objects).toEqual([]);
  expect(install.problems.map(({ path }) => path)).toEqual([['image'], ['namespace']]);
  expect(() => app.synthYaml()).toThrow(/pinion-install\.test\.ts:\d+:\d+: error bad-format: image/);
});
