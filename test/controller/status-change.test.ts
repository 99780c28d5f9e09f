import { statusChange } from '../../lib/controller/status-change';

const ready = (status: string, message = 'all 3 pods are ready') => [
  { type: 'Ready', status, reason: 'Ready', message, lastTransitionTime: '2026-01-01T00:00:00Z' },
];

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
  ])('%s', (_, written, next, change) => {
    expect(statusChange(written, next)).toBe(change);
  });

  it('is news where nothing is written yet', () => {
    expect(statusChange(undefined, {})).toBe('news');
  });
});
