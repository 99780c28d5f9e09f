/** Prints progress in a single line of a terminal that the next one replaces; silent otherwise. */
export function progress(what: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${what}`);
}

/** Prints a result permanently. */
export function say(line: string): void {
  progress('');
  console.log(line);
}
