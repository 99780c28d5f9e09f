import { renameSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ManifestInput } from '../../lib/api';
import { type Deployment, type DeploymentEvent, type ServiceClient } from '../../lib/contract';
import { podBehavior } from '../control-plane/pod-behavior';
import { waitFor } from '../control-plane/wait-for';
import { type SubmissionProcess } from '../local/submission-process';
import { describePinion, type LiveCustomResource, smallTemplate, workloadOf } from './pinion-suite';
import { SubmissionTestbed } from '../submission/submission-testbed';

const stages = (timeout: string) => [{ name: 'prod', stop: { timeout, onFailure: 'Rollback' as const } }];
const names = ['cart', 'till'] as const;

const service = (project: string, name: string, tag: string, crashes: boolean) => {
  const { spec } = smallTemplate();
  const pod = { ...spec, containers: [{ name: 'app', image: `registry.example.com/app:${tag}` }] };
  const metadata = crashes ? { metadata: { annotations: { [podBehavior.crashLoop]: 'app' } } } : {};
  const template: ManifestInput<'PinterestService'>['spec']['template'] = { ...metadata, spec: pod };
  return workloadOf('PinterestService', project, name, { replicas: 1, template });
};

/** When a process is killed: milliseconds after the request, on acceptance, or on an event with that message. */
type Moment = number | 'accepted' | RegExp;

describePinion('failures during a deployment', (pinion) => {
  // A nested suite, whose hooks run before the cluster stops.
  describe('with two replicas of the service', () => {
    let testbed: SubmissionTestbed;
    let processes: SubmissionProcess[] = [];
    let startedCount = 0;
    let client: ServiceClient;

    const startOne = async (): Promise<void> =>
      void processes.push(await testbed.start(`submission-${startedCount++}`));
    /** Restores two replicas, as a Deployment does. */
    async function restoreReplicas(): Promise<void> {
      processes = processes.filter(({ isRunning }) => isRunning);
      while (processes.length < 2) await startOne();
    }
    /** Routes requests to the first running replica, like a load balancer. */
    const balancedFetch: typeof fetch = async (input, init) => {
      const [first] = processes.filter(({ isRunning }) => isRunning);
      if (!first) throw new TypeError('fetch failed');
      return fetch(String(input).replace('http://service', await first.url()), init);
    };
    /** Returns the leader and moves it to the front. */
    async function leader(): Promise<SubmissionProcess> {
      const found = await waitFor(
        'a leader',
        () => Promise.resolve(processes.find((one) => one.isRunning && leads(one))),
        { timeout: 120_000 },
      );
      processes = [found, ...processes.filter((one) => one !== found)];
      return found;
    }
    const leads = (one: SubmissionProcess): boolean =>
      one.lines().findLast(({ message }) => /^(leading|lost the lease)$/.test(message))?.message === 'leading';

    let isOver = false;
    /** Restarts the controller when it exits after losing its lease, as a cluster does. */
    const restartController = (): void =>
      void pinion()
        .controller.ended.then(async () => {
          if (isOver) return;
          await pinion().startController();
          restartController();
        })
        .catch(() => undefined);

    beforeAll(async () => {
      testbed = await SubmissionTestbed.make(pinion());
      client = testbed.client('http://service', 'ben', balancedFetch);
      await Promise.all([startOne(), startOne()]);
      restartController();
    }, 240_000);
    afterAll(async () => {
      isOver = true;
      await testbed.stop();
    });

    const liveWorkloads = (project: string): Promise<readonly LiveCustomResource[]> =>
      Promise.all(
        names.map(async (name) => {
          const live = await pinion().read('PinterestService', project, name);
          if (!live) throw new Error(`${name} is gone`);
          return live;
        }),
      );
    const tagsOf = (documents: readonly LiveCustomResource[]) =>
      documents.map(({ spec }) => /app:([0-9.]+)/.exec(JSON.stringify(spec))?.[1]);

    /** Deploys and follows the events to the end. */
    async function deployAndFollow(
      project: string,
      version: string,
      onEvent: (event?: DeploymentEvent) => void = () => undefined,
    ) {
      const body = { artifact: `${project}/web@${version}`, stage: 'prod' };
      const { id } = await client.request('deploy', { body, key: `deploy-${project}-${version}` });
      onEvent();
      const events: DeploymentEvent[] = [];
      for await (const event of client.follow(id)) {
        events.push(event);
        onEvent(event);
      }
      return { events, deployment: await client.request('deployment', { params: { id } }) };
    }

    /** Creates a project in which version 1 of two workloads is Ready, version 2 is good and version 3 has a crashing workload. */
    async function deployBaseline(project: string): Promise<readonly LiveCustomResource[]> {
      await testbed.project(project);
      for (const tag of ['1.0.0', '2.0.0', '3.0.0'])
        await testbed.publishing.publish(
          project,
          tag,
          names.map((name) => service(project, name, tag, tag === '3.0.0' && name === 'till')),
          // A rollback has the timeout of its own version; the Kubernetes controllers are slow to reconnect to an API
          // server that is killed twice within two minutes: up to a minute and a half was observed.
          stages(tag === '3.0.0' ? '10s' : '4m'),
        );
      expect((await deployAndFollow(project, '1.0.0')).deployment.phase).toBe('ready');
      return liveWorkloads(project);
    }

    /** Deploys during a failure and its recovery, and compares the followed events with the stored ones. */
    async function deployDuringFailure(project: string, version: string, moment: Moment, fail: () => Promise<void>) {
      let failure: Promise<void> | undefined;
      const failOnce = (): void => void (failure ??= fail());
      if (typeof moment === 'number') void sleep(moment).then(failOnce);
      const { events, deployment } = await deployAndFollow(project, version, (event) => {
        if (event ? moment instanceof RegExp && moment.test(event.message) : moment === 'accepted') failOnce();
      });
      expect({ moment, failed: failure !== undefined }).toEqual({ moment, failed: true });
      await failure;
      expect(events.map(({ number }) => number)).toEqual(events.map((_, index) => index + 1));
      const stored: DeploymentEvent[] = [];
      for await (const event of client.follow(deployment.id)) stored.push(event);
      expect(events).toEqual(stored);
      const { items } = await client.request('deployments', { query: { project } });
      expect(items.filter((one) => one.version === version)).toHaveLength(1);
      return deployment;
    }

    async function expectGood(
      project: string,
      before: readonly LiveCustomResource[],
      { phase }: Deployment,
    ): Promise<void> {
      const after = await liveWorkloads(project);
      const generations = after.map(({ metadata }, at) => metadata.generation - (before[at]?.metadata.generation ?? 0));
      const tags = tagsOf(after);
      expect({ phase, tags, generations }).toEqual({ phase: 'ready', tags: ['2.0.0', '2.0.0'], generations: [1, 1] });
    }

    test.each<[string, Moment]>([
      ['during the request', 15],
      ['after acceptance', 'accepted'],
      ['after the start', /^started/],
      ['after the apply', /^applied on/],
    ])(
      'the leader is killed %s: the other replica finishes the deployment once',
      async (title, moment) => {
        const project = `good-${title.replaceAll(' ', '-')}`;
        const before = await deployBaseline(project);
        const first = await leader();
        const deployment = await deployDuringFailure(project, '2.0.0', moment, () => first.kill());
        await expectGood(project, before, deployment);
        await restoreReplicas();
      },
      240_000,
    );

    test.each<[string, Moment]>([
      ['when it stops', /^stops/],
      ['when it rolls back', /is applied again/],
    ])(
      'the leader is killed on a bad version %s: the other replica restores the previous one',
      async (title, moment) => {
        const project = `bad-${title.replaceAll(' ', '-')}`;
        await deployBaseline(project);
        const first = await leader();
        const deployment = await deployDuringFailure(project, '3.0.0', moment, () => first.kill());
        expect(deployment).toMatchObject({ phase: 'rolledBack', previous: { version: '1.0.0' } });
        expect(tagsOf(await liveWorkloads(project))).toEqual(['1.0.0', '1.0.0']);
        await restoreReplicas();
      },
      240_000,
    );

    test.each<[string, Moment]>([
      ['after acceptance', 'accepted'],
      ['after the start', /^started/],
      ['after the apply', /^applied on/],
    ])(
      'the API server is killed %s and restarted: the deployment becomes Ready once',
      async (title, moment) => {
        const project = `api-${title.replaceAll(' ', '-')}`;
        const before = await deployBaseline(project);
        await leader();
        const deployment = await deployDuringFailure(project, '2.0.0', moment, async () => {
          const api = pinion().cluster.part('kube-apiserver');
          await api.kill();
          await sleep(2_000);
          await api.restart();
          // A replica whose lease expired meanwhile has exited.
          await restoreReplicas();
        });
        await expectGood(project, before, deployment);
        await restoreReplicas();
      },
      400_000,
    );

    test('during an outage of the artifact store new deployments get 503, and a running one finishes afterwards', async () => {
      const project = 'no-store';
      const before = await deployBaseline(project);
      const leading = await leader();
      // The other replica accepts it, so that the leader has to read the artifact.
      const other = processes.find((one) => one !== leading) as SubmissionProcess;
      const otherClient = testbed.client(await other.url());
      const deploy = (version: string, key: string) =>
        otherClient.request('deploy', { body: { artifact: `${project}/web@${version}`, stage: 'prod' }, key });
      // After an outage of the API server it may see the project later than the leader.
      await waitFor('the other replica to know the deployments', async () => {
        const { items } = await otherClient.request('deployments', { query: { project } });
        return items.length > 0 || undefined;
      });
      const { folder } = testbed.publishing;
      const { id } = await deploy('2.0.0', 'before-the-outage');
      renameSync(folder, `${folder}-away`);
      const headers = { authorization: `Bearer ${await testbed.token()}`, 'content-type': 'application/json' };
      const response = await fetch(`${await other.url()}/v1/deployments`, {
        method: 'POST',
        headers: { ...headers, 'idempotency-key': 'during-the-outage' },
        body: JSON.stringify({ artifact: `${project}/web@3.0.0`, stage: 'prod' }),
      });
      expect(response.status).toBe(503);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await response.json()).toMatchObject({ title: 'The artifact store does not respond' });
      await sleep(3_000);
      expect((await otherClient.request('deployment', { params: { id } })).phase).not.toBe('ready');
      renameSync(`${folder}-away`, folder);
      for await (const _ of otherClient.follow(id)) void _;
      await expectGood(project, before, await otherClient.request('deployment', { params: { id } }));
      // A client that retries succeeds as soon as the store is available.
      expect((await deploy('1.0.0', 'after-the-outage')).version).toBe('1.0.0');
    }, 240_000);
  });
});
