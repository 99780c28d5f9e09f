import { startTestEntrance } from '../submission/http/test-server';
import { runSchemathesis } from './schemathesis/run-schemathesis';
import { schemathesisTool } from './schemathesis/tool';

const tool = schemathesisTool();
const python = 'python' in tool ? tool.python : '';
if ('skipped' in tool) process.stderr.write(`e2e: SKIPPED requests made from the document: ${tool.skipped}\n`);
const inPart = python === '' ? describe.skip : describe;

const lots = { qps: 1e6, burst: 1e6 };
const limits = { readRate: lots, writeRate: lots, unauthenticatedRate: lots };

inPart('requests that are made from the document of the service', () => {
  test('are each answered as it says, wrong ones by a refusal', async () => {
    const { url, errors, service } = await startTestEntrance({}, { limits });
    const result = await runSchemathesis({ python, url, token: 'ana-token', examples: 400 });
    expect(result.failures).toEqual([]);
    expect(result.requests).toBeGreaterThanOrEqual(400);
    expect(errors).toEqual([]);
    expect(new Set(service.names)).toContain('deploy');
  }, 600_000);

  test('find a service that fails, and one that answers what its document does not have', async () => {
    const { url } = await startTestEntrance(
      {
        cancel: () => Promise.reject(new Error('broken')),
        deployment: async () => ({ id: 7 }) as never,
      },
      { limits },
    );
    const { failures } = await runSchemathesis({ python, url, token: 'ana-token', examples: 100 });
    const told = failures.join('\n');
    expect(told).toContain('POST /v1/deployments/{id}/cancel');
    expect(told).toMatch(/Server error/);
    expect(told).toMatch(/GET \/v1\/deployments\/\{id\}[\s\S]*violates schema/);
    expect(told).not.toContain('ana-token');
  }, 600_000);
});
