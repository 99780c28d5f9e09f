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

describe('the significance of a status change', () => {
  it.each([
    ['none for differences in undefined fields', { phase: 'Ready', cause: undefined }, { phase: 'Ready' }, 'none'],
    ['counts only', { readyReplicas: 1, phase: 'Progressing' }, { readyReplicas: 2, phase: 'Progressing' }, 'numbers'],
    [
      'counts only for a message that differs in its numbers',
      { conditions: ready('False', '1 of 3 pods is ready') },
      { conditions: ready('False', '2 of 3 pods is ready') },
      'numbers',
    ],
    ['significant for a condition that turns', { conditions: ready('False') }, { conditions: ready('True') }, 'news'],
    [
      'significant for a cause that appears',
      { phase: 'Stalled' },
      { phase: 'Stalled', cause: { reason: 'Quota' } },
      'news',
    ],
    ['significant for a run that restarts', { restarts: 0 }, { restarts: 1 }, 'news'],
    ['significant for an index that failed', { failedIndexes: {} }, { failedIndexes: { shards: '3' } }, 'news'],
    [
      'counts only for progress of a run',
      run('Pending', 'Applying'),
      run('Running', 'Running', { startTime, succeededIndexes }),
      'numbers',
    ],
    [
      'significant for a completed shard with its own Job',
      run('Running', 'Running', {}, ['Job/app-0', 'Job/app-1']),
      run('Running', 'Running', { succeededIndexes }, ['Job/app-0', 'Job/app-1']),
      'news',
    ],
    ['significant for a run that ends', run('Running', 'Running'), run('Succeeded', 'Succeeded'), 'news'],
    ['significant for a run that recovers', run('Stalled', 'Quota', { cause: {} }), run('Running', 'Running'), 'news'],
    ['significant for a run that is suspended', run('Running', 'Running'), run('Suspended', 'Suspended'), 'news'],
  ])('%s', (_, written, next, change) => {
    expect(statusChange(written, next)).toBe(change);
  });

  it('is significant for the first status', () => {
    expect(statusChange(undefined, {})).toBe('news');
  });
});
