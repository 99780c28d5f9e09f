import { dayOf } from '../../lib/capacity';
import { prometheusUsage, usageInput } from '../../lib/quota';
import { PrometheusServer, whyNoPrometheus } from './prometheus-server';
import { startReceiver } from './receiver';

const first = dayOf('2026-05-04');
const secondsPerDay = 86_400;
const step = 300;

/** Returns a series of the days 4 to 6 May with a sample every five minutes. */
const series = (name: string, labels: Record<string, string>, of: (seconds: number) => number | undefined): string => {
  const text = Object.entries(labels)
    .map(([key, value]) => `${key}="${value}"`)
    .join(',');
  let lines = '';
  for (let time = 0; time < 3 * secondsPerDay; time += step) {
    const value = of(time);
    if (value !== undefined) lines += `${name}{${text}} ${value} ${first * secondsPerDay + time}\n`;
  }
  return lines;
};
const at = (day: number, hour: number): number => day * secondsPerDay + hour * 3600;
const GiB = 2 ** 30;

/** Samples as kube-state-metrics and the kubelet expose them; the expectations below hold the truth of each day. */
function samples(): string {
  const pod = (name: string) => ({ namespace: 'ads', pod: name, uid: name });
  const container = (name: string, of: string) => ({ ...pod(name), container: of, node: 'a' });
  const asks = (kind: string, what: string, labels: object, cpu: number, memory: number): string =>
    series(`${kind}_resource_${what}`, { ...labels, resource: 'cpu', unit: 'core' }, () => cpu) +
    series(`${kind}_resource_${what}`, { ...labels, resource: 'memory', unit: 'byte' }, () => memory);
  const runs = (name: string, until = Infinity): string =>
    series('kube_pod_status_phase', { ...pod(name), phase: 'Running' }, (time) => (time < until ? 1 : 0)) +
    series('kube_pod_status_phase', { ...pod(name), phase: 'Succeeded' }, (time) => (time < until ? 0 : 1));
  return [
    // A project with a quota: the API server's own count, with a 15-minute peak on each day.
    series(
      'kube_resourcequota',
      { namespace: 'shop', resourcequota: 'project', resource: 'pods', type: 'used' },
      (time) => (time >= at(1, 13) && time < at(1, 13) + 900 ? 40 : time === at(2, 0) ? 31 : 20),
    ),
    series(
      'kube_resourcequota',
      { namespace: 'shop', resourcequota: 'project', resource: 'pods', type: 'hard' },
      () => 90,
    ),
    // A project without a quota: two pods, one of which ends on the second day at noon, with a sidecar and an init container.
    runs('web'),
    runs('batch', at(1, 12)),
    asks('kube_pod_container', 'requests', container('web', 'app'), 1, 2 * GiB),
    asks('kube_pod_container', 'limits', container('web', 'app'), 2, 3 * GiB),
    asks('kube_pod_container', 'requests', container('batch', 'app'), 4, 8 * GiB),
    asks('kube_pod_init_container', 'requests', container('web', 'proxy'), 0.25, GiB),
    asks('kube_pod_init_container', 'requests', container('web', 'setup'), 7, 7 * GiB),
    series('kube_pod_init_container_info', { ...container('web', 'proxy'), restart_policy: 'Always' }, () => 1),
    series('kube_pod_init_container_info', { ...container('web', 'setup'), restart_policy: '' }, () => 1),
    series('kube_persistentvolumeclaim_info', { namespace: 'ads', persistentvolumeclaim: 'data' }, () => 1),
    series(
      'kube_persistentvolumeclaim_resource_requests_storage_bytes',
      { namespace: 'ads', persistentvolumeclaim: 'data' },
      () => 100 * GiB,
    ),
    series(
      'container_memory_working_set_bytes',
      { ...container('web', 'app'), image: 'app' },
      (time) => (time === at(2, 5) ? 5 : 1) * GiB,
    ),
    series('container_memory_working_set_bytes', { ...container('web', ''), image: '' }, () => 50 * GiB),
    // Half a core, as a counter.
    series('container_cpu_usage_seconds_total', { ...container('web', 'app'), image: 'app' }, (time) => 0.5 * time),
  ].join('');
}

const reason = whyNoPrometheus();
if (reason !== undefined) process.stderr.write(`skipped: usage out of a real Prometheus; ${reason}\n`);

(reason === undefined ? describe : describe.skip)('a real Prometheus', () => {
  let server: PrometheusServer;
  beforeAll(async () => {
    server = await PrometheusServer.start(samples());
  }, 120_000);
  afterAll(() => server.stop());

  test("returns the peak of each UTC day, from the API server's count or from the pods", async () => {
    const usage = await prometheusUsage({ url: server.url, days: 3, last: first + 2 });
    const [ads, shop] = usageInput(usage).usage;
    expect(shop).toEqual({
      project: 'shop',
      days: [
        { day: '2026-05-04', peaks: { pods: '20' } },
        { day: '2026-05-05', peaks: { pods: '40' } },
        // Exactly at midnight: belongs to the day that starts.
        { day: '2026-05-06', peaks: { pods: '31' } },
      ],
    });
    const claims = { persistentvolumeclaims: '1', 'requests.storage': '100Gi' };
    const both = { pods: '2', 'requests.cpu': '5250m', 'requests.memory': '11Gi', 'limits.memory': '3Gi', ...claims };
    const one = { pods: '1', 'requests.cpu': '1250m', 'requests.memory': '3Gi', 'limits.memory': '3Gi', ...claims };
    expect(ads?.days.map(({ day, peaks }) => [day, peaks])).toEqual([
      ['2026-05-04', both],
      ['2026-05-05', both],
      ['2026-05-06', one],
    ]);
    expect(ads?.days[2]?.consumed?.['memory']).toBe('5Gi');
  }, 60_000);

  test('queries only the requested number of days', async () => {
    const usage = await prometheusUsage({ url: server.url, days: 1, last: first + 2 });
    expect([...usage.values()].map((days) => days.map(({ day }) => day - first))).toEqual([[2], [2]]);
  }, 60_000);
});

describe('a server that is not Prometheus', () => {
  test.each([
    ['answers nonsense', '<html>', 'Prometheus did not respond with a matrix of values'],
    [
      'answers a vector',
      '{"status":"success","data":{"resultType":"vector","result":[]}}',
      'Prometheus did not respond with a matrix of values',
    ],
  ])('is reported if it %s', async (_, text, message) => {
    const receiver = await startReceiver((_request, response) => void response.end(text));
    try {
      await expect(prometheusUsage({ url: receiver.url, days: 1, last: first })).rejects.toThrow(message);
    } finally {
      await receiver.close();
    }
  });

  test('queries a week at a time, with a token', async () => {
    const empty = '{"status":"success","data":{"resultType":"matrix","result":[]}}';
    const receiver = await startReceiver((_request, response) => void response.end(empty));
    try {
      const url = new URL('/prefix/', receiver.url);
      expect((await prometheusUsage({ url, days: 10, last: first, token: 'hush' })).size).toBe(0);
      const pods = receiver.received.filter(({ body }) => decodeURIComponent(body).includes('"pods"'));
      const spans = pods.map(({ body }) => {
        const asked = new URLSearchParams(body);
        return (Number(asked.get('end')) - Number(asked.get('start'))) / secondsPerDay + 1;
      });
      expect(spans).toEqual([7, 3]);
      expect(receiver.received[0]).toMatchObject({ path: '/prefix/api/v1/query_range', authorization: 'Bearer hush' });
    } finally {
      await receiver.close();
    }
  });
});
