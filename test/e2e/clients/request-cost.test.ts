import { type AuditEvent } from '../../control-plane/audit';
import { describeControlPlane } from '../../control-plane/suite';
import { waitFor } from '../../control-plane/wait-for';
import { estimateSeats, readApiRequest, readServerFigures } from '../../../lib/operations';
import { authorityOf, prepareProjects, TokenClient, tokenOf } from './client-cluster';

const seatsMetric = /^apiserver_flowcontrol_work_estimated_seats_sum\{flow_schema="service-accounts",.*\} (\S+)$/m;

describeControlPlane(
  'cost of requests',
  (controlPlane) => {
    const metrics = async (): Promise<string> => String((await controlPlane().client.request('GET', '/metrics')).body);
    const countedSeats = async (): Promise<number> => Number(seatsMetric.exec(await metrics())?.[1] ?? 0);

    beforeAll(async () => {
      await prepareProjects(controlPlane());
      for (let index = 0; index < 60; index++)
        await controlPlane().client.apply({
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: `map-${index}`, namespace: 'shop' },
          data: { value: 'x'.repeat(20_000) },
        } as object as Parameters<ReturnType<typeof controlPlane>['client']['apply']>[0]);
      await waitFor('the API server to know the size of ConfigMaps', async () => {
        const { stats } = readServerFigures(await metrics());
        const { objects = 0, averageBytes = 0 } = stats.get('configmaps') ?? {};
        return objects >= 60 && averageBytes > 15_000;
      });
    }, 120_000);

    test('is estimated with the seats that the API server gives each request', async () => {
      const token = await tokenOf(controlPlane(), 'shop', 'reader');
      const reader = new TokenClient(controlPlane().url, authorityOf(controlPlane()), token, 'reader/1.0');
      const maps = '/api/v1/namespaces/shop/configmaps';
      const { metadata } = (await reader.get(`${maps}?limit=1`)).body as { metadata: { resourceVersion: string } };
      const version = metadata.resourceVersion;
      const seatsOf = async (path: string): Promise<{ counted: number; estimated: number }> => {
        const mark = controlPlane().audit.mark();
        const before = await countedSeats();
        expect((await reader.get(path)).status).toBeLessThan(500);
        const { stats } = readServerFigures(await metrics());
        const user = 'system:serviceaccount:shop:reader';
        const event = await waitFor('the audit event', async () => controlPlane().audit.since(mark, { user })[0]);
        return { counted: (await countedSeats()) - before, estimated: estimate(event, stats) };
      };
      const found: Record<string, { counted: number; estimated: number }> = {};
      for (const path of [
        maps,
        '/api/v1/configmaps?resourceVersion=0',
        `${maps}?limit=10`,
        `${maps}?resourceVersion=${version}&resourceVersionMatch=Exact`,
        `${maps}?resourceVersion=${version}&resourceVersionMatch=Exact&limit=20`,
        `${maps}?resourceVersion=${version}&resourceVersionMatch=Exact&limit=2&labelSelector=a%3Db`,
        `${maps}?fieldSelector=metadata.name%3Dmap-1`,
        `${maps}/map-1`,
        '/api/v1/nodes',
      ])
        found[path] = await seatsOf(path);
      expect(Object.values(found).map(({ estimated }) => estimated)).toEqual(
        Object.values(found).map(({ counted }) => counted),
      );
      expect(new Set(Object.values(found).map(({ counted }) => counted)).size).toBeGreaterThan(3);
    });
  },
  { apiServerFlags: ['--etcd-count-metric-poll-period=1s'] },
);

function estimate(event: AuditEvent, stats: Parameters<typeof estimateSeats>[1]): number {
  const request = readApiRequest(event as object as Readonly<Record<string, unknown>>, 0);
  if (!request) throw new Error('the event is not a request');
  return estimateSeats(request, stats);
}
