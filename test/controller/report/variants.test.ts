import { parseManifest, type ManifestInput, type Status, type Workload } from '../../../lib/api';
import { report } from '../../../lib/controller/report/report-workload';
import { type ReportInput } from '../../../lib/controller/report/report';
import { expand } from '../../../lib/expand';
import { makeProjectContext, makeService } from '../../../lib/testing';
import { childAt, conditionIn, pod, progress, reportInput, type ObservedDifferences } from '../report-input';

const reviews = makeService({
  name: 'reviews',
  variants: [
    { name: 'v1', replicas: 2 },
    { name: 'v2', image: 'registry.example.com/reviews:2.0.0' },
    { name: 'v3', image: 'registry.example.com/reviews:3.0.0', autoscaling: { maxReplicas: 4 } },
  ],
});
const statusOf = (seen?: ObservedDifferences) =>
  report(reportInput(reviews, seen)).status as Status<'PinterestService'>;
const rolling = {
  observedGeneration: 2,
  replicas: 2,
  readyReplicas: 1,
  updatedReplicas: 1,
  availableReplicas: 1,
  conditions: [progress('ReplicaSetUpdated', 'is progressing', 'reviews-v2-5d8f')],
};

describe('the status of a service with variants', () => {
  test('counts the pods of each variant, and those of all', () => {
    const status = statusOf({ statuses: { 'Deployment/reviews-v2': rolling }, scales: { 'Deployment/reviews-v3': 1 } });
    expect(status).toMatchObject({
      replicas: 5,
      readyReplicas: 4,
      updatedReplicas: 4,
      availableReplicas: 4,
      variants: [
        { name: 'v1', desiredReplicas: 2, replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 },
        { name: 'v2', desiredReplicas: 1, replicas: 2, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 },
        { name: 'v3', desiredReplicas: 1, replicas: 1 },
      ],
    });
    expect(report(reportInput(makeService())).status).not.toHaveProperty('variants');
  });

  test('selects the pods of all variants', () => {
    expect(statusOf().selector).toBe('pinterest.com/kind=PinterestService,pinterest.com/workload=reviews');
  });

  test('names the variant that is not ready, and counts one that does not exist yet', () => {
    expect(conditionIn(statusOf({ statuses: { 'Deployment/reviews-v2': rolling } }), 'Ready')).toMatchObject({
      status: 'False',
      message: 'Variant v2 (Deployment reviews-v2): 1 pod of the older version still to be replaced.',
    });
    const missing = statusOf({ statuses: { 'Deployment/reviews-v1': undefined } });
    expect(missing.variants?.[0]).toMatchObject({ name: 'v1', desiredReplicas: 2, readyReplicas: 0 });
    expect(conditionIn(statusOf(), 'Ready')).toMatchObject({ status: 'True', message: 'All 4 pods are available.' });
  });

  test('an Event names the variants whose pods are replaced', () => {
    const previous = statusOf() as ReportInput['previous'];
    const context = makeProjectContext();
    const [v2] = expand(parseManifest(reviews as ManifestInput) as Workload, context).filter(
      ({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'reviews-v2',
    );
    if (!v2) throw new Error('no Deployment reviews-v2');
    const steps = [
      { do: 'apply', object: v2, reason: 'changed', current: childAt('Deployment', 'reviews-v2') } as const,
    ];
    const seen = { previous, generation: 4, plan: { steps }, statuses: { 'Deployment/reviews-v2': rolling } };
    expect(report(reportInput(reviews, seen)).events).toMatchObject([
      { reason: 'Updated', message: 'Updated Deployment/reviews-v2.' },
      { reason: 'RolloutStarted', message: 'A new version of the variant v2 is being rolled out.' },
    ]);
  });

  test('a crash of a pod is attributed to the variant, also while its ReplicaSet is not reported yet', () => {
    const crashing = pod({
      name: 'reviews-v2-5d8f-x1',
      owner: { kind: 'ReplicaSet', name: 'reviews-v2-5d8f' },
      status: {
        containerStatuses: [
          {
            name: 'app',
            state: { waiting: { reason: 'CrashLoopBackOff' } },
            lastState: { terminated: { exitCode: 1 } },
          },
        ],
      },
    });
    const statuses = { 'Deployment/reviews-v2': { ...rolling, conditions: [] } };
    expect(statusOf({ statuses, pods: [crashing] }).cause).toMatchObject({
      reason: 'AppCrashLoop',
      object: 'Pod/reviews-v2-5d8f-x1',
    });
    // The pod of a variant that is no longer desired is none of a Deployment whose name starts alike.
    const base = makeService({ name: 'reviews' });
    const after = { statuses: { 'Deployment/reviews': { observedGeneration: 2, conditions: [] } }, pods: [crashing] };
    expect(report(reportInput(base, after)).status).not.toHaveProperty('cause');
  });
});
