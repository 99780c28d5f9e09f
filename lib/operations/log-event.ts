/** Logs an event: a constant message and structured fields. */
export type LogEvent = (level: 'info' | 'warn', message: string, fields: Readonly<Record<string, unknown>>) => void;
