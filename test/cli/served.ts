import { type Io } from '../../lib/cli/io/io';
import { type Clock } from '../../lib/process';
import { ContractServer, token } from '../contract/contract-server';
import { pinion, type Ended } from './terminal';

/**
 * Pauses are twenty times as short as they say; the time that an answer may take is left alone, for a machine that is
 * busy is slow enough by itself.
 */
const start = performance.now();
export const quickClock: Clock = {
  now: () => Date.UTC(2026, 10, 21, 14) + (performance.now() - start) * 20,
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds < 30_000 ? milliseconds / 20 : milliseconds);
    return () => clearTimeout(timer);
  },
  random: () => 0.5,
};

/** The service of the running test. */
export let service: ContractServer;
let said: Ended[];
beforeEach(async () => {
  said = [];
  service = await new ContractServer().start();
});
afterEach(async () => {
  await service.stop();
  expect(service.faults).toEqual([]);
  // Whatever a test is about: the token is told to nobody.
  expect(JSON.stringify(said)).not.toContain(token);
});

/** Variables of the environment, undefined where one is to be absent. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Runs a command line that finds the service and its token in the environment. */
export async function asked(
  argv: readonly string[],
  { environment = {}, stdin = '', ...over }: { environment?: Environment; stdin?: string } & Partial<Io> = {},
): Promise<Ended> {
  const system = {
    environment: { PINION_SERVER: service.url, PINION_TOKEN: token, ...environment },
    clock: quickClock,
  };
  const ended = await pinion(argv, stdin, { system, ...over });
  said.push(ended);
  return ended;
}

/** A terminal with a person at it. */
export const attended: Partial<Io> = { terminal: { out: true, err: true } };
