/** Facts of a line; never a header, a token or a spec. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** Structured log: a constant message, and facts by name. */
export interface Log {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** A log of one JSON object a line. */
export function jsonLog(write: (line: string) => void, now: () => number): Log {
  const at =
    (level: string) =>
    (message: string, fields: LogFields = {}): void =>
      write(`${JSON.stringify({ time: new Date(now()).toISOString(), level, message, ...fields })}\n`);
  return { info: at('info'), warn: at('warn'), error: at('error') };
}

/** What an error says, without its stack. */
export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));
