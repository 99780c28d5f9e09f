import { statusChange } from '../../../lib/controller/report/status-change';

const ready = (status: string, message = 'all 3 pods are ready') => [
  { type: 'Ready', status, reason: 'Ready', message, lastTransitionTime: '2026-01-01T00:00:00Z' },
];

const run = (phase: string, reason: string, more: object = {}, jobs = ['Job/app']) => ({
  run: 'abc',
  phase,
  conditions: [{ type: 'Ready', status: reason === 'Running' ? 'True' : 'False', reason, message: '' }],
  children: Object.fromEntries(jobs.map((name) => [name, phase])),
  ...more,
});
const startTime = '2026-01-01T00:00:00Z';
const succeededIndexes = { shards: '0' };

describe('how much a new status says', () => {
  it.each([
    ['nothing where only undefined fields differ', { phase: 'Ready', cause: undefined }, { phase: 'Ready' }, 'none'],
    [
      'numbers where only counts differ',
      { readyReplicas: 1, phase: 'Progressing' },
      { readyReplicas: 2, phase: 'Progressing' },
      'numbers',
    ],
    [
      'numbers where a message differs in its numbers alone',
      { conditions: ready('False', '1 of 3 pods is ready') },
      { conditions: ready('False', '2 of 3 pods is ready') },
      'numbers',
    ],
    ['news where a condition turns', { conditions: ready('False') }, { conditions: ready('True') }, 'news'],
    ['news where a cause appears', { phase: 'Stalled' }, { phase: 'Stalled', cause: { reason: 'Quota' } }, 'news'],
    ['news where a run restarts', { restarts: 0 }, { restarts: 1 }, 'news'],
    ['news where an index failed', { failedIndexes: {} }, { failedIndexes: { shards: '3' } }, 'news'],
    [
      'numbers where a run only goes on',
      run('Pending', 'Applying'),
      run('Running', 'Running', { startTime, succeededIndexes }),
      'numbers',
    ],
    [
      'news where a shard with a Job of its own is over',
      run('Running', 'Running', {}, ['Job/app-0', 'Job/app-1']),
      run('Running', 'Running', { succeededIndexes }, ['Job/app-0', 'Job/app-1']),
      'news',
    ],
    ['news where a run ends', run('Running', 'Running'), run('Succeeded', 'Succeeded'), 'news'],
    ['news where a run goes well again', run('Stalled', 'Quota', { cause: {} }), run('Running', 'Running'), 'news'],
    ['news where a run is suspended', run('Running', 'Running'), run('Suspended', 'Suspended'), 'news'],
  ])('%s', (_, written, next, change) => {
    expect(statusChange(written, next)).toBe(change);
  });

  it('is news where nothing is written yet', () => {
    expect(statusChange(undefined, {})).toBe('news');
  });
});
