import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { ReadinessProbe } from '../../lib/runtime/readiness-probe';

const clock = {
  now: () => performance.now(),
  random: () => 0.5,
  after: (milliseconds: number, callback: () => void) => {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};

let server: Server;
let statuses: (number | 'silence')[];
let port: number;
beforeEach(async () => {
  server = createServer((_, response) => {
    const status = (statuses.length > 1 ? statuses.shift() : statuses[0]) ?? 200;
    if (status !== 'silence') response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Collects the given number of results. */
function verdicts(count: number, answers: (number | 'silence')[]): Promise<readonly (readonly [boolean, string])[]> {
  statuses = answers;
  const seen: (readonly [boolean, string])[] = [];
  return new Promise((resolve) => {
    const options = { address: '127.0.0.1', port, path: '/healthz', period: 40, readyAfter: 2, unreadyAfter: 3, clock };
    const watch = new ReadinessProbe(options, (isReady, reason) => {
      seen.push([isReady, reason]);
      if (seen.length < count) return;
      watch.stop();
      resolve(seen);
    });
    watch.start();
  });
}

test('an app is ready after the success threshold, and unready after the failure threshold', async () => {
  expect(await verdicts(3, [200, 503, 200, 200, 503, 503, 200, 503, 503, 503, 200])).toEqual([
    [true, 'check succeeded'],
    [false, 'status 503'],
    [true, 'check succeeded'],
  ]);
  expect(statuses).toEqual([200]);
});

test('a redirect is a success and is not followed, as in the kubelet', async () => {
  expect(await verdicts(1, [302])).toEqual([[true, 'check succeeded']]);
});

test('an app that accepts a connection and never responds is not ready', async () => {
  expect(await verdicts(1, ['silence'])).toEqual([[false, 'no response in time']]);
});

test('a closed port is not ready', async () => {
  server.close();
  expect(await verdicts(1, [200])).toEqual([[false, 'ECONNREFUSED']]);
});
