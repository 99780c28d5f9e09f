/** How much is said; each level says what the ones before it say. */
export const logLevels = ['error', 'warn', 'info', 'debug'] as const;

/** One of the levels. */
export type LogLevel = (typeof logLevels)[number];

/** Says one thing: a constant message, and facts by name. */
export type Log = (level: LogLevel, message: string, facts?: Readonly<Record<string, unknown>>) => void;

/** A log that writes one JSON object a line, and leaves out what lies below its level. */
export function jsonLog(level: LogLevel, now: () => number, write: (line: string) => void): Log {
  const threshold = logLevels.indexOf(level);
  return (at, message, facts = {}) => {
    if (logLevels.indexOf(at) > threshold) return;
    write(`${JSON.stringify({ time: new Date(now()).toISOString(), level: at, message, ...facts })}\n`);
  };
}
