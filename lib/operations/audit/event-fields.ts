import { entriesAt, isPlainObject, textAt } from '../../api';

/** Fields of an audit event or of an object in it. */
export type EventFields = Readonly<Record<string, unknown>>;

/** Returns a text field; empty if it is absent or another type. */
export const textField = (object: EventFields, name: string): string => {
  const value = object[name];
  return typeof value === 'string' ? value : '';
};

/** Returns an object field; empty if it is absent or another type. */
export const objectField = (object: EventFields, name: string): EventFields => {
  const value = object[name];
  return isPlainObject(value) ? value : {};
};

/** Returns the first characters of a text that a client chose, without control characters, to keep. */
export const boundedText = (text: string, maxLength: number): string =>
  // A part of a string keeps all of it in memory; a copy does not.
  Buffer.from(text.slice(0, maxLength)).toString().replace(controlCharacters, '\ufffd');

const controlCharacters = /[\u0000-\u001f\u007f]/g;

const longRunningSubresources = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

/** Returns whether a request stays open: its event ResponseStarted comes at its start, ResponseComplete at its end. */
export const isLongRunning = (verb: string, subresource: string): boolean =>
  verb === 'watch' || longRunningSubresources.has(subresource);

/** Returns the resource of a request: plural, group and subresource, or the first path segment of other requests. */
export function requestedResource(reference: EventFields, uri: string): string {
  const resource = textField(reference, 'resource');
  if (resource === '') return `/${/^\/?([^/?]*)/.exec(uri)?.[1] ?? ''}`;
  const [group, subresource] = [textField(reference, 'apiGroup'), textField(reference, 'subresource')];
  return `${resource}${group === '' ? '' : `.${group}`}${subresource === '' ? '' : `/${subresource}`}`;
}

/** Objects and bytes of a list. */
export interface ListSize {
  readonly objects: number;
  readonly bytes: number;
}

/** Returns the size of a logged list response, which is that of the event without its other fields; undefined if none is logged. */
export function loggedListSize(event: EventFields, bytes: number): ListSize | undefined {
  const { responseObject, ...rest } = event;
  if (responseObject === undefined || textAt(responseObject, 'kind') === 'Status') return undefined;
  const size = bytes - JSON.stringify(rest).length - ',"responseObject":'.length;
  return { objects: entriesAt(responseObject, 'items').length, bytes: Math.max(0, size) };
}
