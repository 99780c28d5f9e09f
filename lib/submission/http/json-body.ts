import { Refusal } from '../refusal';

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The value of a JSON text; undefined for an empty one. Throws a `Refusal` of status 400 where it is none. */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw unreadable('is not UTF-8');
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    // The rest of the message shows a piece of the text.
    const [, line, column] = /\(line (\d+) column (\d+)\)$/.exec(error instanceof Error ? error.message : '') ?? [];
    throw unreadable(line === undefined ? 'is not JSON' : `is not JSON at line ${line}, column ${column}`);
  }
}

const unreadable = (reason: string): Refusal =>
  new Refusal(400, {
    title: 'Bad Request',
    detail: 'The body cannot be read.',
    problems: [{ code: 'unreadable', path: [], reason, remedy: 'send one JSON object in UTF-8' }],
  });
