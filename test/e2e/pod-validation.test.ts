import { checkNative, isError, type Problem } from '../../lib/api';
import { goodPod, podCases, podOf } from '../api/native/pod-cases';
import { type ApiResponse } from '../control-plane/api-response';
import { describeControlPlane } from '../control-plane/suite';
import { rejectionOf } from './server-response';

const spec = ['spec', 'template', 'spec'];

function problemsOf(pod: unknown): readonly Problem[] {
  const problems: Problem[] = [];
  checkNative('PodSpec', pod, spec, (problem) => problems.push(problem));
  return problems.filter(isError);
}

describeControlPlane('pod validation compared with the API server', (controlPlane) => {
  const send = (pod: unknown): Promise<ApiResponse> =>
    controlPlane().client.create(
      {
        ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'example', namespace: 'default' } },
        ...{
          spec: {
            selector: { matchLabels: { app: 'a' } },
            template: { metadata: { labels: { app: 'a' } }, spec: pod },
          },
        },
      },
      { dryRun: true },
    );

  test('the server and pinion accept a pod that uses many Kubernetes features', async () => {
    const response = await send(goodPod());
    expect([rejectionOf(response), response.warnings]).toEqual([undefined, []]);
    expect(problemsOf(goodPod())).toEqual([]);
  });

  test.each(podCases.filter(({ bound }) => !bound).map((entry) => [entry.title, entry] as const))(
    '%s: rejected by the server and by pinion',
    async (_, entry) => {
      expect(rejectionOf(await send(podOf(entry)))).toEqual(expect.any(String));
      expect(problemsOf(podOf(entry))).not.toEqual([]);
    },
  );

  test.each(podCases.filter(({ bound }) => bound).map((entry) => [entry.title, entry] as const))(
    '%s: accepted by the server, rejected by pinion',
    async (_, entry) => {
      expect(rejectionOf(await send(podOf(entry)))).toBeUndefined();
      expect(problemsOf(podOf(entry))).not.toEqual([]);
    },
  );
});
