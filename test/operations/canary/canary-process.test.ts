import { canaryProcess } from '../../../lib/operations/canary/canary-process';
import { ManualClock } from '../../kube/manual-clock';

test('an unreadable kubeconfig is logged and ends the process without throwing', async () => {
  const lines: string[] = [];
  const environment = {
    ...{ PINION_PROJECT: 'pinion-canary', CANARY_SANDBOX: 'pinion-canary-work', CANARY_IMAGE: 'canary:1' },
    ...{ KUBECONFIG: '/nowhere/kubeconfig' },
  };
  const write = (line: string): void => void lines.push(line);
  const code = await canaryProcess({
    environment,
    clock: new ManualClock(),
    fetch,
    signal: new AbortController().signal,
    write,
    openBucket: () => {
      throw new Error('unexpected bucket');
    },
  });
  expect(code).toBe(1);
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { level: 'error', message: 'run failed', reason: expect.stringContaining('/nowhere/kubeconfig') as string },
  ]);
});
