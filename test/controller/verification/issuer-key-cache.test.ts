import { IssuerUnreachable, type IssuerKey } from '../../../lib/artifact';
import { IssuerKeyCache } from '../../../lib/controller/verification/issuer-key-cache';
import { ManualClock } from '../../kube/manual-clock';

const issuer = 'https://ci.example.com';
const key = (kid: string): IssuerKey => ({ kty: 'RSA', kid });

/** A cache of an issuer that responds when the test says so. */
function slowIssuer() {
  const clock = new ManualClock();
  const responses: ((result: readonly IssuerKey[] | Error) => void)[] = [];
  const cache = new IssuerKeyCache(
    clock,
    () =>
      new Promise((resolve, reject) =>
        responses.push((result) => (result instanceof Error ? reject(result) : resolve(result))),
      ),
  );
  const respond = (result: readonly IssuerKey[] | Error): void => responses.at(-1)?.(result);
  return { clock, cache, responses, respond };
}

const outcome = (keys: Promise<readonly IssuerKey[]>): Promise<unknown> =>
  keys.then(
    (found) => found.map(({ kid }) => kid),
    (error: Error) => `${error.name}: ${error.message}`,
  );

test('concurrent callers share one request, and its keys are used for a minute', async () => {
  const { clock, cache, responses, respond } = slowIssuer();
  const both = Promise.all([outcome(cache.of(issuer)), outcome(cache.of(issuer))]);
  respond([key('one')]);
  expect(await both).toEqual([['one'], ['one']]);
  await clock.advance(59_000);
  expect(await outcome(cache.of(issuer))).toEqual(['one']);
  expect(responses).toHaveLength(1);
  await clock.advance(1_000);
  const renewed = outcome(cache.of(issuer));
  respond([key('two')]);
  expect(await renewed).toEqual(['two']);
  expect(clock.pending).toBe(0);
});

test('nobody waits longer than a second for an issuer, and later callers do not wait at all', async () => {
  const { clock, cache, responses, respond } = slowIssuer();
  const waiting = outcome(cache.of(issuer));
  await clock.advance(1_000);
  expect(await waiting).toBe(`IssuerUnreachable: ${issuer} has not sent its keys yet`);
  expect(await outcome(cache.of(issuer))).toBe(`IssuerUnreachable: ${issuer} has not sent its keys yet`);
  expect(responses).toHaveLength(1);
  respond([key('one')]);
  await clock.advance(0);
  expect(await outcome(cache.of(issuer))).toEqual(['one']);
});

test('keys are used during an outage for an hour, and the issuer is asked once a minute', async () => {
  const { clock, cache, responses, respond } = slowIssuer();
  const first = outcome(cache.of(issuer));
  respond([key('one')]);
  await first;
  for (let minute = 1; minute < 60; minute++) {
    await clock.advance(60_000);
    const during = outcome(cache.of(issuer));
    respond(new IssuerUnreachable('no response'));
    expect(await during).toEqual(['one']);
  }
  expect(responses).toHaveLength(60);
  await clock.advance(60_000);
  const after = outcome(cache.of(issuer));
  respond(new IssuerUnreachable('no response'));
  expect(await after).toBe('IssuerUnreachable: no response');
});

test('an issuer that fails in another way counts as unreachable', async () => {
  const { cache, respond } = slowIssuer();
  const keys = outcome(cache.of(issuer));
  respond(new TypeError('secret detail'));
  expect(await keys).toBe(`IssuerUnreachable: ${issuer} does not respond`);
});
