import { finalPhases, phases } from '../../../lib/contract';
import {
  createDeploymentRecord,
  isFinal,
  updateDeploymentRecord,
} from '../../../lib/submission/state/deployment-record';
import { requestedAt, entry, later } from './ledger-fixture';

const cause = { owner: 'application', reason: 'CrashLoop', message: 'it exits repeatedly' } as const;

test('a record starts with the request and one event for it', () => {
  const { deployment, events, request } = createDeploymentRecord('shop', entry({ commit: 'abc' }));
  expect(deployment).toMatchObject({
    id: 'one',
    project: 'shop',
    phase: 'pending',
    sequence: 2,
    commit: 'abc',
    targets: [{ name: 'main', phase: 'waiting', workloads: [] }],
  });
  expect(Object.keys(deployment)).not.toContain('breakGlass');
  expect(events).toEqual([{ number: 1, at: requestedAt, phase: 'pending', message: 'accepted' }]);
  expect(request).toBe('request of one');
});

test('a deployment without capacity is queued, and reports that it waits for quota', () => {
  const { deployment, events } = createDeploymentRecord('shop', entry({ waits: true }));
  expect([deployment.phase, events[0]?.phase]).toEqual(['queued', 'queued']);
  expect(events[0]?.message).toBe('accepted; waits until the project has quota');
  expect(Object.keys(deployment)).not.toContain('former');
});

test('events are numbered with their phase, and the previous record is not changed', () => {
  const first = createDeploymentRecord('shop', entry());
  const second = updateDeploymentRecord(first, later(1), { phase: 'applying' }, [
    { message: 'a' },
    { message: 'b', target: 'main' },
  ]);
  const third = updateDeploymentRecord(second, later(2), { phase: 'ready', endedAt: later(2) }, [{ message: 'c' }]);
  expect(third.events.map(({ number, phase, message }) => [number, phase, message])).toEqual([
    [1, 'pending', 'accepted'],
    [2, 'applying', 'a'],
    [3, 'applying', 'b'],
    [4, 'ready', 'c'],
  ]);
  expect(third.events[2]).toMatchObject({ at: later(1), target: 'main' });
  expect(first.events).toHaveLength(1);
  expect(first.deployment.phase).toBe('pending');
});

test('a cause stays until it is removed, and is then absent', () => {
  const failing = updateDeploymentRecord(createDeploymentRecord('shop', entry()), later(1), {
    phase: 'progressing',
    cause,
  });
  expect(updateDeploymentRecord(failing, later(2), { phase: 'progressing' }).deployment.cause).toEqual(cause);
  const ready = updateDeploymentRecord(failing, later(2), { phase: 'ready', cause: undefined }).deployment;
  expect(Object.keys(ready)).not.toContain('cause');
});

test('a phase is final if it is a final phase of the contract', () => {
  expect(phases.filter(isFinal)).toEqual(phases.filter((phase) => finalPhases.includes(phase)));
});
