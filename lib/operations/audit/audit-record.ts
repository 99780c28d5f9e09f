import { entriesAt, isPlainObject, textAt } from '../../api';

/** What one request to the API server was, by its line in the audit log. */
export interface AuditRecord {
  readonly user: string;
  readonly verb: string;
  /** Plural, with group and subresource where there are any: `deployments.apps/scale`; of requests for no object the first step of the path. */
  readonly resource: string;
  /** Whether it asked for all objects of a resource: a list or a watch that begins with one, without limit or selector. */
  readonly isWholeList: boolean;
  /** Seconds from the request to the end of the answer; 0 for what goes on, such as a watch. */
  readonly seconds: number;
  /** Milliseconds since 1970 when it was answered. */
  readonly time: number;
  readonly code: number;
  /** Objects and bytes of a list, where the policy has answers in the log (level RequestResponse). */
  readonly listed?: { readonly objects: number; readonly bytes: number };
}

const longSubresources = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

/** Reads an event of `audit.k8s.io/v1`; undefined for one that tells a request a second time, or is none. */
export function readAuditEvent(event: unknown, bytes: number): AuditRecord | undefined {
  if (!isPlainObject(event)) return undefined;
  const verb = textOf(event, 'verb');
  const user = isPlainObject(event['user']) ? textOf(event['user'], 'username') : '';
  const reference = isPlainObject(event['objectRef']) ? event['objectRef'] : {};
  const subresource = textOf(reference, 'subresource');
  const stage = textOf(event, 'stage');
  const isLong = verb === 'watch' || longSubresources.has(subresource);
  // What goes on is told when it begins and when it ends, anything else once it is answered.
  if (verb === '' || stage === 'RequestReceived' || stage === '' || isLong !== (stage === 'ResponseStarted'))
    return undefined;
  const uri = textOf(event, 'requestURI');
  const time = Date.parse(textOf(event, 'stageTimestamp')) || 0;
  const begun = Date.parse(textOf(event, 'requestReceivedTimestamp')) || time;
  const listed = verb === 'list' ? listedBy(event, bytes) : undefined;
  return {
    user: user === '' ? '(unknown)' : user,
    verb,
    resource: resourceOf(reference, subresource, uri),
    isWholeList: isWhole(verb, uri),
    seconds: isLong ? 0 : Math.max(0, time - begun) / 1000,
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

/** An object by its name is asked for by a field selector too. */
function isWhole(verb: string, uri: string): boolean {
  if (verb === 'watch') return uri.includes('sendInitialEvents=true') && !narrowing.test(uri);
  return verb === 'list' && !narrowing.test(uri);
}

/** The answer is what is left of the line without the rest of the event. */
function listedBy(event: Fields, bytes: number): AuditRecord['listed'] {
  const { responseObject, ...rest } = event;
  if (responseObject === undefined || textAt(responseObject, 'kind') === 'Status') return undefined;
  const size = bytes - JSON.stringify(rest).length - ',"responseObject":'.length;
  return { objects: entriesAt(responseObject, 'items').length, bytes: Math.max(0, size) };
}
