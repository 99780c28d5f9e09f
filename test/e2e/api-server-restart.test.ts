import { expectStatus, messageOf } from '../control-plane/api-response';
import { type SendableObject } from '../control-plane/client';
import { describePinion, smallTemplate, workloadOf } from './pinion-suite';

/** Users of Kubernetes itself. */
const isKubernetes = /^system:(kube-|node:|apiserver$|serviceaccount:kube-system:)/;
const labels = { app: 'cart' };
/** Returns a pod template that the restricted Pod Security level allows without pinion. */
const template = (version: string) => ({
  metadata: { labels, annotations: { version } },
  spec: {
    securityContext: { runAsNonRoot: true, runAsUser: 65534, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        name: 'app',
        image: 'registry.example.com/app:1.0.0',
        securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
      },
    ],
  },
});
const deployment = (namespace: string, version: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'cart', namespace },
  spec: { replicas: 3, selector: { matchLabels: labels }, template: template(version) },
});
interface DeploymentState {
  readonly metadata: { readonly generation: number };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
  };
}

describePinion('a restart of the API server', (pinion) => {
  const namespaces = ['shop', 'bank'] as const;
  const isRolled = async (namespace: string): Promise<boolean> => {
    const { body } = await pinion().cluster.client.get(deployment(namespace, ''));
    const { metadata, status = {} } = body as DeploymentState;
    const { observedGeneration = 0, replicas, updatedReplicas, availableReplicas } = status;
    const counts = [replicas, updatedReplicas, availableReplicas];
    return observedGeneration >= metadata.generation && counts.every((count) => count === 3);
  };
  const untilRolled = async (): Promise<void> => {
    for (const namespace of namespaces)
      await pinion().cluster.client.waitFor(`the Deployment of ${namespace}`, () => isRolled(namespace), {
        timeout: 120_000,
      });
  };
  /** Whether the API server refused a request because it does not know the parameter of a policy. */
  const isUnknown = (message: string): boolean => message.includes('failed to configure');
  /** Restarts the API server until it does not know the Platform yet: a fast one may know it once it is ready. */
  const restartUntil = async (isReached: () => Promise<boolean>): Promise<void> => {
    const server = pinion().cluster.part('kube-apiserver');
    for (let restarts = 0; restarts < 5; restarts += 1) {
      await server.kill();
      await server.restart();
      if (await isReached()) return;
    }
    throw new Error('the API server knows the Platform after each restart');
  };

  beforeAll(async () => {
    await pinion().project('shop');
    // Its objects are protected.
    await pinion().project('bank', {
      members: [{ name: 'release', role: 'deploy' }],
      stages: [{ name: 'production', clusters: ['local'], deployers: ['release'] }],
    });
    for (const namespace of namespaces)
      expectStatus(await pinion().cluster.client.apply(deployment(namespace, '1') as SendableObject), [201]);
    await untilRolled();
  }, 300_000);

  test('a Deployment rolls although the API server does not know the Platform yet, on which policies depend', async () => {
    const { cluster } = pinion();
    const { client, audit } = cluster;
    const mark = audit.mark();
    // A policy for a kind of pinion has the Platform as parameter.
    const workload = workloadOf('PinterestService', 'shop', 'probe', { template: smallTemplate() }) as SendableObject;
    await restartUntil(async () => isUnknown(messageOf(await client.create(workload, { dryRun: true }))));
    for (const namespace of namespaces)
      expectStatus(await client.apply(deployment(namespace, '2') as SendableObject), [200]);
    // Their watches take up to a minute and a half to notice that the server is back.
    for (const name of ['kube-controller-manager', 'kube-scheduler', 'kwok'] as const)
      await cluster.part(name).restart();
    await untilRolled();
    const refused = audit
      .since(mark)
      .filter(
        ({ user, responseStatus }) => isKubernetes.test(user.username) && isUnknown(responseStatus?.message ?? ''),
      )
      .map(({ user, verb, objectRef, responseStatus }) => ({ user: user.username, verb, objectRef, responseStatus }));
    expect(refused).toEqual([]);
  }, 400_000);
});
