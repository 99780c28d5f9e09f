import { type Problem } from '../../lib/api';
import { type ApiResponse, causesOf, messageOf } from '../control-plane/api-response';

/** Returns whether the server accepted a manifest. */
export const isAccepted = ({ status }: ApiResponse): boolean => status === 200 || status === 201;

/** Returns the error of the server about a manifest; undefined if it was accepted. */
export const rejectionOf = (response: ApiResponse): string | undefined =>
  isAccepted(response) ? undefined : messageOf(response);

/** Returns the first field that the server names; undefined if it accepted the manifest or names none. */
export function firstField(response: ApiResponse): string | undefined {
  if (isAccepted(response)) return undefined;
  const message = messageOf(response);
  return (
    /(?:unknown|duplicate) field "([^"]+)"/.exec(message)?.[1] ??
    // A number beyond its format is rejected without a cause.
    /with format \w+ in (spec[^\s",]*)/.exec(message)?.[1] ??
    causesOf(response)[0]?.field
  );
}

/** Returns whether the field that the server names is the path of a problem, or a parent of it. */
export function isProblemBelow(field: string, problems: readonly Problem[]): boolean {
  const serverPath = stepsOf(field);
  return problems.some(({ path }) => {
    const problemPath = stepsOf(path.join('.'));
    return serverPath.every((step, index) => step === problemPath[index]);
  });
}

/** Returns whether the field that the server names is the path of a problem, or under it. */
export function isProblemAbove(field: string, problems: readonly Problem[]): boolean {
  const serverPath = stepsOf(field);
  return problems.some(({ path }) => stepsOf(path.join('.')).every((step, index) => step === serverPath[index]));
}

/** Splits a path: `spec.roles[worker].env[0]` equals `spec.roles.worker.env.0`. */
const stepsOf = (field: string): readonly string[] => field.split(/[.[\]"']+/).filter((step) => step !== '');
