import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent, get } from 'node:https';
import { pipeline, Readable } from 'node:stream';
import { connect, type TLSSocket } from 'node:tls';
import { GatewayListener } from '../../../lib/gateway/server/gateway-listener';
import { TestAuthority } from '../../kube/certificates';

const authority = new TestAuthority();
const onUpgrade = (): Promise<void> => Promise.resolve();

let listener: GatewayListener;
let agent: Agent;
let respond: (request: IncomingMessage, response: ServerResponse) => void;
const errors: unknown[] = [];
beforeEach(async () => {
  errors.length = 0;
  respond = (_, response) => void response.end('ok');
  agent = new Agent({ ca: authority.certificate, keepAlive: true, maxSockets: 1 });
  listener = await GatewayListener.start({
    tls: authority.certify('localhost'),
    port: 0,
    handler: { onRequest: async (request, response) => respond(request, response), onUpgrade },
    onError: (error) => errors.push(error),
  });
});
afterEach(async () => {
  agent.destroy();
  await listener.stop();
});

/** Sends a request; resolves with its response, whose body is yet to come. */
const send = (headers: Readonly<Record<string, string>> = {}): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get({ port: listener.port, host: 'localhost', agent, headers }, resolve).once('error', reject);
  });
const whole = async (response: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const part of response) text += String(part);
  return text;
};
const serialOf = async (): Promise<string> => {
  const socket: TLSSocket = connect({ port: listener.port, host: 'localhost', ca: authority.certificate });
  await once(socket, 'secureConnect');
  const { serialNumber } = socket.getPeerCertificate();
  socket.destroy();
  return serialNumber;
};

test('the token of a user in hundreds of groups is not too long', async () => {
  respond = ({ headers }, response) => void response.end(String(headers.authorization?.length));
  const statusOf = async (length: number): Promise<unknown> => {
    const response = await send({ authorization: 'x'.repeat(length) });
    return [response.statusCode, await whole(response)];
  };
  expect(await statusOf(60_000)).toEqual([200, '60000']);
  expect(await statusOf(70_000)).toEqual([431, '']);
});

test('new connections see a certificate that was replaced, and open ones go on', async () => {
  const { socket } = await send().then(async (response) => ({ socket: response.socket, text: await whole(response) }));
  const before = await serialOf();
  listener.setCertificate(authority.certify('localhost'));
  expect(await serialOf()).not.toBe(before);
  const second = await send();
  expect(second.socket).toBe(socket);
  expect(await whole(second)).toBe('ok');
});

test('a key that is not that of the certificate is rejected, and the one before stays', async () => {
  const before = await serialOf();
  const [one, other] = [authority.certify('localhost'), authority.certify('localhost')];
  expect(() => listener.setCertificate({ ...one, key: other.key })).toThrow('key values mismatch');
  expect(await serialOf()).toBe(before);
});

test('a closed port ends each connection after its response, and takes no other', async () => {
  let finish = (): void => undefined;
  respond = (_, response) => {
    response.write('first ');
    finish = () => void response.end('last');
  };
  const response = await send();
  const ended = once(response.socket, 'close');
  listener.closePort();
  await expect(serialOf()).rejects.toThrow('ECONNREFUSED');
  finish();
  expect(await whole(response)).toBe('first last');
  await ended;
  // No connection is left, so that the port closes by itself, and again on request.
  await listener.stop();
});

test('a response that begins after the port is closed says that its connection ends', async () => {
  respond = (_, response) => {
    listener.closePort();
    void response.end('ok');
  };
  const response = await send();
  expect(response.headers.connection).toBe('close');
  expect(await whole(response)).toBe('ok');
});

test('a request that fails is reported, and its connection ends', async () => {
  respond = () => {
    throw new Error('broken');
  };
  await expect(send()).rejects.toThrow('socket hang up');
  expect(errors).toEqual([new Error('broken')]);
});

test('a response has room for the listeners of a request that is passed on', async () => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error): number => warnings.push(warning);
  process.on('warning', onWarning);
  respond = (_, response) => {
    for (let index = 0; index < 4; index++) response.once('close', () => undefined);
    pipeline(Readable.from(['ok']), response, () => undefined);
  };
  expect(await whole(await send())).toBe('ok');
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
});

test('without TLS there is no certificate to replace', async () => {
  const plain = await GatewayListener.start({
    port: 0,
    handler: { onRequest: () => Promise.resolve(), onUpgrade },
    onError: () => undefined,
  });
  expect(() => plain.setCertificate(authority.certify('localhost'))).toThrow('gateway: tls: is not set');
  await plain.stop();
});
