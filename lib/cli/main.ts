#!/usr/bin/env node
import { UnavailableError, OutputClosed, reasonOf, type Io } from './io/io';
import { runCommandLine } from './run';
import { systemClock } from '../process';

const cleanups = new Set<() => void | Promise<void>>();
const signals = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const;

let isStopping = false;
const stop = (signal: keyof typeof signals) => () => {
  const end = (): never => process.exit(128 + signals[signal]);
  if (isStopping) end();
  isStopping = true;
  const pending = [...cleanups].map((cleanup) => cleanup()).filter((one) => one !== undefined);
  if (pending.length === 0) end();
  void Promise.allSettled(pending).then(end);
};
const stops = Object.fromEntries(Object.keys(signals).map((signal) => [signal, stop(signal as keyof typeof signals)]));

async function readStdin(limit: number): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of process.stdin as AsyncIterable<Buffer>) {
    pieces.push(piece);
    size += piece.length;
    if (size > limit) break;
  }
  return Buffer.concat(pieces);
}

const refusal = (error: Error & { code?: string }): Error =>
  error.code === 'EPIPE' ? new OutputClosed(error.message) : new UnavailableError(`standard output ${reasonOf(error)}`);

const write = (text: string): Promise<void> =>
  new Promise((done, fail) => {
    process.stdout.write(text, (error) => (error ? fail(refusal(error)) : done()));
  });

function onStop(cleanup: () => void | Promise<void>): () => void {
  if (cleanups.size === 0) for (const [signal, handler] of Object.entries(stops)) process.on(signal, handler);
  cleanups.add(cleanup);
  return () => {
    cleanups.delete(cleanup);
    if (cleanups.size === 0 && !isStopping)
      for (const [signal, handler] of Object.entries(stops)) process.off(signal, handler);
  };
}

const io: Io = {
  cwd: process.cwd(),
  terminal: { out: process.stdout.isTTY === true, err: process.stderr.isTTY === true },
  color: !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb',
  readStdin,
  write,
  writeError: (text) => void process.stderr.write(text),
  now: () => performance.now(),
  yieldToEventLoop: () => new Promise((done) => setImmediate(done)),
  onStop,
  system: { environment: process.env, clock: systemClock },
};

// The promise of each write rejects; without a listener the process would end with a stack trace.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

void runCommandLine(process.argv.slice(2), io).then((code) => {
  process.exitCode = code;
});
