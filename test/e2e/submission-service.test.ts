import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiVersion, type ManifestInput, type WorkloadKind } from '../../lib/api';
import { publicKeyText } from '../../lib/artifact';
import { defaultPlatform, defaultProfile } from '../../lib/expand';
import { ServiceClient, type Deployment } from '../../lib/contract';
import { submissionManifests, submissionName, submissionProject } from '../../lib/programs';
import { expectStatus } from '../control-plane/api-response';
import { type SendableObject } from '../control-plane/client';
import { podBehavior } from '../control-plane/pod-behavior';
import { waitFor } from '../control-plane/wait-for';
import { realClock } from '../kube/real-clock';
import { LocalIssuer } from '../local/issuer/local-issuer';
import { createSigningKey } from '../local/issuer/signing-keys';
import { SubmissionProcess } from '../local/submission-process';
import { Publishing } from '../submission/publishing';
import { describePinion } from './pinion-suite';

const audience = 'pinion';
const project = 'shop';
/** Secret that must not leak: it is in a session key, in tokens and in variables of all workloads. */
const marker = 'hunter2MarkerThatMustNotLeak';

const deploymentKey = generateKeyPairSync('ed25519').privateKey;

type Fields = Readonly<Record<string, unknown>>;

/** Returns a pod template with an image tag, which crashes if the tag is bad. */
const templateOf = (tag: string): Fields => ({
  ...(tag.startsWith('bad') && { metadata: { annotations: { [podBehavior.crashLoop]: 'app' } } }),
  spec: {
    securityContext: { runAsUser: 65534, runAsGroup: 65534 },
    containers: [
      {
        name: 'app',
        image: `registry.example.com/app:${tag}@sha256:${'a'.repeat(64)}`,
        env: [{ name: 'GREETING', value: marker }],
      },
    ],
  },
});

const nameOf = (kind: WorkloadKind): string => kind.replace('Pinterest', '').toLowerCase();

/** Specs of one workload of each kind; a change of a running job may lose its progress. */
const workloads: Readonly<Record<WorkloadKind, (tag: string) => Fields>> = {
  PinterestService: (tag) => ({ replicas: 2, template: templateOf(tag) }),
  // Ordered members wait for a broken one, as Kubernetes documents, until its pod is deleted manually.
  PinterestStatefulSet: (tag) => ({
    replicas: 1,
    podManagementPolicy: 'Parallel',
    ports: [{ name: 'http', port: 8080 }],
    template: templateOf(tag),
  }),
  PinterestDaemon: (tag) => ({ template: templateOf(tag) }),
  PinterestCronJob: (tag) => ({ schedule: '0 4 * * *', template: templateOf(tag) }),
  PinterestJobSet: (tag) => ({ shards: 2, allowLoss: ['Progress'], template: templateOf(tag) }),
  PinterestTrainingJob: (tag) => ({
    framework: 'pytorch',
    allowLoss: ['Progress'],
    roles: { worker: { replicas: 2 } },
    template: templateOf(tag),
  }),
};

describePinion(
  'the submission service',
  (pinion) => {
    // A nested suite, whose hooks run before the cluster stops.
    describe('as packaged', () => {
      let issuer: LocalIssuer;
      let service: SubmissionProcess;
      let publishing: Publishing;
      let untrusted: Publishing;
      let url = '';

      beforeAll(async () => {
        const { cluster } = pinion();
        const folder = mkdtempSync(join(cluster.folder, 'submission-'));
        publishing = new Publishing(join(folder, 'artifacts'));
        untrusted = new Publishing(join(folder, 'artifacts'), 'other/repository');
        issuer = await LocalIssuer.start();
        for (const object of submissionManifests({
          image: 'registry.example.com/pinion/submission:0.2.0',
          settings: { artifactStore: '/artifacts', clusters: [{ name: 'main' }], identity: {} },
        })) {
          expectStatus(await cluster.client.apply(object as SendableObject), [200, 201]);
          if (object.kind === 'Project') await pinion().ready('Project', '', object.metadata.name);
        }
        await pinion().project(project, {
          infrastructure: true,
          members: [
            { kind: 'Group', name: 'shop-developers', role: 'edit' },
            { kind: 'Group', name: 'shop-viewers', role: 'view' },
          ],
          stages: [
            { name: 'staging' },
            { name: 'prod', clusters: ['main'], publishers: [publishing.publisher], breakGlass: ['shop-oncall'] },
          ],
        });
        const kubeconfig = cluster.kubeconfigFor({
          token: await cluster.serviceAccountToken(submissionProject, submissionName),
        });
        const keysFile = join(folder, 'session-keys');
        writeFileSync(keysFile, `${Buffer.from(marker.padEnd(32, '!').slice(0, 32)).toString('base64')}\n`);
        const deploymentKeyFile = join(folder, 'deployment-key');
        writeFileSync(deploymentKeyFile, deploymentKey.export({ type: 'pkcs8', format: 'pem' }));
        service = SubmissionProcess.start({
          kubeconfig,
          folder,
          namespace: submissionProject,
          settings: {
            artifactStore: join(folder, 'artifacts'),
            verificationStore: join(folder, 'verified'),
            deploymentKeyFile,
            clusters: [{ name: 'main' }],
            identity: {
              issuers: [{ issuer: issuer.url, audience, usernamePrefix: '-', groupsClaim: 'groups' }],
              session: { issuer: issuer.url, clientId: audience, publicUrl: 'http://127.0.0.1:1', keysFile },
            },
            limits: { writeRate: { qps: 1000, burst: 1000 }, readRate: { qps: 1000, burst: 1000 } },
          },
        });
        url = await service.url();
        await service.waitUntilLogged('leading');
      }, 180_000);
      afterAll(async () => {
        await issuer.stop();
        expect(await service.stop()).toBe(0);
      });

      const tokenOf = (sub: string, ...groups: readonly string[]) => issuer.createToken({ sub, groups }, { audience });
      const clientOf = (token: () => Promise<string>): ServiceClient =>
        new ServiceClient({ server: url, token, fetch, clock: realClock } as never);
      const dev = () => clientOf(() => tokenOf('ben', 'shop-developers'));

      const send = async (token: string | undefined, path: string, body?: unknown, key?: string) => {
        const headers = {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(key !== undefined && { 'idempotency-key': key }),
        };
        const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
        const response = await fetch(`${url}${path}`, init);
        return { status: response.status, text: await response.text() };
      };

      const stages = (timeout = '90s') => [{ name: 'prod', stop: { timeout, onFailure: 'Rollback' as const } }];
      const publish = (kind: WorkloadKind, version: string, tag: string, after?: string) =>
        publishing.publish(
          project,
          version,
          [
            {
              apiVersion,
              kind,
              metadata: { name: nameOf(kind), namespace: project },
              spec: workloads[kind](tag),
            } as unknown as ManifestInput<WorkloadKind>,
          ],
          stages(after),
          kind.toLowerCase(),
        );

      async function deploy(artifact: string, key: string): Promise<Deployment> {
        const client = dev();
        const { id } = await client.request('deploy', { body: { artifact, stage: 'prod' }, key } as never);
        let last = 0;
        for await (const event of client.follow(id)) expect(event.number).toBe(++last);
        return (await client.request('deployment', { params: { id } } as never)) as Deployment;
      }

      describe.each(Object.keys(workloads) as WorkloadKind[])('%s', (kind) => {
        test('is published, deployed, updated, stopped if it is bad, and rolled back', async () => {
          const first = await deploy(await publish(kind, '1.0.0', '1.0.0'), `${kind}-1`);
          expect(first).toMatchObject({ phase: 'ready', version: '1.0.0' });
          const second = await deploy(await publish(kind, '2.0.0', '2.0.0'), `${kind}-2`);
          expect(second).toMatchObject({ phase: 'ready', previous: { version: '1.0.0' } });
          if (kind !== 'PinterestCronJob') {
            const bad = await deploy(await publish(kind, '3.0.0', 'bad', '10s'), `${kind}-3`);
            expect(bad).toMatchObject({
              phase: 'rolledBack',
              previous: { version: '2.0.0' },
              cause: { owner: 'application' },
            });
          }
          const client = dev();
          const body = { project, workflow: kind.toLowerCase(), stage: 'prod', version: '1.0.0' };
          const { id } = (await client.request('rollBack', { body, key: `${kind}-back` } as never)) as Deployment;
          for await (const _ of client.follow(id)) void _;
          const rollback = (await client.request('deployment', { params: { id } } as never)) as Deployment;
          expect(rollback).toMatchObject({ phase: 'ready', intent: 'rollBack', version: '1.0.0' });
          const live = await pinion().read(kind, project, nameOf(kind));
          expect(JSON.stringify(live?.spec)).toContain('registry.example.com/app:1.0.0');
        }, 180_000);
      });

      test('rejects expired, forged and missing tokens, and those for another audience or from another issuer', async () => {
        const artifact = `${project}/pinterestservice@1.0.0`;
        const body = { artifact, stage: 'prod' };
        const forged = await createSigningKey(issuer.key.kid);
        const claims = { sub: 'ben', groups: ['shop-developers'] };
        const tokens = {
          expired: await issuer.createToken(claims, { audience, lifetime: -120 }),
          forged: await issuer.createToken(claims, { audience, key: forged }),
          'for another audience': await issuer.createToken(claims, { audience: 'other-audience' }),
          'from another issuer': await issuer.createToken(claims, { audience, issuer: 'http://127.0.0.1:9' }),
          none: undefined,
        };
        for (const [title, token] of Object.entries(tokens)) {
          const { status, text } = await send(token, '/v1/deployments', body, `not-me-${title.length}-aaaa`);
          expect({ title, status }).toEqual({ title, status: 401 });
          expect(text).not.toContain('shop-developers');
        }
      });

      test('a non-member sees nothing, and a viewer cannot deploy', async () => {
        const body = { artifact: `${project}/pinterestservice@1.0.0`, stage: 'prod' };
        const outsiderToken = await tokenOf('eve', 'other-team');
        expect((await send(outsiderToken, '/v1/deployments', body, 'eve-tries-it')).status).toBe(404);
        expect((await send(outsiderToken, '/v1/projects')).text).toBe('{"items":[]}');
        const viewerToken = await tokenOf('cleo', 'shop-viewers');
        expect((await send(viewerToken, '/v1/deployments', body, 'cleo-tries-it')).status).toBe(403);
        expect((await send(viewerToken, '/v1/deployments')).status).toBe(200);
      });

      test('rejects unpublished versions and versions of a publisher that the stage does not trust', async () => {
        const developerToken = await tokenOf('ben', 'shop-developers');
        const absent = { artifact: `${project}/pinterestservice@9.9.9`, stage: 'prod' };
        expect((await send(developerToken, '/v1/deployments', absent, 'never-published')).status).toBe(404);
        const kind = 'PinterestService';
        const untrustedService = {
          apiVersion,
          kind,
          metadata: { name: 'two', namespace: project },
          spec: workloads[kind]('1.0.0'),
        };
        const artifact = await untrusted.publish(
          project,
          '1.0.0',
          [untrustedService as unknown as ManifestInput<WorkloadKind>],
          stages(),
          'mine',
        );
        const rejected = await send(
          developerToken,
          '/v1/deployments',
          { artifact, stage: 'prod' },
          'untrusted-publisher',
        );
        expect(rejected.status).toBe(403);
        expect(rejected.text).toContain('was published by other/repository');
        const breakGlassRequest = { artifact, stage: 'prod', breakGlass: 'the site is down, INC-4711' };
        expect((await send(developerToken, '/v1/deployments', breakGlassRequest, 'ben-breaks-glass')).status).toBe(403);
        const onCallToken = await tokenOf('dora', 'shop-developers', 'shop-oncall');
        expect((await send(onCallToken, '/v1/deployments', breakGlassRequest, 'dora-breaks-glass')).status).toBe(202);
        await service.waitUntilLogged('break-glass');
        const audit = await waitFor('the audit', () =>
          Promise.resolve(service.lines().find(({ subject, status }) => subject === 'dora' && status === 202)),
        );
        expect(audit).toMatchObject({ message: 'audit', operation: 'deploy', project, stage: 'prod' });
      });

      test('rejects a repeated idempotency key with another body', async () => {
        const developerToken = await tokenOf('ben', 'shop-developers');
        const [one, other] = ['1.0.0', '2.0.0'].map((version) => ({
          artifact: `${project}/pinterestservice@${version}`,
          stage: 'prod',
        }));
        const first = await send(developerToken, '/v1/deployments', one, 'replayed-request');
        expect(first.status).toBe(202);
        expect((await send(developerToken, '/v1/deployments', one, 'replayed-request')).status).toBe(202);
        expect((await send(developerToken, '/v1/deployments', other, 'replayed-request')).status).toBe(409);
      });

      test('the planted secret is in no log, status, event or response, nor in its stored state', async () => {
        const { client } = pinion().cluster;
        const stored = await client.request('GET', `/api/v1/namespaces/${submissionProject}/configmaps`);
        const events = await client.request('GET', '/api/v1/events');
        const kinds = Object.keys(workloads) as WorkloadKind[];
        const live = await Promise.all(kinds.map((kind) => pinion().read(kind, project, nameOf(kind))));
        const details = kinds.map((kind) => `/v1/projects/${project}/workloads/main/${kind}/${nameOf(kind)}`);
        const developerToken = await tokenOf('ben', 'shop-developers');
        const { items } = JSON.parse((await send(developerToken, '/v1/deployments')).text) as {
          items: { id: string }[];
        };
        const follows = items.map(({ id }) => `/v1/deployments/${id}/events`);
        const lists = [
          '/v1/me',
          '/v1/projects',
          '/v1/workloads',
          '/v1/deployments',
          `/v1/projects/${project}/versions`,
        ];
        const responses = [];
        for (const path of ['/', '/openapi.json', ...lists, ...details, ...follows]) {
          const { status, text } = await send(developerToken, path);
          expect({ path, status }).toEqual({ path, status: 200 });
          responses.push(text);
        }
        const check = { artifact: `${project}/pinterestservice@2.0.0`, stage: 'prod' };
        responses.push((await send(developerToken, '/v1/previews', check)).text);
        const statuses = live.map((one) => one?.['status']);
        const allOutput = JSON.stringify([service.lines(), stored.body, events.body, statuses, responses]);
        expect(allOutput).not.toContain(marker);
        expect(allOutput).not.toMatch(/eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\./);
      });
    });
  },
  {
    documents: [
      {
        ...defaultPlatform,
        spec: { ...defaultPlatform.spec, cluster: 'main', deploymentKeys: [publicKeyText(deploymentKey)] },
      },
      defaultProfile,
    ],
  },
);
