import { readEtcdHealth } from '../../lib/operations';

const healthy = '{"health":"true","reason":""}';
const metrics = (more = ''): string => `# HELP etcd_server_has_leader Whether or not a leader exists.
# TYPE etcd_server_has_leader gauge
etcd_server_has_leader 1
etcd_server_is_leader 1
etcd_server_is_learner 0
etcd_server_proposals_applied_total 1.204e+06
etcd_server_proposals_committed_total 1.204005e+06
${more}`;

test('parses a healthy leader', () => {
  expect(readEtcdHealth('main', { health: healthy, metrics: metrics() })).toEqual({
    database: 'main',
    alarms: [],
    learner: false,
    leader: true,
    committed: 1_204_005,
    applied: 1_204_000,
  });
});

test.each([
  ['{"health":"false","reason":"ALARM NOSPACE"}', 'ALARM NOSPACE', ['NOSPACE']],
  ['{"health":"false","reason":"RAFT NO LEADER"}', 'RAFT NO LEADER', []],
  ['not found', 'not found', []],
  ['', 'empty response', []],
])('returns %j as unhealthy: %s', (health, unhealthyReason, alarms) => {
  expect(readEtcdHealth('main', { health, metrics: metrics() })).toMatchObject({ unhealthyReason, alarms });
});

test('parses a learner, and reports a member without a leader as unhealthy', () => {
  const learner = metrics().replace('is_learner 0', 'is_learner 1');
  expect(readEtcdHealth('main', { health: healthy, metrics: learner })).toMatchObject({ learner: true });
  const lost = metrics().replace('has_leader 1', 'has_leader 0');
  expect(readEtcdHealth('main', { health: healthy, metrics: lost })).toMatchObject({ unhealthyReason: 'no leader' });
});
