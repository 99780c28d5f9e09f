import { join } from 'node:path';
import { SQS } from '@aws-sdk/client-sqs';
import { metadataKeys } from '../../lib/api';
import { type PolicyRule } from '../../lib/expand';
import { type LiveObject } from '../../lib/kube';
import { planPlatformStack } from '../../stacks/plan';
import { type Moto, motoMissing, startMoto } from '../cloud/moto';
import { expectStatus } from '../control-plane/api-response';
import { type SendableObject } from '../control-plane/client';
import { describeCluster } from '../control-plane/cluster-suite';
import { waitFor } from '../control-plane/wait-for';
import { makePlatformInput } from '../stacks/plan/platform/make-platform-input';
import { CloudProxy } from './cloud-proxy';
import { MachinesProcess } from './machines-process';
import { create, podsOf, readyPods } from './pod-status';
import { deployment } from './simulated-workloads';
import { permissionsOf, usedPermissions } from './used-permissions';

const account = { namespace: 'platform-scaling', name: 'drain-consumer' };
const user = `system:serviceaccount:${account.namespace}:${account.name}`;
const planned = planPlatformStack(makePlatformInput())
  .flatMap((stage) => [...stage.objects])
  .filter(({ metadata }) => metadata.name.endsWith(account.name));
const rules = planned.flatMap((object) => ('rules' in object ? (object['rules'] as PolicyRule[]) : []));

/** Variables that the plan sets for the program. */
function plannedVariables(): Record<string, string> {
  const service = planned.find(({ kind }) => kind === 'PinterestService') as unknown as {
    spec: { template: { spec: { containers: [{ args: string[]; env: { name: string; value: string }[] }] } } };
  };
  const [{ args, env }] = service.spec.template.spec.containers;
  expect(args).toEqual(['drain-consumer']);
  return Object.fromEntries(env.map(({ name, value }) => [name, value]));
}

if (motoMissing !== undefined)
  test.skip(`node lifecycle of instances that Auto Scaling terminates (skipped: ${motoMissing})`, () => undefined);
else
  describeCluster(
    'node lifecycle of instances that Auto Scaling terminates',
    (cluster) => {
      let moto: Moto | undefined;
      let awsProxy: CloudProxy;
      let sqs: SQS;
      let consumer: MachinesProcess | undefined;

      beforeAll(async () => {
        moto = await startMoto();
        awsProxy = new CloudProxy(moto.options.endpoint ?? '');
        sqs = new SQS(moto.options);
        await sqs.createQueue({ QueueName: 'shop-drain' });
        const { client } = cluster();
        await client.ensureNamespace(account.namespace);
        const serviceAccount = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: account };
        for (const object of [serviceAccount, ...planned.filter(({ kind }) => kind !== 'PinterestService')])
          expectStatus(await client.apply(object as SendableObject), [200, 201]);
        const token = await cluster().serviceAccountToken(account.namespace, account.name);
        consumer = new MachinesProcess(
          'drain-consumer',
          {
            ...plannedVariables(),
            KUBECONFIG: cluster().kubeconfigFor({ token }),
            AWS_ENDPOINT_URL: await awsProxy.start(),
            AWS_ACCESS_KEY_ID: 'test',
            AWS_SECRET_ACCESS_KEY: 'test',
          },
          join(cluster().folder, 'logs', 'drain-consumer.log'),
        );
      }, 180_000);
      afterAll(async () => {
        await consumer?.stop('SIGKILL');
        await moto?.stop();
        sqs.destroy();
        awsProxy.stop();
      }, 60_000);

      const sendTermination = async (machine: string): Promise<void> => {
        const { QueueUrl } = await sqs.getQueueUrl({ QueueName: 'shop-drain' });
        const notice = {
          LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
          EC2InstanceId: machine,
          AutoScalingGroupName: 'shop-node-general',
          LifecycleHookName: 'drain',
        };
        await sqs.sendMessage({ QueueUrl, MessageBody: JSON.stringify(notice) });
      };
      const nodeNamed = async (name: string): Promise<LiveObject> =>
        expectStatus(await cluster().client.request('GET', `/api/v1/nodes/${name}`), [200]).body as LiveObject;
      const actions = (machine: string): string[] =>
        awsProxy.answeredCalls.filter((one) => one.machine === machine).map(({ action }) => action);

      test('holds an instance while its pods are evicted one by one within their budget, then completes its termination', async () => {
        const namespace = await cluster().namespace('drain');
        const [drainedNode = '', otherNode = ''] = await cluster().nodes.add(2, (index) => ({
          name: `drain-${index}`,
          providerId: `aws:///us-east-1a/i-${index}`,
        }));
        expectStatus(
          await cluster().client.request(
            'PATCH',
            `/api/v1/nodes/${otherNode}`,
            { spec: { unschedulable: true } },
            { contentType: 'application/merge-patch+json' },
          ),
          [200],
        );
        const budget = {
          apiVersion: 'policy/v1',
          kind: 'PodDisruptionBudget',
          metadata: { namespace, name: 'cart' },
          spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'cart' } } },
        };
        await create(cluster(), budget as SendableObject);
        await create(cluster(), deployment({ namespace, name: 'cart' }, 3));
        await readyPods(cluster(), namespace, 'cart', 3);
        expectStatus(
          await cluster().client.request(
            'PATCH',
            `/api/v1/nodes/${otherNode}`,
            { spec: { unschedulable: null } },
            { contentType: 'application/merge-patch+json' },
          ),
          [200],
        );

        await sendTermination('i-0');
        await waitFor(
          'the termination to complete',
          () => Promise.resolve(actions('i-0').includes('CompleteLifecycleAction')),
          {
            timeout: 150_000,
          },
        );
        expect(actions('i-0')[0]).toBe('RecordLifecycleActionHeartbeat');
        const node = await nodeNamed(drainedNode);
        expect(node['spec']).toMatchObject({ unschedulable: true });
        expect(node.metadata.annotations).toHaveProperty([metadataKeys.draining]);
        const pods = await podsOf(cluster(), namespace, 'cart');
        expect(pods.map(({ spec }) => spec.nodeName)).not.toContain(drainedNode);
      }, 240_000);

      test('completes the termination of an instance without a node at once', async () => {
        await sendTermination('i-99');
        await waitFor('the termination to complete', () => Promise.resolve(actions('i-99').length > 0), {
          timeout: 60_000,
        });
        expect(actions('i-99')).toEqual(['CompleteLifecycleAction']);
      }, 90_000);

      test('uses each of its permissions and needs no others', () => {
        const requests = cluster().audit.since({ offset: 0 }, { user });
        const rejected = requests.filter(({ responseStatus }) => [401, 403].includes(responseStatus?.code ?? 0));
        expect(rejected.map(({ verb, requestURI }) => [verb, requestURI])).toEqual([]);
        expect([...usedPermissions(requests)].sort()).toEqual([...permissionsOf(rules)].sort());
      });

      test('stops on SIGTERM', async () => {
        expect(await consumer?.stop()).toBe(0);
      }, 60_000);
    },
    { nodes: 0 },
  );
