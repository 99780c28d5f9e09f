import { entriesAt, isPlainObject, textAt } from '../../api';

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
  readonly listed?: { readonly objects: number; readonly bytes: number };
}

const longRunningSubresources = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

/** Parses an event of `audit.k8s.io/v1`; returns undefined for other stages of a request and for other objects. */
export function readAuditEvent(event: unknown, bytes: number): AuditRecord | undefined {
  if (!isPlainObject(event)) return undefined;
  const verb = textOf(event, 'verb');
  const user = isPlainObject(event['user']) ? textOf(event['user'], 'username') : '';
  const reference = isPlainObject(event['objectRef']) ? event['objectRef'] : {};
  const subresource = textOf(reference, 'subresource');
  const stage = textOf(event, 'stage');
  const isLongRunning = verb === 'watch' || longRunningSubresources.has(subresource);
  // Long-running requests have an event at their start, others at their response.
  if (verb === '' || stage === 'RequestReceived' || stage === '' || isLongRunning !== (stage === 'ResponseStarted'))
    return undefined;
  const uri = textOf(event, 'requestURI');
  const time = Date.parse(textOf(event, 'stageTimestamp')) || 0;
  const startedAt = Date.parse(textOf(event, 'requestReceivedTimestamp')) || time;
  const listed = verb === 'list' ? listSize(event, bytes) : undefined;
  return {
    user: user === '' ? '(unknown)' : user,
    verb,
    resource: resourceOf(reference, subresource, uri),
    isWholeList: isWholeList(verb, uri),
    seconds: isLongRunning ? 0 : Math.max(0, time - startedAt) / 1000,
    time,
    code: isPlainObject(event['responseStatus']) ? Number(event['responseStatus']['code'] ?? 0) : 0,
    ...(listed && { listed }),
  };
}

type Fields = Readonly<Record<string, unknown>>;
const textOf = (object: Fields, name: string): string => {
  const value = object[name];
  return typeof value === 'string' ? value : '';
};

function resourceOf(reference: Fields, subresource: string, uri: string): string {
  const resource = textOf(reference, 'resource');
  if (resource === '') return `/${/^\/?([^/?]*)/.exec(uri)?.[1] ?? ''}`;
  const group = textOf(reference, 'apiGroup');
  return `${resource}${group === '' ? '' : `.${group}`}${subresource === '' ? '' : `/${subresource}`}`;
}

const narrowing = /[?&](limit|labelSelector|fieldSelector)=[^&]/;

/** Returns whether a request lists everything; a list with a selector may be a get by name. */
function isWholeList(verb: string, uri: string): boolean {
  if (verb === 'watch') return uri.includes('sendInitialEvents=true') && !narrowing.test(uri);
  return verb === 'list' && !narrowing.test(uri);
}

/** Returns the objects and bytes of a list response: its size is that of the line without the rest of the event. */
function listSize(event: Fields, bytes: number): AuditRecord['listed'] {
  const { responseObject, ...rest } = event;
  if (responseObject === undefined || textAt(responseObject, 'kind') === 'Status') return undefined;
  const size = bytes - JSON.stringify(rest).length - ',"responseObject":'.length;
  return { objects: entriesAt(responseObject, 'items').length, bytes: Math.max(0, size) };
}
