import { Registry } from 'prom-client';
import { jsonLog } from '../../lib/kube';
import { type Deployment } from '../../lib/contract';
import { DeploymentMetrics } from '../../lib/submission/deployment-metrics';
import { createDeploymentRecord } from '../../lib/submission/state/deployment-record';
import { DeploymentNotifier } from '../../lib/submission/deployment-notifier';
import { waitFor } from '../control-plane/wait-for';
import { startReceiver } from '../quota/receiver';
import { makeCaller } from './engine/engine-fixture';
import { entry } from './state/ledger-fixture';

const { deployment } = createDeploymentRecord('shop', entry({ breakGlass: 'the shop is down' }));
const fields = {
  ...{ id: 'one', project: 'shop', workflow: 'web', version: '1.0.0', stage: 'prod', phase: 'pending' },
  ...{ subject: 'mia@example.com', issuer: 'https://login.example.com', why: 'the shop is down' },
};

function createNotifier(webhook?: string) {
  const lines: Record<string, unknown>[] = [];
  const log = jsonLog(
    (line) => void lines.push(JSON.parse(line) as Record<string, unknown>),
    () => 0,
  );
  const warned: string[] = [];
  const warn = (...args: readonly string[]): void => void warned.push(args.join(' '));
  const metrics = new DeploymentMetrics(new Registry(), () => 0);
  const notifier = new DeploymentNotifier({ log, metrics, targets: new Map([['main', { warn }]]), webhook });
  return { notifier, lines, warned };
}
const mia = makeCaller('mia@example.com');

test('a bypass of trusted publishers is reported in the log, on the clusters and to the webhook', async () => {
  const receiver = await startReceiver();
  try {
    const { notifier, lines, warned } = createNotifier(receiver.url.href);
    notifier.notifyBreakGlass(deployment, mia);
    expect(lines).toMatchObject([{ level: 'warn', message: 'break-glass', ...fields }]);
    expect(warned).toEqual([
      'shop BreakGlass mia@example.com deploys web@1.0.0 to prod, bypassing its trusted publishers: the shop is down',
    ]);
    await waitFor('the webhook', () => Promise.resolve(receiver.received[0]));
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toEqual({ ...fields, digest: deployment.digest });
  } finally {
    await receiver.close();
  }
});

test.each([
  ['responds with a failure', 500, { status: 500 }],
  ['redirects', 302, { error: expect.any(String) as string }],
])('a webhook that %s is logged as failed', async (_, status, expected) => {
  const receiver = await startReceiver((__, response) =>
    response.writeHead(status, { location: 'http://127.0.0.1:9/' }).end(),
  );
  try {
    const { notifier, lines } = createNotifier(receiver.url.href);
    notifier.notifyBreakGlass(deployment, mia);
    await waitFor('the log', () => Promise.resolve(lines[1]));
    expect(lines[1]).toMatchObject({ message: 'break-glass webhook failed', id: 'one', ...expected });
  } finally {
    await receiver.close();
  }
});

test('the end of a deployment is logged with its cause and owner, without deployed content', () => {
  const { notifier, lines } = createNotifier();
  const cause = { owner: 'application', reason: 'CrashLoop', message: 'PASSWORD=hush' } as const;
  const failed: Deployment = { ...deployment, phase: 'failed', cause };
  notifier.notifyEnd(failed);
  notifier.notifyEnd({ ...deployment, phase: 'ready' });
  expect(lines).toMatchObject([
    { level: 'info', message: 'deployment ended', phase: 'failed', owner: 'application', reason: 'CrashLoop' },
    { phase: 'ready' },
  ]);
  expect(JSON.stringify(lines)).not.toContain('hush');
});
