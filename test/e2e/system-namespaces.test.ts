import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ManifestInput } from '../../lib/api';
import { defaultPlatform, defaultProfile } from '../../lib/expand';
import { expectStatus, messageOf } from '../control-plane/answer';
import { type SendableObject } from '../control-plane/client';
import { waitFor } from '../control-plane/wait-for';
import { KubectlView } from './kubectl-view';
import { describePinion } from './pinion-suite';

/** Critical pods are let in only beside a quota that names their priority class, as some clusters have it. */
const limited = {
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
writeFileSync(file, JSON.stringify(limited));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describePinion(
  'quotas of system namespaces',
  (pinion) => {
    const system = new KubectlView(pinion, () => 'kube-system');
    const own = ['pinion-critical-pods', 'pinion-objects', 'pinion-pods'].map((name) => `resourcequota/${name}`);

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
        // No requests and no limits, as many add-ons have it.
        spec: { ...(priorityClassName && { priorityClassName }), containers: [{ name: 'app', image: 'app:1' }] },
      } as SendableObject);
    const configMap = (namespace: string, name: string) =>
      pinion().cluster.client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } });

    test('there are none until the Platform lists a namespace', async () => {
      await pinion().ready('Platform', '', 'cluster');
      expect(await system.names('resourcequota')).toEqual([]);
      const refused = await pod('kube-system', 'agent', 'system-node-critical');
      expect(messageOf(refused)).toContain('insufficient quota to match these scopes');
    });

    test('are there once it does, and let in what a cluster lives on', async () => {
      await pinion().apply(
        platform([
          { name: 'kube-system' },
          { name: 'kube-public', quota: { pods: '0' } },
          { name: 'default', quota: { pods: '1', configmaps: '2' } },
        ]),
      );
      await pinion().ready('Platform', '', 'cluster');
      expect(await system.names('resourcequota')).toEqual(own);
      // The API server learns of a new quota by a watch of its own.
      await waitFor('a critical pod', async () => {
        const answer = await pod('kube-system', 'agent', 'system-node-critical');
        return answer.status === 201 || answer.status === 409 ? true : undefined;
      });
      // Neither the API server nor the controller of quotas counts a pod that came before they knew the quota.
      let addOns = 0;
      const used = await waitFor('an add-on that is counted', async () => {
        expectStatus(await pod('kube-system', `add-on-${addOns++}`), [201]);
        const quota = await system.object('resourcequota', 'pinion-pods');
        return Number((quota?.status?.['used'] as { pods?: string } | undefined)?.pods ?? 0) > 0 ? quota : undefined;
      });
      expect(used.metadata.ownerReferences).toEqual([expect.objectContaining({ kind: 'Platform', name: 'cluster' })]);
    }, 90_000);

    test('refuse what is too much, but never a critical pod', async () => {
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
      const refused = await pod('default', 'two');
      expect([refused.status, messageOf(refused)]).toEqual([403, expect.stringContaining('pinion-pods')]);
      expectStatus(await pod('default', 'three', 'system-cluster-critical'), [201]);
      // One is there in every namespace: the root certificates.
      expectStatus(await configMap('default', 'one'), [201]);
      expect((await configMap('default', 'two')).status).toBe(403);
    }, 90_000);

    test('come back where somebody deletes them, and go when the Platform lists the namespace no more', async () => {
      const before = await system.object('resourcequota', 'pinion-pods');
      await system.run('delete', 'resourcequota', 'pinion-pods');
      await system.until('resourcequota', 'pinion-pods', ({ metadata }) => metadata.uid !== before?.metadata.uid);
      await pinion().apply(platform([{ name: 'kube-system' }]));
      const elsewhere = new KubectlView(pinion, () => 'default');
      await elsewhere.gone('resourcequota');
      await pinion().ready('Platform', '', 'cluster');
      expect(await system.names('resourcequota')).toEqual(own);
    }, 90_000);

    test('of a namespace that is not there are told as what the Platform lacks, and keep no other from its own', async () => {
      await pinion().apply(platform([{ name: 'nowhere' }, { name: 'kube-public' }]));
      const told = await pinion().until('Platform', '', 'cluster', ({ status }) => status?.phase === 'Stalled');
      expect(JSON.stringify(told.status?.conditions)).toContain('nowhere');
      const open = new KubectlView(pinion, () => 'kube-public');
      await waitFor('the other quotas', async () => {
        const names = await open.names('resourcequota');
        return names.length === own.length ? true : undefined;
      });
      await pinion().apply(platform([]));
      await pinion().ready('Platform', '', 'cluster');
      await open.gone('resourcequota');
    }, 90_000);
  },
  { documents: [defaultPlatform, defaultProfile], apiServerFlags: [`--admission-control-config-file=${file}`] },
);
