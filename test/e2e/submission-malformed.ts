import { type ManifestInput } from '../../lib/api';
import { describePinion, smallTemplate, workloadOf } from './pinion-suite';
import { runSchemathesis } from './schemathesis/run-schemathesis';
import { schemathesisTool } from './schemathesis/tool';
import { SubmissionTestbed } from '../submission/submission-testbed';

const project = 'shop';
const stages = [{ name: 'prod', stop: { timeout: '120s', onFailure: 'Keep' as const } }];

/** Defines a suite that sends valid and malformed requests from its OpenAPI document to the packaged service. */
export function describeMalformed(examples: number, timeout: number): void {
  const tool = schemathesisTool();
  if ('skipped' in tool) {
    process.stderr.write(`e2e: SKIPPED malformed requests: ${tool.skipped}\n`);
    describe.skip('malformed requests', () => test('are rejected', () => undefined));
    return;
  }
  describePinion('malformed requests to the packaged service', (pinion) => {
    // A nested suite, whose hooks run before the cluster stops.
    describe('with a deployed project', () => {
      let testbed: SubmissionTestbed;
      beforeAll(async () => {
        testbed = await SubmissionTestbed.make(pinion());
        await testbed.project(project);
      }, 180_000);
      afterAll(() => testbed.stop());

      test(
        'are rejected as its OpenAPI document specifies, without an internal error',
        async () => {
          const template = smallTemplate() as ManifestInput<'PinterestService'>['spec']['template'];
          const cart = workloadOf('PinterestService', project, 'cart', { replicas: 1, template });
          const artifact = await testbed.publishing.publish(project, '1.0.0', [cart], stages);
          const service = await testbed.start('submission');
          const url = await service.url();
          await service.waitUntilLogged('leading');
          const client = testbed.client(url);
          const deployment = await client.request('deploy', {
            body: { artifact, stage: 'prod' },
            key: 'the-first-one',
          });
          for await (const _ of client.follow(deployment.id)) void _;
          const known = {
            id: deployment.id,
            artifact,
            project,
            workflow: 'web',
            version: '1.0.0',
            stage: 'prod',
            target: 'main',
            kind: 'PinterestService',
            name: 'cart',
            'Idempotency-Key': 'the-first-one',
          };
          const token = await testbed.token();
          const result = await runSchemathesis({ python: tool.python, url, token, examples, known });
          expect(result.failures).toEqual([]);
          expect(result.requests).toBeGreaterThanOrEqual(examples);
          for (const status of [200, 400, 401, 404, 409, 422]) expect([...result.statuses.keys()]).toContain(status);
          const errors = service
            .lines()
            .filter(({ level, message }) => level === 'error' || message.startsWith('    at '));
          expect(errors).toEqual([]);
          const after = await client.request('deployment', { params: { id: deployment.id } });
          expect(after).toMatchObject({ phase: 'ready', version: '1.0.0' });
        },
        timeout,
      );
    });
  });
}
