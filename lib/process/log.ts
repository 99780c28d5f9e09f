/** Values of a log entry; never headers, tokens or specs, which can contain secrets. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** Structured log: a constant message and key-value pairs. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** Log levels, from the most to the least verbose. */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const;

/** Log level. */
export type LogLevel = (typeof logLevels)[number];

/** Returns whether a string is a log level. */
export const isLogLevel = (text: string): text is LogLevel => logLevels.some((level) => level === text);

/** Creates a log that writes one JSON object per line and drops entries below `minLevel`. */
export function jsonLog(write: (line: string) => void, now: () => number, minLevel: LogLevel = 'info'): Log {
  const writeAt =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}) => {
      if (logLevels.indexOf(level) < logLevels.indexOf(minLevel)) return;
      write(`${JSON.stringify({ time: new Date(now()).toISOString(), level, message, ...fields })}\n`);
    };
  return { debug: writeAt('debug'), info: writeAt('info'), warn: writeAt('warn'), error: writeAt('error') };
}
