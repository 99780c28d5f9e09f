import { type Io } from '../../lib/cli/io/io';
import { type Clock } from '../../lib/process';
import { ContractServer, token } from '../contract/contract-server';
import { pinion, type CommandResult } from './terminal';

/**
 * Shortens pauses to a twentieth. Response timeouts are not shortened, because a busy machine would exceed them.
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
let results: CommandResult[];
beforeEach(async () => {
  results = [];
  service = await new ContractServer().start();
});
afterEach(async () => {
  await service.stop();
  expect(service.errors).toEqual([]);
  // No output of any test may contain the token.
  expect(JSON.stringify(results)).not.toContain(token);
});

/** Environment variables; undefined removes one. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Runs a command line with the service and its token in the environment. */
export async function runWithService(
  argv: readonly string[],
  { environment = {}, stdin = '', ...over }: { environment?: Environment; stdin?: string } & Partial<Io> = {},
): Promise<CommandResult> {
  const system = {
    environment: { PINION_SERVER: service.url, PINION_TOKEN: token, ...environment },
    clock: quickClock,
  };
  const result = await pinion(argv, stdin, { system, ...over });
  results.push(result);
  return result;
}

/** Input and output of an interactive terminal. */
export const atTerminal: Partial<Io> = { terminal: { out: true, err: true } };
