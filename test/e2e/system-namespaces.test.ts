import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ManifestInput } from '../../lib/api';
import { defaultPlatform, defaultProfile } from '../../lib/expand';
import { expectStatus, messageOf } from '../control-plane/api-response';
import { type SendableObject } from '../control-plane/client';
import { waitFor } from '../control-plane/wait-for';
import { KubectlView } from './kubectl-view';
import { describePinion } from './pinion-suite';

/** Admits critical pods only with a quota for their priority class, as some clusters do. */
const admissionConfig = {
  apiVersion: 'apiserver.config.k8s.io/v1',
  kind: 'AdmissionConfiguration',
  plugins: [
    {
      name: 'ResourceQuota',
      configuration: {
        apiVersion: 'apiserver.config.k8s.io/v1',
        kind: 'ResourceQuotaConfiguration',
        limitedResources: [
          {
            resource: 'pods',
            matchScopes: [
              {
                scopeName: 'PriorityClass',
                operator: 'In',
                values: ['system-node-critical', 'system-cluster-critical'],
              },
            ],
          },
        ],
      },
    },
  ],
};
const folder = mkdtempSync(join(tmpdir(), 'pinion-system-namespaces-'));
const file = join(folder, 'admission.json');
writeFileSync(file, JSON.stringify(admissionConfig));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describePinion(
  'quotas of system namespaces',
  (pinion) => {
    const system = new KubectlView(pinion, () => 'kube-system');
    const quotaNames = ['pinion-critical-pods', 'pinion-objects', 'pinion-pods'].map((name) => `resourcequota/${name}`);

    const platform = (
      systemNamespaces: ManifestInput<'Platform'>['spec']['systemNamespaces'],
    ): ManifestInput<'Platform'> => ({
      ...defaultPlatform,
      spec: { ...defaultPlatform.spec, ...(systemNamespaces && { systemNamespaces }) },
    });
    const pod = (namespace: string, name: string, priorityClassName?: string) =>
      pinion().cluster.client.create({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name, namespace },
        // No requests and no limits, like many add-ons.
        spec: { ...(priorityClassName && { priorityClassName }), containers: [{ name: 'app', image: 'app:1' }] },
      } as SendableObject);
    const configMap = (namespace: string, name: string) =>
      pinion().cluster.client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } });

    test('do not exist until the Platform lists a namespace', async () => {
      await pinion().ready('Platform', '', 'cluster');
      expect(await system.names('resourcequota')).toEqual([]);
      const rejected = await pod('kube-system', 'agent', 'system-node-critical');
      expect(messageOf(rejected)).toContain('insufficient quota to match these scopes');
    });

    test('exist for listed namespaces and admit critical pods and add-ons', async () => {
      await pinion().apply(
        platform([
          { name: 'kube-system' },
          { name: 'kube-public', quota: { pods: '0' } },
          { name: 'default', quota: { pods: '1', configmaps: '2' } },
        ]),
      );
      await pinion().ready('Platform', '', 'cluster');
      expect(await system.names('resourcequota')).toEqual(quotaNames);
      // The API server watches quotas and sees a new one later.
      await waitFor('a critical pod', async () => {
        const response = await pod('kube-system', 'agent', 'system-node-critical');
        return response.status === 201 || response.status === 409 ? true : undefined;
      });
      // Neither the API server nor the quota controller counts a pod that existed before they saw the quota.
      let addOns = 0;
      const used = await waitFor('a counted add-on', async () => {
        expectStatus(await pod('kube-system', `add-on-${addOns++}`), [201]);
        const quota = await system.object('resourcequota', 'pinion-pods');
        return Number((quota?.status?.['used'] as { pods?: string } | undefined)?.pods ?? 0) > 0 ? quota : undefined;
      });
      expect(used.metadata.ownerReferences).toEqual([expect.objectContaining({ kind: 'Platform', name: 'cluster' })]);
    }, 90_000);

    test('reject objects beyond the limit, but never a critical pod', async () => {
      const count = (name: string) =>
        waitFor(`the count of ${name}`, async () => {
          const found = await pinion().cluster.client.get({
            apiVersion: 'v1',
            kind: 'ResourceQuota',
            metadata: { name, namespace: 'default' },
          });
          return (found.body as { status?: { used?: object } }).status?.used;
        });
      await Promise.all([count('pinion-pods'), count('pinion-objects'), count('pinion-critical-pods')]);
      expectStatus(await pod('default', 'one'), [201]);
      const rejected = await pod('default', 'two');
      expect([rejected.status, messageOf(rejected)]).toEqual([403, expect.stringContaining('pinion-pods')]);
      expectStatus(await pod('default', 'three', 'system-cluster-critical'), [201]);
      // Every namespace has one: the root certificates.
      expectStatus(await configMap('default', 'one'), [201]);
      expect((await configMap('default', 'two')).status).toBe(403);
    }, 90_000);

    test('are recreated after deletion, and removed when the Platform no longer lists the namespace', async () => {
      const before = await system.object('resourcequota', 'pinion-pods');
      await system.run('delete', 'resourcequota', 'pinion-pods');
      await system.until('resourcequota', 'pinion-pods', ({ metadata }) => metadata.uid !== before?.metadata.uid);
      await pinion().apply(platform([{ name: 'kube-system' }]));
      const defaultNamespace = new KubectlView(pinion, () => 'default');
      await defaultNamespace.gone('resourcequota');
      await pinion().ready('Platform', '', 'cluster');
      expect(await system.names('resourcequota')).toEqual(quotaNames);
    }, 90_000);

    test('report a missing namespace in the Platform status and still create the other quotas', async () => {
      await pinion().apply(platform([{ name: 'nowhere' }, { name: 'kube-public' }]));
      const stalled = await pinion().until('Platform', '', 'cluster', ({ status }) => status?.phase === 'Stalled');
      expect(JSON.stringify(stalled.status?.conditions)).toContain('nowhere');
      const publicNamespace = new KubectlView(pinion, () => 'kube-public');
      await waitFor('the other quotas', async () => {
        const names = await publicNamespace.names('resourcequota');
        return names.length === quotaNames.length ? true : undefined;
      });
      await pinion().apply(platform([]));
      await pinion().ready('Platform', '', 'cluster');
      await publicNamespace.gone('resourcequota');
    }, 90_000);
  },
  { documents: [defaultPlatform, defaultProfile], apiServerFlags: [`--admission-control-config-file=${file}`] },
);
