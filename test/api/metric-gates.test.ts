import { apiVersion, safeParseManifest } from '../../lib/api';
import { defaultPlatform } from '../../lib/expand';

const problemsOf = (prometheus: string) =>
  safeParseManifest({
    ...{ apiVersion, kind: 'Platform', metadata: { name: 'cluster' } },
    spec: {
      ...defaultPlatform.spec,
      rollouts: { metricGates: { prometheus, queries: [{ name: 'errors', expression: 'up == 0' }] } },
    },
  }).problems;

test.each(['http://prometheus.monitoring:9090', 'https://[::1]:9090/', 'https://metrics.example.com/team@shop/x'])(
  'metric gates ask %s',
  (url) => {
    expect(problemsOf(url)).toEqual([]);
  },
);

test.each([
  'https://admin:secret@prometheus.example.com',
  'https://token@prometheus.example.com/x',
  'https://prometheus.example.com/?token=secret',
  'https://prometheus.example.com/#part',
  'ftp://prometheus.example.com',
])('metric gates do not ask %s', (url) => {
  expect(problemsOf(url)).toMatchObject([
    {
      path: ['spec', 'rollouts', 'metricGates', 'prometheus'],
      reason: 'is not an http or https URL without user, query and fragment',
      remedy: expect.stringContaining('such as "https://prometheus.example.com/prometheus"') as string,
    },
  ]);
});
