import { type IncomingMessage } from 'node:http';
import {
  RequestAuthenticator,
  type RequestAuthenticatorOptions,
} from '../../../lib/gateway/server/request-authenticator';

test('a request whose connection was reset is not one of a known client', async () => {
  const addresses: unknown[] = [];
  const tokens = { review: (_: string, address: string) => (addresses.push(address), Promise.resolve(undefined)) };
  const authenticator = new RequestAuthenticator({
    tokens,
    metrics: { countReview: () => undefined },
  } as unknown as RequestAuthenticatorOptions);
  // Node has no remote address of a socket that its peer has reset.
  const request = { url: '/api', headers: { authorization: 'Bearer a.b.c' }, socket: {} } as IncomingMessage;
  expect(await authenticator.authenticate(request)).toMatchObject({ code: 401 });
  expect(addresses).toEqual(['unknown']);
});
