/** Says one thing to who operates the program: a constant message, and facts by name. */
export type LogEvent = (level: 'info' | 'warn', message: string, facts: Readonly<Record<string, unknown>>) => void;
