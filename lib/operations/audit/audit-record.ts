import { isPlainObject } from '../../api';
import {
  isLongRunning,
  type ListSize,
  loggedListSize,
  objectField,
  requestedResource,
  textField,
} from './event-fields';

/** Request to the API server, from its audit event. */
export interface AuditRecord {
  readonly user: string;
  readonly verb: string;
  /** Plural with group and subresource, such as `deployments.apps/scale`; for non-resource requests, the first path segment. */
  readonly resource: string;
  /** Whether it is a list, or a watch with initial events, without limit or selector. */
  readonly isWholeList: boolean;
  /** Seconds from the request to the end of the response; 0 for long-running requests, such as a watch. */
  readonly seconds: number;
  /** Time of the response in milliseconds since 1970. */
  readonly time: number;
  readonly code: number;
  /** Objects and bytes of a list, if the policy logs responses (level RequestResponse). */
  readonly listed?: ListSize;
}

/** Parses an event of `audit.k8s.io/v1`; returns undefined for other stages of a request and for other objects. */
export function readAuditEvent(event: unknown, bytes: number): AuditRecord | undefined {
  if (!isPlainObject(event)) return undefined;
  const verb = textField(event, 'verb');
  const user = textField(objectField(event, 'user'), 'username');
  const reference = objectField(event, 'objectRef');
  const stage = textField(event, 'stage');
  const isOpen = isLongRunning(verb, textField(reference, 'subresource'));
  // Long-running requests have an event at their start, others at their response.
  if (verb === '' || stage === 'RequestReceived' || stage === '' || isOpen !== (stage === 'ResponseStarted'))
    return undefined;
  const uri = textField(event, 'requestURI');
  const time = Date.parse(textField(event, 'stageTimestamp')) || 0;
  const startedAt = Date.parse(textField(event, 'requestReceivedTimestamp')) || time;
  const listed = verb === 'list' ? loggedListSize(event, bytes) : undefined;
  return {
    user: user === '' ? '(unknown)' : user,
    verb,
    resource: requestedResource(reference, uri),
    isWholeList: isWholeList(verb, uri),
    seconds: isOpen ? 0 : Math.max(0, time - startedAt) / 1000,
    time,
    code: Number(objectField(event, 'responseStatus')['code'] ?? 0),
    ...(listed && { listed }),
  };
}

const narrowing = /[?&](limit|labelSelector|fieldSelector)=[^&]/;

/** Returns whether a request lists everything; a list with a selector may be a get by name. */
function isWholeList(verb: string, uri: string): boolean {
  if (verb === 'watch') return uri.includes('sendInitialEvents=true') && !narrowing.test(uri);
  return verb === 'list' && !narrowing.test(uri);
}
