import { expectStatus, messageOf } from '../control-plane/api-response';
import { type SendableObject } from '../control-plane/client';
import { describePinion, smallTemplate, workloadOf } from './pinion-suite';

/** Users of Kubernetes itself. */
const isKubernetes = /^system:(kube-|node:|apiserver$|serviceaccount:kube-system:)/;
const labels = { app: 'cart' };
const template = ({ metadata, spec }: ReturnType<typeof smallTemplate>) => ({
  metadata: { ...metadata, labels },
  spec,
});
const deployment = (namespace: string, version: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'cart', namespace },
  spec: { replicas: 3, selector: { matchLabels: labels }, template: template(smallTemplate({ version })) },
});
interface DeploymentStatus {
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
    const { metadata, status = {} } = body as DeploymentStatus;
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
  const isUnknown = (message: string): boolean => message.includes('failed to configure');

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

  test('a Deployment rolls before the API server knows the Platform, on which policies depend', async () => {
    const { cluster } = pinion();
    const { client } = cluster;
    const mark = cluster.audit.mark();
    const server = cluster.part('kube-apiserver');
    await server.kill();
    await server.restart();
    for (const name of ['kube-controller-manager', 'kube-scheduler', 'kwok'] as const)
      await cluster.part(name).restart();
    // A policy for a kind of pinion has the Platform as parameter.
    const workload = workloadOf('PinterestService', 'shop', 'probe', { template: smallTemplate() }) as SendableObject;
    const answer = await client.create(workload, { dryRun: true });
    expect(messageOf(answer)).toContain('failed to configure policy');
    for (const namespace of namespaces)
      expectStatus(await client.apply(deployment(namespace, '2') as SendableObject), [200]);
    await untilRolled();
    await client.waitFor(
      'the API server to know the Platform',
      async () => (await client.create(workload, { dryRun: true })).status === 201,
      { timeout: 120_000 },
    );
    const refused = cluster.audit
      .since(mark)
      .filter(
        ({ user, responseStatus }) => isKubernetes.test(user.username) && isUnknown(responseStatus?.message ?? ''),
      )
      .map(({ user, verb, objectRef, responseStatus }) => ({ user: user.username, verb, objectRef, responseStatus }));
    expect(refused).toEqual([]);
  }, 400_000);
});
