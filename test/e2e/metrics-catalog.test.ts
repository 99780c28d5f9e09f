import { defaultPlatform, defaultProfile } from '../../lib/expand';
import { metadataKeys } from '../../lib/api';
import { publicKeyText } from '../../lib/artifact';
import { keyPair, publisher } from '../artifact/artifact-fixture';
import { expectStatus } from '../control-plane/api-response';
import { waitFor } from '../control-plane/wait-for';
import { PrometheusServer, whyNoPrometheus } from '../quota/prometheus-server';
import { describeMetricsCatalog, missingMetrics } from './metrics-catalog';
import { describePinion, smallTemplate, workloadOf } from './pinion-suite';

const pinnedImage = `registry.example.com/app@sha256:${'a'.repeat(64)}`;

describeMetricsCatalog('1.36');

describePinion(
  'metrics catalog of the pinion controller',
  (pinion) => {
    const skipReason = whyNoPrometheus();
    const testIfAvailable = skipReason === undefined ? test : test.skip;
    let prometheus: PrometheusServer | undefined;
    afterAll(() => prometheus?.stop());

    testIfAvailable(
      `scrapes every controller metric and label that rules and panels use${skipReason === undefined ? '' : ` (skipped: ${skipReason})`}`,
      async () => {
        const { controller } = pinion();
        const namespace = await pinion().project('watched', { onCall: '#watched' });
        // No node has this much: the workload stays pending, and its status names the owner.
        const { spec, ...template } = smallTemplate();
        const resources = { requests: { cpu: '1000', memory: '1Gi' }, limits: { memory: '1Gi' } };
        const containers = spec.containers.map((container) => ({ ...container, resources }));
        await pinion().apply(
          workloadOf('PinterestService', namespace, 'cart', {
            replicas: 1,
            template: { ...template, spec: { ...spec, containers } },
          }),
        );
        // A record of other pod templates, as of another version of the controller, holds it.
        await pinion().until(
          'PinterestService',
          namespace,
          'cart',
          ({ status }) => status?.['expansion'] !== undefined && status['children'] !== undefined,
        );
        const { code, stderr } = await pinion().cluster.kubectl([
          ...['patch', 'psvc', 'cart', '-n', namespace, '--subresource=status', '--type=merge'],
          ...['-p', '{"status":{"expansion":{"podTemplates":"1-other"}}}'],
        ]);
        expect([code, stderr]).toEqual([0, '']);
        // The metrics of its pods are unknown, so the state of the autoscaler stays as it is written.
        await pinion().apply(
          workloadOf('PinterestService', namespace, 'till', {
            autoscaling: { minReplicas: 1, maxReplicas: 2 },
            template: smallTemplate(),
          }),
        );
        await waitFor('the autoscaler to be limited', async () => {
          const condition = { type: 'ScalingLimited', status: 'True', reason: 'TooManyReplicas' };
          const patched = await pinion().cluster.kubectl([
            ...['patch', 'hpa', 'till', '-n', namespace, '--subresource=status', '--type=merge'],
            ...['-p', JSON.stringify({ status: { conditions: [condition], currentReplicas: 1, desiredReplicas: 2 } })],
          ]);
          return patched.code === 0;
        });
        // A protected project does not carry out what has no proof.
        const stage = { name: 'production', clusters: [defaultPlatform.spec.cluster] };
        const publishers = [publisher({ keys: [publicKeyText(keyPair())] })];
        const guarded = await pinion().project('guarded', { stages: [{ ...stage, publishers }] });
        const pinned = spec.containers.map((container) => ({ ...container, image: pinnedImage }));
        const unsigned = workloadOf('PinterestService', guarded, 'cart', {
          replicas: 1,
          template: { ...template, spec: { ...spec, containers: pinned } },
        });
        const labels = { [metadataKeys.stage]: stage.name };
        await pinion().apply({ ...unsigned, metadata: { ...unsigned.metadata, labels } });
        // A rollout that a freeze holds until it is paused, with an emergency.
        const rollouts = { freezes: [{ name: 'always', schedule: '* * * * *', duration: '1h' }] };
        const inEpoch = (expansionEpoch: number, accepts: (revisions: { readonly rollout?: string }) => boolean) =>
          pinion()
            .apply({ ...defaultPlatform, spec: { ...defaultPlatform.spec, rollouts, runtime: { expansionEpoch } } })
            .then(() =>
              pinion().until('Platform', '', 'cluster', ({ status }) => {
                const revisions = status?.['revisions'] as { readonly rollout?: string } | undefined;
                return revisions !== undefined && accepts(revisions);
              }),
            );
        await inEpoch(1, () => true);
        const { status } = await inEpoch(2, ({ rollout }) => rollout !== undefined);
        const { rollout } = status?.['revisions'] as { rollout: string };
        await pinion().until('PlatformRollout', '', rollout, (live) => live.status?.['reason'] === 'Frozen');
        const until = `${new Date(Date.now() + 3_600_000).toISOString().slice(0, 19)}Z`;
        const emergency = { reason: 'a test', until };
        const patch = await pinion().cluster.kubectl([
          ...['patch', 'platformrollout', rollout, '--type=merge'],
          ...['-p', JSON.stringify({ spec: { paused: true, emergency } })],
        ]);
        expect([patch.code, patch.stderr]).toEqual([0, '']);
        const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings';
        expectStatus(await pinion().cluster.client.request('DELETE', `${policies}/in-use.pinterest.com`), [200]);
        const server = (prometheus = await PrometheusServer.scraping([
          { job: 'pinion-controller', url: `http://127.0.0.1:${await controller.port()}` },
        ]));
        let missingSeries: string[] = [];
        await waitFor(
          'everything to be scraped',
          async () =>
            (missingSeries = await missingMetrics(server, 'pinion-controller', 'pinion-controller', '1.36')).length ===
            0,
          { timeout: 60_000, interval: 1000 },
        ).catch(() => undefined);
        expect(missingSeries).toEqual([]);
        expect(
          await server.query('sum(leader_election_master_status{job="pinion-controller",name="pinion-controller"})'),
        ).toEqual([{ labels: {}, value: 1 }]);
      },
      120_000,
    );
  },
  { documents: [defaultPlatform, defaultProfile] },
);
