import { errorText, jsonLog } from '../../lib/kube';

describe('the structured log', () => {
  const lines: string[] = [];
  const log = jsonLog(
    (line) => lines.push(line),
    () => Date.UTC(2026, 0, 2),
    'info',
  );

  it('writes one JSON object per line, and nothing below its level', () => {
    log.debug('dropped');
    log.info('applied', { kind: 'Service', name: 'cart', namespace: undefined });
    expect(lines).toEqual([
      '{"time":"2026-01-02T00:00:00.000Z","level":"info","message":"applied","kind":"Service","name":"cart"}\n',
    ]);
  });

  it('formats an error with its causes', () => {
    expect(errorText(new Error('reconcile failed', { cause: new Error('timeout') }))).toBe('reconcile failed: timeout');
    const cause = new Error('timeout');
    expect(errorText(new Error('main: timeout', { cause }))).toBe('main: timeout');
    expect(errorText('plain')).toBe('plain');
  });
});
