import { makeTrainingJob, type WorkloadOverrides } from '../../../lib/testing';
import { SimulatedRun } from '../simulated-run';
import { end, run } from './course';

const training = (said: WorkloadOverrides<'PinterestTrainingJob'> = {}) =>
  new SimulatedRun(
    makeTrainingJob({
      framework: 'tensorflow',
      roles: { master: undefined, chief: {}, ps: {}, worker: { replicas: 2 } },
      ...said,
    }),
  );

describe('a training job', () => {
  test('ends with its leader; parameter servers end then, and their Jobs are retained', () => {
    const job = run(training());
    end(job.jobs, 'app-chief', 0, 'Succeeded');
    job.settle();
    expect(job.record).toMatchObject({ outcome: 'Succeeded', succeeded: { chief: '0' } });
    expect(job.jobs.running).toEqual([]);
    expect([...job.jobs.jobs.keys()].sort()).toEqual(['app-chief', 'app-ps', 'app-worker']);
  });

  test('allWorkers waits for all but the parameter servers', () => {
    const job = run(training({ successPolicy: 'AllWorkers' }));
    end(job.jobs, 'app-chief', 0, 'Succeeded');
    end(job.jobs, 'app-worker', 0, 'Succeeded');
    job.settle();
    expect(job.record.outcome).toBeUndefined();
    end(job.jobs, 'app-worker', 1, 'Succeeded');
    job.settle();
    expect(job.record).toMatchObject({ outcome: 'Succeeded', succeeded: { chief: '0', worker: '0-1' } });
  });

  test('a permanently failed role fails the job and ends the others', () => {
    const job = run(training());
    end(job.jobs, 'app-worker', 1, 'Failed');
    job.settle();
    expect(job.record).toMatchObject({ outcome: 'Failed', failed: { worker: '1' } });
    expect(job.jobs.running).toEqual([]);
  });

  test('workers that fail because their leader has ended do not revert its success', () => {
    const job = run(training());
    end(job.jobs, 'app-chief', 0, 'Succeeded');
    end(job.jobs, 'app-worker', 0, 'Failed');
    expect(job.look().record.outcome).toBe('Succeeded');
  });

  test.each([
    ['All', 0, 0],
    ['Running', 0, 1],
    ['None', 3, 1],
  ] as const)('cleanPodPolicy %s leaves %i running and %i ended', (cleanPodPolicy, running, ended) => {
    const job = run(training({ cleanPodPolicy }));
    end(job.jobs, 'app-chief', 0, 'Succeeded');
    job.settle();
    expect(job.jobs.running).toHaveLength(running);
    expect(job.jobs.pods.length - job.jobs.running.length).toBe(ended);
  });

  test('with master and workers in one Job the record keeps each role by its own indexes', () => {
    const job = run(new SimulatedRun(makeTrainingJob({ successPolicy: 'AllWorkers' })));
    end(job.jobs, 'app', 0, 'Succeeded');
    end(job.jobs, 'app', 2, 'Succeeded');
    expect(job.look().record.succeeded).toEqual({ master: '0', worker: '1' });
  });
});
