/** Says on a terminal what is going on, in one line that the next one replaces; silent where nobody watches. */
export function progress(what: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${what}`);
}

/** Says a figure that stays. */
export function say(line: string): void {
  progress('');
  console.log(line);
}
