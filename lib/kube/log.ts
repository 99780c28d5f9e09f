/** Facts of a log line; never a header, a token or a spec, for what people write there may be secret. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** Structured log: a constant message and key-value pairs. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

const levels = ['debug', 'info', 'warn', 'error'] as const;

/** How much a log says. */
export type LogLevel = (typeof levels)[number];

/** Whether a text names a level. */
export const isLogLevel = (text: string): text is LogLevel => levels.some((level) => level === text);

/** A log of one JSON object a line, of what is at least of a level. */
export function jsonLog(write: (line: string) => void, now: () => number, least: LogLevel = 'info'): Log {
  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}) => {
      if (levels.indexOf(level) < levels.indexOf(least)) return;
      write(`${JSON.stringify({ time: new Date(now()).toISOString(), level, message, ...fields })}\n`);
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** What an error says, with those of its causes that say more than it does. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : errorText(error.cause);
  return error.message.includes(cause) ? error.message : `${error.message}: ${cause}`;
}
