import { rolloutText } from '../../lib/cli/commands/rollout/rollout-text';
import { rolloutView } from '../../lib/cli/commands/rollout/rollout-view';
import { type StoredRollout } from '../../lib/expand';
import { type LiveObject } from '../../lib/kube';
import { storedRollout } from '../cli/rollout-cluster';
import { pageText } from './page-tables';

const page = pageText('rollouts.md');
const started = '2026-03-01T12:40:10Z';

test('its example of the status is what the command prints', () => {
  const crash = 'PinterestService/shop/cart: AppCrashLoop: container app exited with 1';
  const message = `workloads return to their former revisions; ${crash}`;
  const waves = [{ name: 'rollback', phase: 'Progressing', workloads: 3, completed: 1, started }];
  const workload = 'PinterestService/shop/cart';
  const transit = [{ workload, uid: 'u1', revision: 'rev-4d5e6f7a8b', wave: 'rollback', since: started }];
  const failed = storedRollout('rollout-7-0a1b2c3d', {}, { phase: 'Failed', reason: 'WorkloadsFail', message });
  const rollback = storedRollout(
    'rollout-7-0a1b2c3d-rollback-5f6e7d8c',
    { revision: 'rev-4f0a1b2c3d', rollbackOf: 'rollout-7-0a1b2c3d' },
    {
      ...{ phase: 'Progressing', reason: 'Releasing', wave: 'rollback', workloads: 3, completed: 1 },
      ...{ started, waves, transit },
    },
  );
  const rollouts = [failed, rollback] as unknown as readonly StoredRollout[];
  const shop = { metadata: { name: 'shop' }, spec: { team: 'retail', onCall: '#retail' } } as unknown as LiveObject;
  const now = Date.UTC(2026, 2, 1, 12, 42);
  const printed = rolloutText(rolloutView(rollouts[1] as StoredRollout, rollouts, [shop], now), now);
  const example = printed.replace(/^(?=.)/gm, '    ').trimEnd();
  expect(/<!-- output:begin -->\n\n([^]*?)\n\n<!-- output:end -->/.exec(page)?.[1]).toBe(example);
});
