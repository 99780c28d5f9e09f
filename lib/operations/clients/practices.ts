import { type ClientRequest } from './client-request';
import { serviceAccountOf } from '../../kube';
import { selectsAll } from './list-query';
import { maxOrigins, type PracticeTarget } from './practice-target';
import { isUnknownUserAgent } from './user-agent';

/** Practice of clients that loads the API server without need. */
export interface Practice {
  /** Requests of one client that make it a finding. */
  readonly threshold: string;
  /** Why fewer are ordinary use. */
  readonly reason: string;
  /** What the client should do instead. */
  readonly remedy: string;
  /** Returns what distinguishes the requests to count together, besides the client; undefined if a request is not concerned. */
  readonly keyOf: (request: ClientRequest, context: PracticeContext) => string | undefined;
  /** Returns whether a request counts; of one that does not, only the cost does. @default - all count */
  readonly isCounted?: (request: ClientRequest) => boolean;
  readonly isViolated: (target: PracticeTarget) => boolean;
  /** Returns what the client did and how often, as a clause. */
  readonly describe: (target: PracticeTarget) => string;
}

/** What practices know of the cluster. */
export interface PracticeContext {
  /** User name of the gateway; undefined if there is none. */
  readonly gateway?: string;
  /** Namespaces whose service accounts may use the API server directly. */
  readonly directNamespaces: ReadonlySet<string>;
}

/** Numbers that separate violations from ordinary use. */
export const practiceLimits = {
  unlimitedLists: 10,
  unversionedLists: 30,
  polls: 30,
  pollSeconds: 60,
  pollIrregularity: 0.5,
  shortWatches: 10,
  shortWatchSeconds: 60,
  podReaderNodes: 4,
  unknownRequests: 10,
} as const;
const limits = practiceLimits;

/** Maximum characters of a key; selectors may have a million. */
const maxKeyLength = 400;
const keyFrom = (...parts: readonly string[]): string => {
  const key = parts.join(' ');
  return key.length > maxKeyLength ? `${key.slice(0, maxKeyLength)}… ${key.length}` : key;
};
const targetKey = ({ verb, resource, namespace, name, query, origin }: ClientRequest): string =>
  keyFrom(verb, resource, namespace, name, origin, query.labelSelector, query.fieldSelector);

const isCollectionList = ({ verb, phase, name, code }: ClientRequest): boolean =>
  verb === 'list' && phase === 'complete' && name === '' && code < 400;
const collection = ({ resource, namespace }: PracticeTarget): string =>
  `${resource} of ${namespace === '' ? 'all namespaces' : `namespace ${namespace}`}`;
const times = ({ requests, busiest }: PracticeTarget): string =>
  requests === busiest ? `${requests} times` : `${requests} times, up to ${busiest} in ten minutes`;

const listWithoutLimit: Practice = {
  threshold: `${limits.unlimitedLists} lists of a collection in ten minutes, without limit, selector and resourceVersion=0`,
  reason: 'an informer lists when it starts; one that crashes again and again does so twice in ten minutes',
  remedy: 'read pages with limit=500 and continue, or use an informer',
  keyOf: (request) =>
    isCollectionList(request) &&
    selectsAll(request.query) &&
    request.query.limit === 0 &&
    !request.query.isContinued &&
    request.query.resourceVersion !== '0'
      ? keyFrom(request.resource, request.namespace)
      : undefined,
  isViolated: ({ busiest }) => busiest >= limits.unlimitedLists,
  describe: (target) => `listed ${collection(target)} without limit ${times(target)}`,
};

const listWithoutVersion: Practice = {
  threshold: `${limits.unversionedLists} lists of a collection in ten minutes, without resourceVersion and continue`,
  reason: 'a user of kubectl sends fewer; each makes the API server ask etcd for its current revision',
  remedy: 'use an informer, or list with resourceVersion=0 where a state of some seconds ago is enough',
  keyOf: (request) =>
    isCollectionList(request) &&
    request.query.resourceVersion === '' &&
    request.query.versionMatch === '' &&
    !request.query.isContinued
      ? keyFrom(request.resource, request.namespace)
      : undefined,
  isViolated: ({ busiest }) => busiest >= limits.unversionedLists,
  describe: (target) => `listed ${collection(target)} without resourceVersion ${times(target)}`,
};

/** Leader election has no watch: client-go reads the lease every two seconds. */
const leases = 'leases.coordination.k8s.io';

const polling: Practice = {
  threshold: `${limits.polls} equal reads from one place, at most ${limits.pollSeconds} seconds apart on average, at regular intervals`,
  reason:
    'reads that follow events are irregular (their intervals deviate by more than half of the mean), and slower reads cost little more than a watch',
  remedy: 'watch the object instead, with an informer or kubectl wait',
  keyOf: (request) =>
    (request.verb === 'get' || request.verb === 'list') &&
    request.phase === 'complete' &&
    request.subresource === '' &&
    !request.resource.startsWith('/') &&
    request.resource !== leases &&
    !request.query.isContinued
      ? targetKey(request)
      : undefined,
  isViolated: (target) =>
    target.requests >= limits.polls &&
    target.interval <= limits.pollSeconds &&
    target.irregularity <= limits.pollIrregularity,
  describe: (target) =>
    `polled ${collection(target)} with ${target.verb} ${target.requests} times, every ${target.interval.toPrecision(2)} seconds`,
};

const watchFlapping: Practice = {
  threshold: `${limits.shortWatches} watches of the same objects in ten minutes that last less than ${limits.shortWatchSeconds} seconds`,
  reason: 'watches of informers last five to ten minutes, and a server that restarts ends each once',
  remedy: 'keep one watch open and resume it from its last version; fix what ends it, such as a timeout or a proxy',
  keyOf: (request) => (request.verb === 'watch' ? targetKey(request) : undefined),
  isCounted: ({ phase, seconds }) => phase === 'ended' && seconds < limits.shortWatchSeconds,
  isViolated: ({ busiest }) => busiest >= limits.shortWatches,
  describe: (target) =>
    `opened ${target.requests} watches of ${collection(target)} that lasted ${(target.seconds / target.requests).toPrecision(2)} seconds on average`,
};

const podsOfAllNodes: Practice = {
  threshold: `lists or watches of all pods, without a selector, from ${limits.podReaderNodes} nodes`,
  reason:
    'a controller has up to three replicas; the load of an agent on each node grows with the square of the cluster',
  remedy: 'select the pods of its own node with fieldSelector=spec.nodeName=$(NODE_NAME)',
  keyOf: (request) =>
    request.resource === 'pods' &&
    request.namespace === '' &&
    request.phase !== 'ended' &&
    (request.verb === 'list' || request.verb === 'watch') &&
    selectsAll(request.query)
      ? 'pods'
      : undefined,
  isViolated: ({ originCount }) => originCount >= limits.podReaderNodes,
  describe: ({ requests, originCount }) =>
    `read the pods of all nodes ${requests} times without a selector, from ${originCount === maxOrigins ? `at least ${maxOrigins}` : originCount} nodes`,
};

const unknownClient: Practice = {
  threshold: `${limits.unknownRequests} requests without a user agent, or with that of a library`,
  reason: 'a user who tries a request sends fewer',
  remedy: 'set a user agent with the name and version of the program',
  keyOf: ({ client, phase }) => (phase !== 'ended' && isUnknownUserAgent(client.userAgent) ? 'any' : undefined),
  isViolated: ({ requests }) => requests >= limits.unknownRequests,
  describe: ({ requests, client }) =>
    client.userAgent === '(none)'
      ? `sent ${requests} requests without a user agent`
      : `sent ${requests} requests with the default user agent of a library`,
};

const directAccess: Practice = {
  threshold: 'one request of a service account of a Project that did not come through the gateway',
  reason:
    'there is no ordinary use: users, namespaces without a Project and Projects that may be direct are not counted',
  remedy: 'use the token, authority and address of the gateway, or ask the platform team for direct access',
  keyOf: (request, context) =>
    context.gateway !== undefined && request.phase !== 'ended' && isDirect(request, context) ? 'any' : undefined,
  isViolated: ({ requests }) => requests > 0,
  describe: ({ requests }) => `sent ${requests} requests to the API server that did not come through the gateway`,
};

/** Returns whether a request should have come through the gateway, which serves the service accounts of Projects. */
function isDirect(request: ClientRequest, { gateway, directNamespaces }: PracticeContext): boolean {
  const { account, sender, groups, owner } = request;
  if (!owner || sender === gateway || account === gateway || groups.includes('system:masters')) return false;
  const serviceAccount = serviceAccountOf(account);
  return serviceAccount !== undefined && !directNamespaces.has(serviceAccount.namespace);
}

/** All practices, by name. */
export const practices = {
  ListWithoutLimit: listWithoutLimit,
  ListWithoutVersion: listWithoutVersion,
  Polling: polling,
  WatchFlapping: watchFlapping,
  PodsOfAllNodes: podsOfAllNodes,
  UnknownClient: unknownClient,
  DirectAccess: directAccess,
} as const satisfies Readonly<Record<string, Practice>>;

/** Name of a practice. */
export type PracticeName = keyof typeof practices;
