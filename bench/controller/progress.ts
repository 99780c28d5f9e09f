/** Prints progress on one terminal line that the next call overwrites. Prints nothing if stderr is not a terminal. */
export function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}

/** Prints a result permanently. */
export function printLine(line: string): void {
  progress('');
  console.log(line);
}
