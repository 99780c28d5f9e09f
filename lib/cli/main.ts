#!/usr/bin/env node
import { isatty } from 'node:tty';
import { UnavailableError, OutputClosed, reasonOf, type Io } from './io/io';
import { runCommandLine } from './run';
import { systemClock } from '../process';

const cleanups = new Set<() => void | Promise<void>>();
const signals = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const;

let isStopping = false;
const stop = (signal: keyof typeof signals) => () => {
  const exit = (): never => process.exit(128 + signals[signal]);
  if (isStopping) exit();
  isStopping = true;
  const pending = [...cleanups].map((cleanup) => cleanup()).filter((promise) => promise !== undefined);
  if (pending.length === 0) exit();
  void Promise.allSettled(pending).then(exit);
};
const stopHandlers = Object.fromEntries(
  Object.keys(signals).map((signal) => [signal, stop(signal as keyof typeof signals)]),
);

async function readStdin(limit: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > limit) break;
  }
  return Buffer.concat(chunks);
}

const outputError = (error: Error & { code?: string }): Error =>
  error.code === 'EPIPE' ? new OutputClosed(error.message) : new UnavailableError(`standard output ${reasonOf(error)}`);

const write = (text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(outputError(error)) : resolve()));
  });

function onStop(cleanup: () => void | Promise<void>): () => void {
  if (cleanups.size === 0) for (const [signal, handler] of Object.entries(stopHandlers)) process.on(signal, handler);
  cleanups.add(cleanup);
  return () => {
    cleanups.delete(cleanup);
    if (cleanups.size === 0 && !isStopping)
      for (const [signal, handler] of Object.entries(stopHandlers)) process.off(signal, handler);
  };
}

/** The interface exists during a question only: otherwise it would keep the process running. */
async function ask(question: string): Promise<string | undefined> {
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)));
  lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    return await Promise.race([lines.question(question), closed]);
  } finally {
    lines.close();
  }
}

const io: Io = {
  cwd: process.cwd(),
  terminal: { out: process.stdout.isTTY === true, err: process.stderr.isTTY === true },
  color: !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb',
  readStdin,
  write,
  writeError: (text) => void process.stderr.write(text),
  ...(isatty(0) && isatty(2) && { ask }),
  now: () => performance.now(),
  yieldToEventLoop: () => new Promise((resolve) => setImmediate(resolve)),
  onStop,
  system: { environment: process.env, clock: systemClock },
};

// Each write already rejects its promise; without a listener the process would also exit with a stack trace.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

void runCommandLine(process.argv.slice(2), io).then((code) => {
  process.exitCode = code;
});
