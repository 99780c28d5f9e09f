import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { clientMetrics } from '../../lib/kube/client/client-metrics';
import { connect } from '../../lib/kube/client/connect';
import { EventRecorder } from '../../lib/kube/events/event-recorder';
import { type KubeClient, type WatchEvent } from '../../lib/kube/client/kube-client';
import { loadKubeConfig } from '../../lib/kube/config/kube-config';
import { type Election, runForLease } from '../../lib/kube/lease/lease-election';
import { type LiveObject, type SentObject } from '../../lib/kube/objects/live-object';
import { resourceOf } from '../../lib/kube/objects/resource';
import { describeControlPlane } from '../control-plane/suite';
import { waitFor } from '../control-plane/wait-for';
import { realClock } from '../kube/real-clock';

const configMaps = resourceOf('ConfigMap');
const namespace = 'default';
const configMap = (name: string, data: Readonly<Record<string, string>>, more: object = {}): SentObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace, ...more },
  data,
});

describeControlPlane(
  'Kubernetes client on the API server',
  (controlPlane) => {
    const registry = new Registry();
    let client: KubeClient;
    const clientOf = (context?: string): KubeClient =>
      connect(
        loadKubeConfig({ file: controlPlane().kubeconfig, environment: {}, ...(context !== undefined && { context }) }),
        { clock: realClock, userAgent: 'pinion-test', metrics: clientMetrics(registry) },
      );
    beforeAll(() => (client = clientOf()));
    afterAll(() => client.close());

    test('reads, creates, replaces, patches and deletes an object', async () => {
      const key = { name: 'crud', namespace };
      expect(await client.get(configMaps, key)).toBeUndefined();
      const created = await client.create(configMap('crud', { level: 'info' }));
      await expect(client.create(configMap('crud', {}))).rejects.toMatchObject({
        status: 409,
        reason: 'AlreadyExists',
      });
      expect(await client.get(configMaps, key)).toEqual(created);
      const { resourceVersion } = created.metadata;
      const replaced = await client.update(configMap('crud', { level: 'debug' }, { resourceVersion }));
      expect(replaced['data']).toEqual({ level: 'debug' });
      await expect(client.update(configMap('crud', {}, { resourceVersion }))).rejects.toMatchObject({
        status: 409,
        reason: 'Conflict',
      });
      const patched = await client.patch(configMaps, key, { data: { level: null, grüße: undefined, more: 'Grüße' } });
      expect(patched['data']).toEqual({ more: 'Grüße' });
      const byJson = [{ op: 'add', path: '/data/level', value: 'warn' }];
      expect((await client.patch(configMaps, key, byJson, { type: 'json' }))['data']).toMatchObject({
        level: 'warn',
      });
      await client.delete(configMaps, key);
      expect(await client.get(configMaps, key)).toBeUndefined();
      await client.delete(configMaps, key);
    });

    test('creates and applies as one manager, reports a conflict and resolves it by force', async () => {
      const created = await client.apply(configMap('applied', { level: 'info' }));
      expect(created.metadata.managedFields).toMatchObject([{ manager: 'pinion-test', operation: 'Apply' }]);
      const conflict = client.apply(configMap('applied', { level: 'debug' }), { fieldManager: 'other' });
      await expect(conflict).rejects.toMatchObject({
        status: 409,
        reason: 'Conflict',
        details: { causes: [{ reason: 'FieldManagerConflict', field: '.data.level' }] },
      });
      const forced = { fieldManager: 'other', force: true };
      expect((await client.apply(configMap('applied', { level: 'debug' }), forced))['data']).toEqual({
        level: 'debug',
      });
      const dry = await client.apply(configMap('applied', { other: 'x' }), { dryRun: true });
      expect(dry['data']).toEqual({ level: 'debug', other: 'x' });
      expect((await client.get(configMaps, { name: 'applied', namespace }))?.['data']).toEqual({ level: 'debug' });
    });

    test('rejects unknown fields with the cause in the error', async () => {
      const withUnknownField = { ...configMap('wrong', {}), colour: 'red' };
      // The server responds to such an apply with a 500.
      await expect(client.apply(withUnknownField)).rejects.toThrow('.colour: field not declared in schema');
      await expect(client.create(withUnknownField)).rejects.toMatchObject({ status: 400, reason: 'BadRequest' });
    });

    test('replaces a status only at the resource version that it is based on', async () => {
      const claim = await client.create({
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name: 'status', namespace },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      });
      const withPhase = (phase: string): SentObject => ({ ...claim, status: { phase } });
      expect((await client.updateStatus(withPhase('Bound')))['status']).toEqual({ phase: 'Bound' });
      await expect(client.updateStatus(withPhase('Lost'))).rejects.toMatchObject({ status: 409, reason: 'Conflict' });
    });

    test('deletes an object only with the given uid', async () => {
      const { metadata } = await client.create(configMap('meant', {}));
      const key = { name: 'meant', namespace };
      const wrongUid = client.delete(configMaps, key, { uid: '00000000-0000-0000-0000-000000000000' });
      await expect(wrongUid).rejects.toMatchObject({ status: 409, reason: 'Conflict' });
      await client.patch(configMaps, key, { data: { changed: 'yes' } });
      const oldVersion = client.delete(configMaps, key, {
        uid: metadata.uid,
        resourceVersion: metadata.resourceVersion,
      });
      await expect(oldVersion).rejects.toMatchObject({ status: 409, reason: 'Conflict' });
      await client.delete(configMaps, key, { uid: metadata.uid });
      expect(await client.get(configMaps, key)).toBeUndefined();
    });

    test('lists in pages of one version with the kind of each item', async () => {
      for (let at = 0; at < 7; at++) await client.create(configMap(`page-${at}`, {}, { labels: { of: 'pages' } }));
      const items: LiveObject[] = [];
      const versions = new Set<string>();
      let next: string | undefined;
      do {
        const page = await client.list(configMaps, {
          namespace,
          labelSelector: 'of=pages',
          limit: 3,
          ...(next !== undefined && { continue: next }),
        });
        items.push(...page.items);
        versions.add(page.resourceVersion);
        next = page.continue;
      } while (next !== undefined);
      expect(items.map(({ kind, apiVersion, metadata }) => [kind, apiVersion, metadata.name])).toEqual(
        [0, 1, 2, 3, 4, 5, 6].map((at) => ['ConfigMap', 'v1', `page-${at}`]),
      );
      expect(versions.size).toBe(1);
    });

    test('watches in order from a version until the server closes the watch', async () => {
      const { resourceVersion } = await client.list(configMaps, { namespace });
      const observed: string[] = [];
      const selection = { namespace, labelSelector: 'of=watch', resourceVersion, timeoutSeconds: 2 };
      const watching = client.watch(configMaps, selection, ({ type, object }) => {
        observed.push(
          `${type} ${object.metadata.name ?? ''} ${(object['data'] as { text?: string } | undefined)?.text ?? ''}`.trim(),
        );
      });
      const labels = { of: 'watch' };
      await client.create(configMap('watched', { text: 'Grüße 🚀' }, { labels }));
      await client.patch(configMaps, { name: 'watched', namespace }, { data: { text: '日本語' } });
      await client.delete(configMaps, { name: 'watched', namespace });
      await watching;
      expect(observed.filter((line) => !line.startsWith('BOOKMARK'))).toEqual([
        'ADDED watched Grüße 🚀',
        'MODIFIED watched 日本語',
        'DELETED watched 日本語',
      ]);
    });

    test('streams the initial list on request, followed by a bookmark', async () => {
      const abort = new AbortController();
      const events: WatchEvent[] = [];
      await client.create(configMap('streamed', {}));
      const watching = client.watch(
        configMaps,
        { namespace, sendInitialEvents: true },
        (event) => {
          events.push(event);
          const annotations = event.object.metadata.annotations ?? {};
          if (annotations['k8s.io/initial-events-end'] === 'true') abort.abort();
        },
        { signal: abort.signal },
      );
      await expect(watching).rejects.toMatchObject({ status: 0, reason: 'Aborted' });
      expect(events.at(-1)?.type).toBe('BOOKMARK');
      expect(events.slice(0, -1).map(({ type, object }) => `${type} ${object.metadata.name}`)).toContain(
        'ADDED streamed',
      );
    });

    test('ends a watch from an expired version with 410', async () => {
      // The kind is new, so the server has no history from before it.
      const names = { plural: 'things', kind: 'Thing' };
      const schema = { openAPIV3Schema: { type: 'object' } };
      await controlPlane().client.createCrd({
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'things.example.com' },
        spec: {
          group: 'example.com',
          names,
          scope: 'Namespaced',
          versions: [{ name: 'v1', served: true, storage: true, schema }],
        },
      } as never);
      const things = { apiVersion: 'example.com/v1', ...names, namespaced: true };
      const { resourceVersion } = await client.list(things, { namespace });
      expect(Number(resourceVersion)).toBeGreaterThan(1);
      const tooOld = client.watch(things, { namespace, resourceVersion: '1' }, () => undefined);
      await expect(tooOld).rejects.toMatchObject({ status: 410, reason: expect.stringMatching(/^(Expired|Gone)$/) });
    });

    test('ends the watch with the error that a callback throws', async () => {
      const callbackError = new Error('from the callback');
      const watching = client.watch(configMaps, { namespace, sendInitialEvents: true }, () => {
        throw callbackError;
      });
      await expect(watching).rejects.toBe(callbackError);
    });

    test('reports a path that is not served as an error, not as a missing object', async () => {
      const unknownResource = {
        apiVersion: 'nowhere.example.com/v1',
        kind: 'Thing',
        plural: 'things',
        namespaced: true,
      };
      await expect(client.get(unknownResource, { name: 'a', namespace })).rejects.toMatchObject({ status: 404 });
      await expect(client.delete(unknownResource, { name: 'a', namespace })).rejects.toMatchObject({ status: 404 });
    });

    test('acts as the user of the given context', async () => {
      const reader = clientOf('reader');
      const rejected = reader.create(configMap('denied', {}));
      await expect(rejected).rejects.toMatchObject({
        status: 403,
        reason: 'Forbidden',
        message: expect.stringMatching(/User "reader"/) as string,
      });
      reader.close();
    });

    test('transfers leadership at once when a leader stops, and after the lease when it crashes', async () => {
      const durations = { leaseDuration: 3_000, renewDeadline: 2_000, retryPeriod: 200 };
      const run = (identity: string, from: KubeClient): Election =>
        runForLease({
          client: from,
          namespace,
          name: 'lead',
          identity,
          clock: realClock,
          metrics: clientMetrics(registry),
          onStartedLeading: () => undefined,
          ...durations,
        });
      const leads = (election: Election): Promise<true> =>
        waitFor('leadership', async () => election.isLeading(), { interval: 20 });
      const key = { name: 'lead', namespace };
      const lease = async (): Promise<unknown> => (await client.get(resourceOf('Lease'), key))?.['spec'];
      const one = run('one', client);
      await leads(one);
      const crashing = clientOf();
      const two = run('two', crashing);
      await waitFor('the second candidate to observe the leader', async () => two.holder() === 'one', { interval: 20 });
      expect(await lease()).toMatchObject({ holderIdentity: 'one', leaseDurationSeconds: 3, leaseTransitions: 0 });
      await one.stop();
      expect(one.isLeading()).toBe(false);
      await leads(two);
      expect(await lease()).toMatchObject({ holderIdentity: 'two', leaseTransitions: 1 });
      const three = run('three', client);
      crashing.close();
      await expect(two.done).resolves.toBe('lost');
      expect([two.isLeading(), three.isLeading()]).toEqual([false, false]);
      await leads(three);
      expect(await registry.metrics()).toContain('leader_election_master_status{name="lead"} 1');
      await three.stop();
      expect(await lease()).toMatchObject({ holderIdentity: '', leaseTransitions: 2 });
    });

    test('counts and combines events as kubectl shows them', async () => {
      const object = await client.create(configMap('reported', {}));
      const errors: unknown[] = [];
      const onError = (error: unknown): void => void errors.push(error);
      const recorder = new EventRecorder({ client, clock: realClock, component: 'pinion-test', onError });
      for (let at = 0; at < 5; at++)
        recorder.event(object, { type: 'Warning', reason: 'NoSpace', message: 'no space' });
      for (let at = 0; at < 12; at++) {
        recorder.event(object, { type: 'Normal', reason: 'Made', message: `made thing ${at}` });
      }
      const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'machine', uid: 'n', resourceVersion: '1' } };
      recorder.event(node, { type: 'Normal', reason: 'Seen', message: 'x'.repeat(2_000) });
      await recorder.stop();
      expect(errors).toEqual([]);
      const { stdout } = await controlPlane().kubectl(['events', '--for', 'configmap/reported']);
      const lines = stdout.split('\n').map((line) => line.replace(/\s+/g, ' '));
      expect(lines).toContainEqual(
        expect.stringMatching(/\(x5 over .*\) Warning NoSpace ConfigMap\/reported no space/),
      );
      expect(lines.filter((line) => / Made .* made thing \d/.test(line) && !line.includes('combined'))).toHaveLength(9);
      expect(lines).toContainEqual(
        expect.stringMatching(/x3 over .* Made .*\(combined from similar events\): made thing 11/),
      );
      const ofNode = await controlPlane().kubectl([
        'get',
        'events',
        '--field-selector',
        'involvedObject.kind=Node',
        '-o',
        'json',
      ]);
      expect((JSON.parse(ofNode.stdout) as { items: { message: string }[] }).items).toMatchObject([
        { message: 'x'.repeat(1_024), involvedObject: { name: 'machine' }, count: 1 },
      ]);
    });

    test('logs in with a credential plugin', async () => {
      const { users, ...config } = JSON.parse(readFileSync(controlPlane().kubeconfig, 'utf8')) as {
        readonly users: readonly { readonly name: string; readonly user: { readonly token: string } }[];
      };
      const token = users.find(({ name }) => name === 'reader')?.user.token;
      const credential = { apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status: { token } };
      const exec = {
        apiVersion: credential.apiVersion,
        command: 'printf',
        args: ['%s', JSON.stringify(credential)],
        interactiveMode: 'Never',
      };
      const file = join(controlPlane().folder, 'with-plugin');
      writeFileSync(file, JSON.stringify({ ...config, users: [{ name: 'reader', user: { exec } }] }));
      const settings = loadKubeConfig({ file, context: 'reader', environment: { PATH: '/usr/bin:/bin' } });
      const reader = connect(settings, { clock: realClock, userAgent: 'pinion-test' });
      const reviewType = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
      const review = await reader.request('POST', `/apis/${reviewType.apiVersion}/selfsubjectreviews`, reviewType);
      expect(review).toMatchObject({ status: { userInfo: { username: 'reader' } } });
      reader.close();
    });

    test('counts requests under the names that client-go uses', async () => {
      const { host } = new URL(controlPlane().url);
      const text = await registry.metrics();
      expect(text).toMatch(new RegExp(`rest_client_requests_total\\{code="409",method="PATCH",host="${host}"\\} 1`));
      expect(text).toMatch(/rest_client_request_duration_seconds_count\{verb="GET",host="/);
    });
  },
  { users: [{ name: 'reader' }] },
);
