import { ProblemResponse } from '../problem-response';

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Parses a JSON body; undefined if empty. Throws a `ProblemResponse` with status 400 if invalid. */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw invalidBody('must be UTF-8');
  }
  try {
    return JSON.parse(text);
  } catch {
    // The error message contains a part of the body.
    throw invalidBody('must be JSON');
  }
}

const invalidBody = (reason: string): ProblemResponse =>
  new ProblemResponse(400, {
    title: 'Bad Request',
    detail: 'The body is invalid.',
    problems: [{ code: 'parse-error', path: [], reason, remedy: 'send one JSON object in UTF-8' }],
  });
