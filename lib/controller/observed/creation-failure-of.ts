import { type LiveObject } from '../../client';
import { type CreationFailure } from './pod-facts';

interface EventBody {
  readonly reason?: string;
  readonly message?: string;
  readonly involvedObject?: {
    readonly kind?: string;
    readonly name?: string;
    readonly namespace?: string;
    readonly uid?: string;
  };
  readonly lastTimestamp?: string | null;
  readonly eventTime?: string | null;
  readonly series?: { readonly lastObservedTime?: string };
}

/** Maximum length of a message, in characters. */
const maxMessageLength = 4096;

/** Parses an Event that reports a failed creation; undefined for other Events. */
export function creationFailureOf(event: LiveObject): CreationFailure | undefined {
  const { reason, message, involvedObject, lastTimestamp, eventTime, series } = event as LiveObject & EventBody;
  const { kind, name, namespace = '', uid } = involvedObject ?? {};
  if (reason !== 'FailedCreate' || kind === undefined || name === undefined || uid === undefined) return undefined;
  const times = [series?.lastObservedTime, lastTimestamp, eventTime, event.metadata.creationTimestamp];
  const last = Math.max(0, ...times.map((time) => Date.parse(time ?? '')).filter((time) => !Number.isNaN(time)));
  return { kind, name, namespace, uid, message: (message ?? '').slice(0, maxMessageLength), last };
}
