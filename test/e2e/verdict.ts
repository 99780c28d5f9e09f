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
    causesOf(answer)[0]?.field ??
    // A value that its type cannot hold fails while the document is read.
    /: (?:.*\.)?((?:spec|metadata)[\w.[\]]*): /.exec(message)?.[1]
  );
}

/** True where the field that the server names is the place of a problem, or lies around it. */
export function isAround(field: string, problems: readonly Problem[]): boolean {
  const around = stepsOf(field);
  return problems.some(({ path }) => {
    const place = stepsOf(path.join('.'));
    return around.every((step, index) => step === place[index]);
  });
}

/** `spec.roles[worker].env[0]` and `spec.roles.worker.env.0` are one place. */
const stepsOf = (field: string): readonly string[] => field.split(/[.[\]"']+/).filter((step) => step !== '');
