import { type ClusterRolloutsView, type RolloutDetail } from '../../lib/contract';

/** Returns the rollouts of two clusters: one is paused, and of the other one all are complete. */
export function sampleRollouts(timestamp: (minutesAgo: number) => string): ClusterRolloutsView[] {
  const cart = { project: 'shop', kind: 'PinterestService', name: 'cart' } as const;
  const current: RolloutDetail = {
    ...{ name: 'rollout-5d0c1b2a3f', phase: 'Paused', reason: 'Stalled', revision: 'rev-5d0c1b2a3f' },
    ...{ started: timestamp(95), workloads: 412, completed: 37, wave: 'early' },
    message: 'not ready 30m after their release: PinterestService/shop/cart; it continues by itself once this ends',
    nextStep: 'It continues by itself once the reason is gone.',
    emergency: { reason: 'CVE-2026-1234 in the proxy', until: timestamp(-60), active: true },
    waves: [
      {
        ...{ name: 'first', phase: 'Completed', workloads: 12, completed: 12 },
        ...{ started: timestamp(95), changed: timestamp(80), ended: timestamp(50) },
      },
      { name: 'early', phase: 'Progressing', workloads: 80, completed: 25, started: timestamp(50) },
      { name: 'rest', phase: 'Pending', workloads: 320, completed: 0 },
    ],
    transit: { listed: [{ ...cart, wave: 'early', since: timestamp(40) }], hidden: 3 },
    failed: {
      listed: [{ ...cart, name: 'checkout', message: 'AppCrashLoop: container app exits with code 1' }],
      hidden: 0,
    },
    blocked: { listed: [], hidden: 1 },
  };
  const { workloads, completed, started = '', reason = '', phase, name, revision } = current;
  const before: ClusterRolloutsView['recent'][number] = {
    ...{ name: 'rollout-41aa00ff93', phase: 'Completed', reason: 'Completed', revision: 'rev-41aa00ff93' },
    ...{ started: timestamp(9000), ended: timestamp(8000), workloads: 410, completed: 410 },
  };
  const none = { listed: [], hidden: 0 };
  return [
    {
      ...{ target: 'use1-prod', enabled: true, revision, completed: before.revision, current },
      recent: [{ name, phase, reason, revision, started, workloads, completed }, before],
    },
    {
      ...{ target: 'usw2-prod', enabled: true, revision: before.revision, completed: before.revision },
      current: {
        ...{ ...before, nextStep: 'None: all of its workloads are at its revision.' },
        ...{ waves: [], transit: none, failed: none, blocked: none },
      },
      recent: [before],
    },
    { target: 'dev', enabled: false, recent: [] },
  ];
}
