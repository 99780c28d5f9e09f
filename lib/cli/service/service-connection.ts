import { RequestFailed, ServiceClient, ServiceUnreachable } from '../../contract';
import { UsageError } from '../command/arguments';
import { type ExitCode } from '../command/exit-codes';
import { UnavailableError, type Io } from '../io/io';
import { ownVersion } from '../io/own-version';
import { isJson, type ServiceArguments } from './service-options';
import { printFailure } from './failure';
import { StatusLines } from './status-lines';
import { tokenSource } from './token-source';
import { type Clock } from '../../process';

/** A service that is spoken to. */
export interface Service {
  readonly client: ServiceClient;
  readonly clock: Clock;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What is said while something goes on. */
  readonly lines: StatusLines;
  readonly io: Io;
  readonly isJson: boolean;
}

/** Does something with the service that is meant, and says what it refuses; what keeps it from an answer is thrown as `Inaccessible`. */
export async function withService(
  given: ServiceArguments,
  io: Io,
  work: (service: Service) => Promise<ExitCode>,
): Promise<ExitCode> {
  if (!io.system) throw new UnavailableError('there is no way to the service from here');
  const { clock, environment } = io.system;
  const lines = new StatusLines(io);
  const client = new ServiceClient({
    server: serverOf(given.values.server ?? environment['PINION_SERVER']),
    token: tokenSource(given, io),
    fetch: (input, init) => fetch(input, init),
    clock,
    userAgent: `pinion-cli/${ownVersion()}`,
    onRetry: (error, milliseconds) => {
      // A stream that is taken up again at once is nobody's concern.
      if (milliseconds >= 1000) lines.say(`${error.message}; trying again in ${Math.round(milliseconds / 1000)} s`);
    },
  });
  try {
    return await work({ client, clock, environment, lines, io, isJson: isJson(given) });
  } catch (error) {
    lines.end();
    if (error instanceof RequestFailed) return await printFailure(error, isJson(given), io);
    if (error instanceof ServiceUnreachable) throw new UnavailableError(error.message, { cause: error });
    throw error;
  } finally {
    lines.end();
  }
}

/** The URL of the service as it is meant. What is wrong with it is said without the URL where that could hold a secret. */
function serverOf(text: string | undefined): string {
  if (text === undefined || text === '') throw new UsageError('which service? give --server URL, or set PINION_SERVER');
  if (!URL.canParse(text)) throw new UsageError('the URL of the service is none; write https://HOST');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new UsageError('the URL of the service holds more than a host and a path; write https://HOST');
  const isHere = /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isHere))
    throw new UsageError(`${text}: a token goes over https only, and over http to this machine alone`);
  return text;
}
