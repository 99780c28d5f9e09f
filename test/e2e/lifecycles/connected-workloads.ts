import { App, Chart } from 'cdk8s';
import { PinterestService, setEmit, SharedConfig } from '../../../lib/constructs';
import { expectStatus } from '../../control-plane/api-response';
import { type SendableObject } from '../../control-plane/client';
import { waitFor } from '../../control-plane/wait-for';
import { KubectlView } from '../kubectl-view';
import { type PinionCluster, smallTemplate } from '../pinion-suite';

/** Defines the tests of connected workloads on a cluster that other tests use, too. */
export const connectedWorkloads = (pinion: () => PinionCluster): void =>
  describe('connected workloads', () => {
    const project = 'shop';
    const kubectl = new KubectlView(pinion, () => project);

    /** Builds an app of custom resources: two services that share configuration, of which one calls the other. */
    function build(level: string) {
      const chart = new Chart(new App(), 'shop');
      setEmit(chart, 'resource');
      const flags = new SharedConfig(chart, 'flags', { project, data: { LEVEL: level } });
      const { spec } = smallTemplate();
      const template = {
        spec: { ...spec, containers: spec.containers.map((one) => ({ ...one, envFrom: [flags.envFrom] })) },
      };
      const props = { project, loadBalancer: { port: 80, targetPort: 8080, exposure: 'Cluster' }, template } as const;
      const frontend = new PinterestService(chart, 'frontend', props);
      const cart = new PinterestService(chart, 'cart', { ...props, access: { from: [] } });
      frontend.connectTo(cart, 'http', { env: { CART_URL: cart.url('http') } });
      return { version: flags.name, objects: chart.toJson() as SendableObject[] };
    }

    async function deploy(level: string): Promise<string> {
      const { version, objects } = build(level);
      for (const object of objects) expectStatus(await pinion().cluster.client.apply(object), [200, 201]);
      for (const name of ['frontend', 'cart']) await pinion().ready('PinterestService', project, name, 120_000);
      return version;
    }

    /** The ConfigMap that the pods of a workload's Deployment use. */
    const usedBy = async (name: string) =>
      JSON.stringify((await kubectl.object('deployment', name))?.spec['template']).match(/"name":"(flags-[^"]+)"/)?.[1];
    const versions = () => kubectl.names('configmap', '-l', 'app.kubernetes.io/component=shared-config');

    beforeAll(async () => {
      await pinion().project(project);
    }, 60_000);

    test('restart when the configuration that they share changes, and keep its former version', async () => {
      const first = await deploy('info');
      expect([await usedBy('frontend'), await usedBy('cart')]).toEqual([first, first]);
      const second = await deploy('debug');
      await waitFor('both Deployments to use the new version', async () =>
        (await Promise.all(['frontend', 'cart'].map(usedBy))).every((name) => name === second),
      );
      expect(await versions()).toEqual([`configmap/${first}`, `configmap/${second}`].sort());
      expect((await kubectl.object('configmap', first))?.metadata.ownerReferences).toBeUndefined();
    }, 300_000);

    test('are allowed by the network policy of the controller', async () => {
      const policy = await kubectl.object('networkpolicy', 'cart');
      expect(policy?.spec['ingress']).toEqual([
        expect.objectContaining({
          from: [
            {
              namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': project } },
              podSelector: { matchLabels: { 'pinterest.com/workload': 'frontend' } },
            },
          ],
        }),
      ]);
      const pods = await kubectl.run('get', 'pods', '-l', 'pinterest.com/workload=frontend', '-o', 'json');
      expect(pods).toContain('http://cart.shop.svc:80');
    });
  });
