import { textAt } from '../../api';
import {
  boundedText,
  type EventFields,
  isLongRunning,
  type ListSize,
  loggedListSize,
  objectField,
  requestedResource,
  textField,
} from '../audit/event-fields';
import { type ListQuery, readListQuery } from './list-query';

/** Maximum characters of verbs, resources, namespaces, programs and origins: any path may be requested. */
const maxTextLength = 200;
/** Maximum characters of an account, above the 339 of a service account; names in certificates have no limit. */
const maxAccountLength = 400;

/** Request of a client to the API server, from one event of its audit log. */
export interface ApiRequest {
  /** `complete`: an ordinary request; `started` and `ended`: the two events of a watch or another long-running request. */
  readonly phase: 'complete' | 'started' | 'ended';
  /** User on whose behalf the request acts: the impersonated one, if there is one. */
  readonly account: string;
  readonly groups: readonly string[];
  /** User that sent the request, if it impersonates the account, as a gateway does. */
  readonly sender?: string;
  readonly userAgent: string;
  /** Node of the pod that the token is bound to; otherwise the address of the client. */
  readonly origin: string;
  readonly verb: string;
  /** Plural with group and subresource, such as `deployments.apps/scale`, at most 200 characters; for non-resource requests, the first path segment. */
  readonly resource: string;
  readonly subresource: string;
  /** Empty for requests to all namespaces, and for cluster-scoped and non-resource requests. */
  readonly namespace: string;
  /** Empty for requests to a collection. */
  readonly name: string;
  readonly query: ListQuery;
  /** Time at which the server received it, in milliseconds since 1970. */
  readonly receivedAt: number;
  /** Seconds from the request to the event. */
  readonly seconds: number;
  readonly code: number;
  /** Objects and JSON bytes of a list, if its response is in the log. */
  readonly listed?: ListSize;
}

/** Parses an event of `audit.k8s.io/v1`; returns undefined for the stage RequestReceived and for other objects. */
export function readApiRequest(event: EventFields, bytes: number): ApiRequest | undefined {
  const [verb, stage] = [textField(event, 'verb'), textField(event, 'stage')];
  const reference = objectField(event, 'objectRef');
  const subresource = textField(reference, 'subresource');
  const phase = phaseOf(stage, isLongRunning(verb, subresource));
  if (verb === '' || phase === undefined) return undefined;
  const uri = textField(event, 'requestURI');
  const time = Date.parse(textField(event, 'stageTimestamp')) || 0;
  const receivedAt = Date.parse(textField(event, 'requestReceivedTimestamp')) || time;
  const [sender, impersonated] = [objectField(event, 'user'), objectField(event, 'impersonatedUser')];
  const isImpersonated = textField(impersonated, 'username') !== '';
  const user = isImpersonated ? impersonated : sender;
  const bounded = (text: string): string => boundedText(text, maxTextLength);
  const listed = verb === 'list' ? loggedListSize(event, bytes) : undefined;
  return {
    phase,
    account: boundedText(textField(user, 'username'), maxAccountLength) || '(unknown)',
    groups: textsOf(user['groups']),
    ...(isImpersonated && { sender: textField(sender, 'username') }),
    userAgent: bounded(textField(event, 'userAgent')),
    origin: bounded(originOf(user, event)),
    verb: bounded(verb),
    resource: bounded(requestedResource(reference, uri)),
    subresource,
    namespace: bounded(textField(reference, 'namespace')),
    name: textField(reference, 'name'),
    query: readListQuery(uri),
    receivedAt,
    seconds: Math.max(0, time - receivedAt) / 1000,
    code: Number(objectField(event, 'responseStatus')['code'] ?? 0),
    ...(listed && { listed }),
  };
}

function phaseOf(stage: string, isOpen: boolean): ApiRequest['phase'] | undefined {
  if (stage === 'ResponseStarted') return isOpen ? 'started' : undefined;
  if (stage !== 'ResponseComplete' && stage !== 'Panic') return undefined;
  return isOpen ? 'ended' : 'complete';
}

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];

/** Returns where a client runs: tokens of pods name their node since Kubernetes 1.30. */
function originOf(user: EventFields, event: EventFields): string {
  return (
    textAt(user, 'extra', 'authentication.kubernetes.io/node-name', 0) ?? textAt(event, 'sourceIPs', 0) ?? '(unknown)'
  );
}
