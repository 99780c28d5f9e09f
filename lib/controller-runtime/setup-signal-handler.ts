/** Returns a signal that is aborted by SIGTERM or SIGINT; a second one ends the process at once, with exit code 1. */
export function setupSignalHandler(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      if (stop.signal.aborted) process.exit(1);
      stop.abort();
    });
  return stop.signal;
}
