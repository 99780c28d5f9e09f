import { makeTrainingJob, type WorkloadOverrides } from '../../../lib/testing';
import { SimulatedRun } from '../simulated-run';
import { endPod, startPods } from './run-steps';

const training = (overrides: WorkloadOverrides<'PinterestTrainingJob'> = {}) =>
  new SimulatedRun(
    makeTrainingJob({
      framework: 'tensorflow',
      roles: { master: undefined, chief: {}, ps: {}, worker: { replicas: 2 } },
      ...overrides,
    }),
  );

describe('a training job', () => {
  test('ends with its leader; then parameter servers end, and their Jobs are retained', () => {
    const job = startPods(training());
    endPod(job.jobs, 'app-chief', 0, 'Succeeded');
    job.settle();
    expect(job.record).toMatchObject({ outcome: 'Succeeded', succeeded: { chief: '0' } });
    expect(job.jobs.running).toEqual([]);
    expect([...job.jobs.jobs.keys()].sort()).toEqual(['app-chief', 'app-ps', 'app-worker']);
  });

  test('allWorkers waits for all but the parameter servers', () => {
    const job = startPods(training({ successPolicy: 'AllWorkers' }));
    endPod(job.jobs, 'app-chief', 0, 'Succeeded');
    endPod(job.jobs, 'app-worker', 0, 'Succeeded');
    job.settle();
    expect(job.record.outcome).toBeUndefined();
    endPod(job.jobs, 'app-worker', 1, 'Succeeded');
    job.settle();
    expect(job.record).toMatchObject({ outcome: 'Succeeded', succeeded: { chief: '0', worker: '0-1' } });
  });

  test('a permanently failed role fails the job and ends the others', () => {
    const job = startPods(training());
    endPod(job.jobs, 'app-worker', 1, 'Failed');
    job.settle();
    expect(job.record).toMatchObject({ outcome: 'Failed', failed: { worker: '1' } });
    expect(job.jobs.running).toEqual([]);
  });

  test('workers that fail because their leader has ended do not revert its success', () => {
    const job = startPods(training());
    endPod(job.jobs, 'app-chief', 0, 'Succeeded');
    endPod(job.jobs, 'app-worker', 0, 'Failed');
    expect(job.plan().record.outcome).toBe('Succeeded');
  });

  test.each([
    ['All', 0, 0],
    ['Running', 0, 1],
    ['None', 3, 1],
  ] as const)('cleanPodPolicy %s leaves %i running and %i ended', (cleanPodPolicy, running, ended) => {
    const job = startPods(training({ cleanPodPolicy }));
    endPod(job.jobs, 'app-chief', 0, 'Succeeded');
    job.settle();
    expect(job.jobs.running).toHaveLength(running);
    expect(job.jobs.pods.length - job.jobs.running.length).toBe(ended);
  });

  test('with master and workers in one Job the record keeps each role by its own indexes', () => {
    const job = startPods(new SimulatedRun(makeTrainingJob({ successPolicy: 'AllWorkers' })));
    endPod(job.jobs, 'app', 0, 'Succeeded');
    endPod(job.jobs, 'app', 2, 'Succeeded');
    expect(job.plan().record.succeeded).toEqual({ master: '0', worker: '1' });
  });
});
