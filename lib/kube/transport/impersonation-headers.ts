import { type OutgoingHttpHeaders } from 'node:http';
import { type Impersonation } from '../config/connection-settings';

/**
 * Returns why an identity cannot be impersonated; undefined if it can. Headers lose outer whitespace, which would make one
 * name into another, and cannot hold control characters.
 */
export function impersonationError({ user, uid = '', groups = [], extra = {} }: Impersonation): string | undefined {
  const fields: readonly (readonly [field: string, value: string])[] = [
    ['user', user],
    ['uid', uid],
    ...groups.map((group) => ['group', group] as const),
    ...Object.entries(extra).flatMap(([key, values]) => values.map((value) => [`extra ${key}`, value] as const)),
  ];
  const [field, value] = fields.find(([, text]) => !isHeaderValue(text)) ?? [];
  if (field === undefined) return undefined;
  return `${field} ${JSON.stringify(value)} cannot be impersonated: it begins or ends with whitespace, or has control characters; send this request to the API server`;
}

/** Returns the headers that impersonate an identity. Throws for one that cannot be impersonated. */
export function impersonationHeaders(identity: Impersonation): OutgoingHttpHeaders {
  const error = impersonationError(identity);
  if (error !== undefined) throw new Error(error);
  const { user, uid, groups = [], extra = {} } = identity;
  return {
    'impersonate-user': encodedValue(user),
    ...(uid !== undefined && { 'impersonate-uid': encodedValue(uid) }),
    ...(groups.length > 0 && { 'impersonate-group': groups.map(encodedValue) }),
    ...Object.fromEntries(
      Object.entries(extra).map(([key, values]) => [`impersonate-extra-${encodedKey(key)}`, values.map(encodedValue)]),
    ),
  };
}

const isHeaderValue = (text: string): boolean =>
  text === text.trim() && ![...text].some((character) => character < ' ' || character === '\u007f');

/** Node.js sends characters of headers as bytes; the API server reads bytes as UTF-8. */
const encodedValue = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** Percent-encodes all but the characters of a token, and uppercase letters, which the API server would lower. */
const encodedKey = (key: string): string =>
  encodedValue(key).replace(
    /[^a-z0-9!#$&'*+.^_`|~-]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
