import { App, Chart } from 'cdk8s';
import { PinterestService, PlatformApp, Project } from '@pinion-platform/pinion';

const template = { spec: { containers: [{ name: 'app', image: 'registry.example.com/app:1.4.2' }] } };
const web = { project: 'shop', template };
const routed = { ...web, loadBalancer: { port: 8080, hosts: ['www.example.com'] } };

const errorOf = (synthesize: () => unknown): string => {
  try {
    synthesize();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
};

test.each([
  ['PlatformApp', () => new PlatformApp()],
  ['App', () => new App()],
])('two constructs of a %s with one host name and path are an error that says where the other is', (_, newApp) => {
  const app = newApp();
  const chart = new Chart(app, 'chart');
  new Project(chart, 'shop', { team: 'shop', hosts: ['www.example.com'] });
  new PinterestService(chart, 'cart', routed);
  new PinterestService(chart, 'till', routed);
  expect(errorOf(() => app.synthYaml())).toMatch(
    /workload-set\.test\.ts:\d+:\d+: error duplicate: PinterestService shop\/till: spec\.loadBalancer\.hosts\[0\]: "www\.example\.com\/" is also routed to PinterestService shop\/cart at chart\/cart, /,
  );
});

test('a quota that the constructs of the project exceed is an error at the Project', () => {
  const app = new PlatformApp();
  const chart = new Chart(app, 'chart');
  new Project(chart, 'shop', { team: 'shop', quota: { pods: '3' } });
  new PinterestService(chart, 'cart', { ...web, replicas: 4 });
  expect(errorOf(() => app.synthYaml())).toMatch(
    /workload-set\.test\.ts:\d+:\d+: error out-of-range: Project shop: spec\.quota\.pods: "3" is exceeded: /,
  );
});

test('workloads that are connected, which changes their manifests, count once', () => {
  const app = new PlatformApp();
  const chart = new Chart(app, 'chart');
  new Project(chart, 'shop', { team: 'shop', quota: { pods: '7' } });
  const [cart, till] = ['cart', 'till'].map(
    (name) =>
      new PinterestService(chart, name, { ...web, replicas: 2, loadBalancer: { port: 8080 }, access: { from: [] } }),
  ) as [PinterestService, PinterestService];
  cart.connectTo(till);
  till.connectTo(cart);
  expect(errorOf(() => app.synthYaml())).toBe('');
});

test('a peer that is no construct of its project is a warning', () => {
  const app = new PlatformApp();
  const chart = new Chart(app, 'chart');
  new PinterestService(chart, 'cart', { ...web, access: { from: [{ workload: 'tlil' }] } });
  new PinterestService(chart, 'till', web);
  app.synth();
  expect(app.summary?.warnings).toMatchObject([
    {
      rule: 'access-peer-known',
      value: 'tlil',
      remedy: 'did you mean "till"?',
      source: { line: expect.any(Number) as number },
    },
  ]);
});
