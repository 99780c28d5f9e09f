import { type Io } from '../../lib/cli/io/io';
import { type Clock } from '../../lib/process';
import { ContractServer, token } from '../contract/contract-server';
import { pinion, type Ended } from './terminal';

/**
 * Pauses are a twentieth of their length; response timeouts are not shortened, because a busy machine is slow enough
 * by itself.
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
  // No output of any test may contain the token.
  expect(JSON.stringify(said)).not.toContain(token);
});

/** Environment variables; undefined removes one. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Runs a command line with the service and its token in the environment. */
export async function runWithService(
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

/** Input and output of an interactive terminal. */
export const atTerminal: Partial<Io> = { terminal: { out: true, err: true } };
