import { type Io } from './io';

/** Prompts on the terminal; any answer other than yes is a no. */
export async function confirm(question: string, io: Io): Promise<boolean> {
  io.writeError(`${question} [y/N] `);
  const answer = Buffer.from(await io.readStdin(0)).toString();
  return /^y(es)?$/i.test(answer.trim());
}
