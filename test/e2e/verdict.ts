import { type Problem } from '../../lib/api';
import { type Answer, causesOf, messageOf } from '../control-plane/answer';

/** True where the server took a document. */
export const taken = ({ status }: Answer): boolean => status === 200 || status === 201;

/** What the server has against a document; undefined where it took it. */
export const refusalOf = (answer: Answer): string | undefined => (taken(answer) ? undefined : messageOf(answer));

/** The field that the server names first; undefined where it took the document or names none. */
export function firstField(answer: Answer): string | undefined {
  if (taken(answer)) return undefined;
  const message = messageOf(answer);
  return (
    /(?:unknown|duplicate) field "([^"]+)"/.exec(message)?.[1] ??
    // A number that its format cannot hold is refused without a cause.
    /with format \w+ in (spec[^\s",]*)/.exec(message)?.[1] ??
    causesOf(answer)[0]?.field
  );
}

/** True where the field that the server names is the place of a problem, or lies around it. */
export function isAround(field: string, problems: readonly Problem[]): boolean {
  const theirs = stepsOf(field);
  return problems.some(({ path }) => {
    const ours = stepsOf(path.join('.'));
    return theirs.every((step, index) => step === ours[index]);
  });
}

/** True where the field that the server names lies within the place of a problem: below a key that is wrong itself. */
export function isWithin(field: string, problems: readonly Problem[]): boolean {
  const theirs = stepsOf(field);
  return problems.some(({ path }) => stepsOf(path.join('.')).every((step, index) => step === theirs[index]));
}

/** `spec.roles[worker].env[0]` and `spec.roles.worker.env.0` are one place. */
const stepsOf = (field: string): readonly string[] => field.split(/[.[\]"']+/).filter((step) => step !== '');
