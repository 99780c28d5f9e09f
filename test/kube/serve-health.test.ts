import { request } from 'node:http';
import { type AddressInfo } from 'node:net';
import { serveHealth } from '../../lib/kube';

interface HealthState {
  unhealthyReason?: string;
  notReadyReason?: string;
}

/** Starts a health server with the given state, and queries it. */
async function healthOf(state: HealthState, metrics: () => Promise<string> = () => Promise.resolve('up 1\n')) {
  const server = await serveHealth(0, '127.0.0.1', {
    unhealthyReason: () => state.unhealthyReason,
    notReadyReason: () => state.notReadyReason,
    metrics,
  });
  const { port } = server.address() as AddressInfo;
  const ask = (path: string, method = 'GET') =>
    new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path, method, agent: false }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.once('end', () => resolve({ status: answer.statusCode, text }));
      });
      sent.once('error', reject).end();
    });
  return { ask, close: () => new Promise((resolve) => server.close(resolve)) };
}

describe('the health server', () => {
  it('reports why the process is unhealthy or not ready, and ok otherwise', async () => {
    const state: HealthState = { notReadyReason: 'caches are not synced yet' };
    const { ask, close } = await healthOf(state);
    expect(await ask('/livez')).toEqual({ status: 200, text: 'ok\n' });
    expect(await ask('/readyz')).toEqual({ status: 503, text: 'caches are not synced yet\n' });
    delete state.notReadyReason;
    state.unhealthyReason = 'a reconcile hangs';
    expect(await ask('/readyz?verbose')).toEqual({ status: 200, text: 'ok\n' });
    expect(await ask('/livez')).toEqual({ status: 503, text: 'a reconcile hangs\n' });
    await close();
  });

  it('serves metrics, survives metrics that fail, and is read-only', async () => {
    let broken = false;
    const metrics = () => (broken ? Promise.reject(new Error('broken')) : Promise.resolve('up 1\n'));
    const { ask, close } = await healthOf({}, metrics);
    expect(await ask('/metrics')).toEqual({ status: 200, text: 'up 1\n' });
    broken = true;
    expect(await ask('/metrics')).toMatchObject({ status: 500 });
    expect(await ask('/livez', 'POST')).toMatchObject({ status: 405 });
    expect(await ask('/')).toMatchObject({ status: 404 });
    await close();
  });
});
