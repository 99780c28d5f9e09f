import { joinAlternatives } from '../../command/parse-option-value';
import { type Io } from '../../io/io';

/** A choice that the user may be asked for. */
export interface Question {
  readonly label: string;
  /** Value of the flag. */
  readonly given: string | undefined;
  readonly preset: string;
  /** Allowed answers. @default - any */
  readonly choices?: readonly string[];
}

/** Returns the given value; without one, the answer on a terminal, else the preset. */
export async function answerTo({ label, given, preset, choices }: Question, io: Io, asks: boolean): Promise<string> {
  if (given !== undefined) return given;
  if (!asks || !io.ask) return preset;
  for (;;) {
    const alternatives = choices ? ` (${joinAlternatives(choices)})` : '';
    const answer = (await io.ask(`${label}${alternatives} [${preset}]: `))?.trim();
    if (answer === undefined || answer === '') return preset;
    if (!choices || choices.includes(answer)) return answer;
    io.writeError(`${JSON.stringify(answer)} is not one of them\n`);
  }
}
