import { startTestServer } from '../submission/http/test-server';
import { runSchemathesis } from './schemathesis/run-schemathesis';
import { schemathesisTool } from './schemathesis/tool';

const tool = schemathesisTool();
const python = 'python' in tool ? tool.python : '';
if ('skipped' in tool)
  process.stderr.write(`e2e: SKIPPED requests generated from the OpenAPI document: ${tool.skipped}\n`);
const describeIfAvailable = python === '' ? describe.skip : describe;

const unlimited = { qps: 1e6, burst: 1e6 };
const limits = { readRate: unlimited, writeRate: unlimited, unauthenticatedRate: unlimited };

describeIfAvailable('requests generated from the OpenAPI document of the service', () => {
  test('get the responses that the document specifies, and invalid ones are rejected', async () => {
    const { url, errors, service } = await startTestServer({}, { limits });
    const result = await runSchemathesis({ python, url, token: 'ana-token', examples: 400 });
    expect(result.failures).toEqual([]);
    expect(result.requests).toBeGreaterThanOrEqual(400);
    expect(errors).toEqual([]);
    expect(new Set(service.names)).toContain('deploy');
  }, 600_000);

  test('detect a service that fails and one whose responses violate the document', async () => {
    const { url } = await startTestServer(
      {
        cancel: () => Promise.reject(new Error('broken')),
        deployment: async () => ({ id: 7 }) as never,
      },
      { limits },
    );
    const { failures } = await runSchemathesis({ python, url, token: 'ana-token', examples: 100 });
    const report = failures.join('\n');
    expect(report).toContain('POST /v1/deployments/{id}/cancel');
    expect(report).toMatch(/Server error/);
    expect(report).toMatch(/GET \/v1\/deployments\/\{id\}[\s\S]*violates schema/);
    expect(report).not.toContain('ana-token');
  }, 600_000);
});
