import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { whenNext } from '../../../lib/gateway/server/when-next';

let server: Server;
let client: Socket;
/** Responses that wait for their turn, in the order of their requests. */
let responses: ServerResponse[];
let outcomes: boolean[];

beforeEach(async () => {
  [responses, outcomes] = [[], []];
  const [received, ended] = [responses, outcomes];
  server = createServer((request, response) => {
    received.push(response);
    if (response.socket === null) void whenNext(request, response).then((isNext) => ended.push(isNext));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => undefined).resume();
  await once(client, 'connect');
});
afterEach(async () => {
  client.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const send = (count: number): boolean => client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(count));
const until = async (condition: () => boolean): Promise<void> => {
  for (let tries = 0; !condition() && tries < 300; tries++) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(condition()).toBe(true);
};

test('requests of one connection wait for each other, sixteen at a time', async () => {
  send(17);
  await until(() => responses.length === 17);
  expect(outcomes).toEqual([]);
  for (let index = 0; index < 17; index++) {
    responses[index]?.end();
    await until(() => outcomes.length === Math.min(16, index + 1));
  }
  expect(outcomes).toEqual(Array.from({ length: 16 }, () => true));
  send(17);
  await until(() => responses.length === 34);
  expect(client.closed).toBe(false);
});

test('a connection with more requests that wait is closed, and none of them is answered', async () => {
  const closed = once(client, 'close');
  send(18);
  await closed;
  await until(() => outcomes.length === 17);
  expect(outcomes).toEqual(Array.from({ length: 17 }, () => false));
});

test('requests that wait end with their connection', async () => {
  send(3);
  await until(() => responses.length === 3);
  client.destroy();
  await until(() => outcomes.length === 2);
  expect(outcomes).toEqual([false, false]);
});
