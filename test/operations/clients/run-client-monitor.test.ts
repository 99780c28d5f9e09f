import { type AddressInfo, createServer } from 'node:net';
import { type ClientMonitorProcess, runClientMonitor } from '../../../lib/operations/clients/run-client-monitor';
import { listen } from '../../../lib/process';
import { ManualClock } from '../../kube/manual-clock';

test('a monitor whose status port is taken leaves no port open', async () => {
  const [taken, probe] = [createServer(), createServer()];
  const portOf = (server: typeof taken): number => (server.address() as AddressInfo).port;
  await listen(taken, 0, '127.0.0.1');
  await listen(probe, 0, '127.0.0.1');
  const events = { host: '127.0.0.1', port: portOf(probe) };
  await new Promise((done) => probe.close(done));
  const running = runClientMonitor({ events, status: { host: '127.0.0.1', port: portOf(taken) }, logLevel: 'info' }, {
    apiServer: { server: 'http://127.0.0.1:1', namespace: 'default', credential: () => Promise.resolve({}) },
    clock: new ManualClock(),
    stop: new AbortController().signal,
  } as Partial<ClientMonitorProcess> as ClientMonitorProcess);
  await expect(running).rejects.toThrow('EADDRINUSE');
  const again = createServer();
  await listen(again, events.port, '127.0.0.1');
  for (const server of [again, taken]) await new Promise((done) => server.close(done));
});
