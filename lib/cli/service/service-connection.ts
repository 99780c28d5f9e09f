import { RequestFailed, ServiceClient, ServiceUnreachable } from '../../contract';
import { type ExitCode } from '../command/exit-codes';
import { UnavailableError, type Io } from '../io/io';
import { ownVersion } from '../io/own-version';
import { isJson, type ServiceOptions } from './service-options';
import { printFailure } from './print-failure';
import { StatusLines } from './status-lines';
import { tokenSource } from './token-source';
import { type Clock } from '../../process';

/** A connection to the submission service. */
export interface Service {
  readonly client: ServiceClient;
  readonly clock: Clock;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Progress lines. */
  readonly lines: StatusLines;
  readonly io: Io;
  readonly isJson: boolean;
}

/** Runs `action` with a connection to the service and prints rejections. Throws an `UnavailableError` if the service does not respond. */
export async function withService(
  options: ServiceOptions,
  io: Io,
  action: (service: Service) => Promise<ExitCode>,
): Promise<ExitCode> {
  if (!io.system) throw new UnavailableError('cannot connect to the service from here');
  const { clock, environment } = io.system;
  const lines = new StatusLines(io);
  const client = new ServiceClient({
    server: options.server,
    token: tokenSource(options, io),
    fetch: (input, init) => fetch(input, init),
    clock,
    userAgent: `pinion-cli/${ownVersion()}`,
    onRetry: (error, milliseconds) => {
      // A stream that resumes at once is not worth a line.
      if (milliseconds >= 1000) lines.say(`${error.message}; retrying in ${Math.round(milliseconds / 1000)} s`);
    },
  });
  try {
    return await action({ client, clock, environment, lines, io, isJson: isJson(options) });
  } catch (error) {
    lines.end();
    if (error instanceof RequestFailed) return await printFailure(error, isJson(options), io);
    if (error instanceof ServiceUnreachable) throw new UnavailableError(error.message, { cause: error });
    throw error;
  } finally {
    lines.end();
  }
}
