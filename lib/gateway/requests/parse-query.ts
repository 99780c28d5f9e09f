import { type IncomingMessage } from 'node:http';

/** Query of a request. */
export interface RequestQuery {
  readonly parameters: URLSearchParams;
  /** Whether it was read completely; the API server ignores malformed parameters, so their meaning is left to it. */
  readonly isComplete: boolean;
}

/** Reads a query as the API server does: without parameters that have a semicolon or a malformed escape. */
export function parseQuery(text: string): RequestQuery {
  const parts = text.split('&').filter((part) => part !== '');
  const wellFormed = parts.filter((part) => !part.includes(';') && !/%(?![0-9A-Fa-f]{2})/.test(part));
  return { parameters: new URLSearchParams(wellFormed.join('&')), isComplete: wellFormed.length === parts.length };
}

/** Reads the query of a request. */
export const queryOf = ({ url = '' }: Pick<IncomingMessage, 'url'>): RequestQuery =>
  parseQuery(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '');
