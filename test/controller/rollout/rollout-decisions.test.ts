import { withBoundedEmergency } from '../../../lib/controller/rollout/bounded-emergency';
import { RolloutDecisions, type OperatorDecision } from '../../../lib/controller/rollout/rollout-decisions';
import { specOf } from './rollout-input';

const now = Date.parse('2026-03-01T12:00:00Z');
const none: OperatorDecision = { paused: false, aborted: false, rollback: false };
const emergency = { reason: 'CVE-2026-1234', until: '2026-03-01T14:00:00Z' };
const started = { isNew: false, isEnded: false };

describe('events of decisions about a rollout', () => {
  const seen = new RolloutDecisions();
  const reasonsFor = (decision: OperatorDecision, more: Partial<typeof started> = {}, of = seen) =>
    of.eventsFor('u1', decision, { ...started, ...more }).map(({ type, reason }) => `${type} ${reason}`);

  test('report the start, each change and the end of an emergency with its reason, once', () => {
    expect(reasonsFor(none, { isNew: true })).toEqual([]);
    expect(seen.eventsFor('u1', { ...none, emergency }, started)).toEqual([
      {
        type: 'Warning',
        reason: 'EmergencyStarted',
        message:
          'soak times, freezes, the canary and a missing approval do not count until 2026-03-01T14:00:00Z: CVE-2026-1234',
      },
    ]);
    expect(reasonsFor({ ...none, emergency })).toEqual([]);
    expect(reasonsFor({ ...none, emergency: { ...emergency, reason: 'another' } })).toEqual([
      'Warning EmergencyChanged',
    ]);
    expect(seen.eventsFor('u1', none, started)).toEqual([
      { type: 'Normal', reason: 'EmergencyEnded', message: 'it was: another' },
    ]);
  });

  test('report that a pause, an abort or a rollback is requested, also after the end', () => {
    expect(reasonsFor({ ...none, paused: true })).toEqual(['Normal PauseRequested']);
    expect(reasonsFor({ ...none, paused: true })).toEqual([]);
    expect(reasonsFor({ ...none, aborted: true })).toEqual(['Warning AbortRequested']);
    expect(reasonsFor({ ...none, aborted: true, rollback: true }, { isEnded: true })).toEqual([
      'Warning RollbackRequested',
    ]);
  });

  test('report each approval, and that one is removed, once', () => {
    const approvedImpact = 'sha256:a';
    const of = new RolloutDecisions();
    expect(reasonsFor(none, { isNew: true }, of)).toEqual([]);
    expect(of.eventsFor('u1', { ...none, approvedImpact }, started)).toEqual([
      { type: 'Normal', reason: 'ImpactApproved', message: 'spec.approvedImpact: sha256:a' },
    ]);
    expect(reasonsFor({ ...none, approvedImpact }, {}, of)).toEqual([]);
    expect(reasonsFor({ ...none, approvedImpact }, {}, new RolloutDecisions())).toEqual([]);
    expect(reasonsFor({ ...none, approvedImpact: 'sha256:b' }, {}, of)).toEqual(['Normal ImpactApproved']);
    expect(of.eventsFor('u1', none, started)).toEqual([
      { type: 'Normal', reason: 'ApprovalRemoved', message: 'it was: sha256:b' },
    ]);
  });

  test('report what a new rollout has, and after a restart only an emergency', () => {
    const decision = { ...none, paused: true, emergency };
    expect(reasonsFor(decision, { isNew: true }, new RolloutDecisions())).toEqual([
      'Warning EmergencyStarted',
      'Normal PauseRequested',
    ]);
    expect(reasonsFor(decision, {}, new RolloutDecisions())).toEqual(['Warning EmergencyStarted']);
    expect(reasonsFor(decision, { isEnded: true }, new RolloutDecisions())).toEqual([]);
  });
});

test('an emergency counts until its end, and not while that is more than 24 hours ahead', () => {
  const at = (until: string) => withBoundedEmergency(specOf(undefined, { emergency: { reason: 'x', until } }), now);
  expect(at('2026-03-01T12:00:01Z').emergency).toBeDefined();
  expect(at('2026-03-02T12:00:00Z').emergency).toBeDefined();
  for (const until of ['2026-03-01T12:00:00Z', '2026-03-02T12:02:00Z', '9999-01-01T00:00:00Z'])
    expect(at(until)).toEqual(specOf());
});
