import { type Io } from './io';

/** Asks on the terminal; anything but yes is no. */
export async function confirm(question: string, io: Io): Promise<boolean> {
  io.writeError(`${question} [y/N] `);
  const answer = Buffer.from(await io.readStdin(0)).toString();
  return /^y(es)?$/i.test(answer.trim());
}
