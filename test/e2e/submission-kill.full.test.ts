import { renameSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ManifestInput } from '../../lib/api';
import { type Deployment, type DeploymentEvent, type ServiceClient } from '../../lib/contract';
import { behaviour } from '../control-plane/pod-behaviour';
import { waitFor } from '../control-plane/wait-for';
import { type SubmissionProcess } from '../local/submission-process';
import { describePinion, type LiveDocument, smallTemplate, workloadOf } from './pinion-suite';
import { SubmissionStand } from '../submission/submission-stand';

const stages = (timeout: string) => [{ name: 'prod', stop: { timeout, onFailure: 'Rollback' as const } }];
const names = ['cart', 'till'] as const;

const service = (project: string, name: string, tag: string, crashes: boolean) => {
  const { spec } = smallTemplate();
  const pod = { ...spec, containers: [{ name: 'app', image: `registry.example.com/app:${tag}` }] };
  const metadata = crashes ? { metadata: { annotations: { [behaviour.crashLoop]: 'app' } } } : {};
  const template: ManifestInput<'PinterestService'>['spec']['template'] = { ...metadata, spec: pod };
  return workloadOf('PinterestService', project, name, { replicas: 1, template });
};

/** When something dies: a moment after the request is sent, when it is accepted, or when an event says so. */
type Moment = number | 'accepted' | RegExp;

describePinion('what dies in the middle of a deployment', (pinion) => {
  // Hooks of its own, which end before the cluster does.
  describe('with two processes of the service', () => {
    let stand: SubmissionStand;
    let processes: SubmissionProcess[] = [];
    let started = 0;
    let client: ServiceClient;

    const startOne = async (): Promise<void> => void processes.push(await stand.start(`submission-${started++}`));
    /** As whatever runs it does where one has ended. */
    async function bringBack(): Promise<void> {
      processes = processes.filter(({ isRunning }) => isRunning);
      while (processes.length < 2) await startOne();
    }
    /** As a load balancer does: to the first one that lives. */
    const balanced: typeof fetch = async (input, init) => {
      const [first] = processes.filter(({ isRunning }) => isRunning);
      if (!first) throw new TypeError('fetch failed');
      return fetch(String(input).replace('http://service', await first.url()), init);
    };
    /** The one that drives; it stands first from now on. */
    async function leader(): Promise<SubmissionProcess> {
      const found = await waitFor(
        'one that leads',
        () => Promise.resolve(processes.find((one) => one.isRunning && leads(one))),
        { timeout: 120_000 },
      );
      processes = [found, ...processes.filter((one) => one !== found)];
      return found;
    }
    const leads = (one: SubmissionProcess): boolean =>
      one.lines().findLast(({ message }) => /^(leading|lost the lease)$/.test(message))?.message === 'leading';

    let isOver = false;
    /** The controller ends when it loses its lease; in a cluster it is started again. */
    const keepController = (): void =>
      void pinion()
        .controller.ended.then(async () => {
          if (isOver) return;
          await pinion().startController();
          keepController();
        })
        .catch(() => undefined);

    beforeAll(async () => {
      stand = await SubmissionStand.make(pinion());
      client = stand.client('http://service', 'ben', balanced);
      await Promise.all([startOne(), startOne()]);
      keepController();
    }, 240_000);
    afterAll(async () => {
      isOver = true;
      await stand.stop();
    });

    const lives = (project: string): Promise<readonly LiveDocument[]> =>
      Promise.all(
        names.map(async (name) => {
          const live = await pinion().read('PinterestService', project, name);
          if (!live) throw new Error(`${name} is gone`);
          return live;
        }),
      );
    const tagsOf = (documents: readonly LiveDocument[]) =>
      documents.map(({ spec }) => /app:([0-9.]+)/.exec(JSON.stringify(spec))?.[1]);

    /** Deploys, and follows to the end. */
    async function deployed(
      project: string,
      version: string,
      heard: (event?: DeploymentEvent) => void = () => undefined,
    ) {
      const body = { artifact: `${project}/web@${version}`, stage: 'prod' };
      const { id } = await client.request('deploy', { body, key: `deploy-${project}-${version}` });
      heard();
      const events: DeploymentEvent[] = [];
      for await (const event of client.follow(id)) {
        events.push(event);
        heard(event);
      }
      return { events, deployment: await client.request('deployment', { params: { id } }) };
    }

    /** A project in which version 1 of two workloads is Ready, 2 is good and 3 has a workload that crashes. */
    async function standing(project: string): Promise<readonly LiveDocument[]> {
      await stand.project(project);
      for (const tag of ['1.0.0', '2.0.0', '3.0.0'])
        await stand.publishing.publish(
          project,
          tag,
          names.map((name) => service(project, name, tag, tag === '3.0.0' && name === 'till')),
          // What comes back has the time of its own version; Kubernetes' own controllers are slow to watch again an API
          // server that is killed twice within two minutes: up to a minute and a half was seen.
          stages(tag === '3.0.0' ? '10s' : '4m'),
        );
      expect((await deployed(project, '1.0.0')).deployment.phase).toBe('ready');
      return lives(project);
    }

    /** Deploys while something dies at a moment and comes back, and holds what was heard to what is remembered. */
    async function deployedThrough(project: string, version: string, moment: Moment, dies: () => Promise<void>) {
      let death: Promise<void> | undefined;
      const die = (): void => void (death ??= dies());
      if (typeof moment === 'number') void sleep(moment).then(die);
      const { events, deployment } = await deployed(project, version, (event) => {
        if (event ? moment instanceof RegExp && moment.test(event.message) : moment === 'accepted') die();
      });
      expect({ moment, died: death !== undefined }).toEqual({ moment, died: true });
      await death;
      expect(events.map(({ number }) => number)).toEqual(events.map((_, index) => index + 1));
      const remembered: DeploymentEvent[] = [];
      for await (const event of client.follow(deployment.id)) remembered.push(event);
      expect(events).toEqual(remembered);
      const { items } = await client.request('deployments', { query: { project } });
      expect(items.filter((one) => one.version === version)).toHaveLength(1);
      return deployment;
    }

    async function expectGood(project: string, before: readonly LiveDocument[], { phase }: Deployment): Promise<void> {
      const after = await lives(project);
      const generations = after.map(({ metadata }, at) => metadata.generation - (before[at]?.metadata.generation ?? 0));
      const tags = tagsOf(after);
      expect({ phase, tags, generations }).toEqual({ phase: 'ready', tags: ['2.0.0', '2.0.0'], generations: [1, 1] });
    }

    test.each<[string, Moment]>([
      ['while it is asked', 15],
      ['when it has accepted', 'accepted'],
      ['when it has begun', /^begins/],
      ['when it has applied', /^applied on/],
    ])(
      'the process that drives is killed %s: the other one ends it, once',
      async (title, moment) => {
        const project = `good-${title.replaceAll(' ', '-')}`;
        const before = await standing(project);
        const first = await leader();
        const deployment = await deployedThrough(project, '2.0.0', moment, () => first.kill());
        await expectGood(project, before, deployment);
        await bringBack();
      },
      240_000,
    );

    test.each<[string, Moment]>([
      ['when it stops', /^stops/],
      ['when the previous one is applied', /is applied again/],
    ])(
      'of a bad version, killed %s: the other one brings the previous back',
      async (title, moment) => {
        const project = `bad-${title.replaceAll(' ', '-')}`;
        await standing(project);
        const first = await leader();
        const deployment = await deployedThrough(project, '3.0.0', moment, () => first.kill());
        expect(deployment).toMatchObject({ phase: 'rolledBack', previous: { version: '1.0.0' } });
        expect(tagsOf(await lives(project))).toEqual(['1.0.0', '1.0.0']);
        await bringBack();
      },
      240_000,
    );

    test.each<[string, Moment]>([
      ['when it is accepted', 'accepted'],
      ['when it has begun', /^begins/],
      ['when it is applied', /^applied on/],
    ])(
      'the API server is killed %s and comes back: it ends Ready, once',
      async (title, moment) => {
        const project = `api-${title.replaceAll(' ', '-')}`;
        const before = await standing(project);
        await leader();
        const deployment = await deployedThrough(project, '2.0.0', moment, async () => {
          const api = pinion().cluster.part('kube-apiserver');
          await api.kill();
          await sleep(2_000);
          await api.restart();
          // One whose lease ran out meanwhile has ended.
          await bringBack();
        });
        await expectGood(project, before, deployment);
        await bringBack();
      },
      400_000,
    );

    test('the artifact store goes away and comes back: new ones are told to come again, what is under way ends', async () => {
      const project = 'no-store';
      const before = await standing(project);
      const driving = await leader();
      // Accepted by the other one, so that the one that drives has to read the artifact.
      const other = processes.find((one) => one !== driving) as SubmissionProcess;
      const beside = stand.client(await other.url());
      const ask = (version: string, key: string) =>
        beside.request('deploy', { body: { artifact: `${project}/web@${version}`, stage: 'prod' }, key });
      // After the API server was away it may hear of the project later than the one that drives.
      await waitFor('the other one to know what is deployed', async () => {
        const { items } = await beside.request('deployments', { query: { project } });
        return items.length > 0 || undefined;
      });
      const { folder } = stand.publishing;
      const { id } = await ask('2.0.0', 'before-it-went');
      renameSync(folder, `${folder}-away`);
      const headers = { authorization: `Bearer ${await stand.token()}`, 'content-type': 'application/json' };
      const answer = await fetch(`${await other.url()}/v1/deployments`, {
        method: 'POST',
        headers: { ...headers, 'idempotency-key': 'while-it-is-away' },
        body: JSON.stringify({ artifact: `${project}/web@3.0.0`, stage: 'prod' }),
      });
      expect(answer.status).toBe(503);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await answer.json()).toMatchObject({ title: 'The artifact store does not respond' });
      await sleep(3_000);
      expect((await beside.request('deployment', { params: { id } })).phase).not.toBe('ready');
      renameSync(`${folder}-away`, folder);
      for await (const _ of beside.follow(id)) void _;
      await expectGood(project, before, await beside.request('deployment', { params: { id } }));
      // A client that is patient comes through as soon as the store is there.
      expect((await ask('1.0.0', 'after-it-came-back')).version).toBe('1.0.0');
    }, 240_000);
  });
});
