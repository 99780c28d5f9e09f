import { type ApiResponse } from '../../control-plane/api-response';
import { type Client, type RequestOptions } from '../../control-plane/client';
import { inParallel } from '../cluster-setup';
import { type ActorName, tokenOf } from './actors';
import { type ApiRequest, type Attack, type AttackContext, type Outcome } from './attack';
import { type Scene } from './scene';

/** Result of an attack: undefined if it went as expected, otherwise what is wrong. */
export type Verdict = string | undefined;

/**
 * Runs independent attacks in parallel. A request that must be refused is a dry run first, so that a missing guard fails
 * its own attack and does not spoil the scene of the others; a rightful one is a dry run only.
 */
export async function runAttacks(scene: Scene, attacks: readonly Attack[]): Promise<ReadonlyMap<Attack, Verdict>> {
  const verdicts = await inParallel(attacks, async (attack) => {
    try {
      return await runAttack(scene, attack);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  });
  return new Map(attacks.map((attack, index) => [attack, verdicts[index]]));
}

/** Sends an attack as a dry run; one that is a function is not a dry run. */
export async function rehearse(scene: Scene, { as, does }: Attack): Promise<Outcome> {
  return carryOut(await contextOf(scene, as), does, { dryRun: true });
}

async function contextOf(scene: Scene, as: ActorName): Promise<AttackContext> {
  const token = await tokenOf(scene, as);
  return { scene, token, client: scene.cluster.withToken(token) };
}

async function runAttack(scene: Scene, attack: Attack): Promise<Verdict> {
  const { as, does, expects } = attack;
  const context = await contextOf(scene, as);
  if (expects.type === 'harmless') {
    await carryOut(context, does);
    await expects.check(context);
    return undefined;
  }
  const rehearsed = await rehearse(scene, attack);
  if (expects.type === 'allowed')
    return isAccepted(rehearsed) || isConnected(does, rehearsed)
      ? undefined
      : `was to be allowed, but got ${describeOutcome(rehearsed)}`;
  const outcome = isAccepted(rehearsed) || typeof does === 'function' ? rehearsed : await carryOut(context, does);
  if (expects.status.includes(outcome.status) && expects.message.test(outcome.message)) return undefined;
  return `was to be refused by ${expects.by} with ${expects.status.join(' or ')}, but got ${describeOutcome(outcome)}`;
}

/** Returns whether a request succeeded. */
export const isAccepted = ({ status }: Outcome): boolean => status >= 200 && status < 300;
/** Returns whether the API server tried to connect to a pod, service or node, which do not really run. */
const isConnected = (does: Attack['does'], { status, message }: Outcome): boolean =>
  isConnect(does) && [400, 500, 502, 503].includes(status) && /upgrade|lookup|dial|connect|no endpoints/i.test(message);

const isConnect = (does: Attack['does']): boolean =>
  typeof does === 'object' && 'call' in does && connectPath.test(does.call);
const connectPath = /\/(exec|attach|portforward|proxy)(\/|\?|$)/;

const describeOutcome = ({ status, message }: Outcome): string => `${status}: ${message.slice(0, 400)}`;

async function carryOut(context: AttackContext, does: Attack['does'], options: RequestOptions = {}): Promise<Outcome> {
  if (typeof does === 'function') return does(context);
  return outcomeOf(await send(context, does, options));
}

/** Returns the status and message of a response. */
export function outcomeOf({ status, body }: ApiResponse): Outcome {
  const { message } = typeof body === 'object' && body !== null ? (body as { message?: string }) : {};
  return { status, message: message ?? (typeof body === 'string' ? body : JSON.stringify(body)) };
}

/** Sends one request of an attack as its actor; paths are looked up by the administrator, since not all may discover. */
export async function send(
  { scene, client }: AttackContext,
  request: ApiRequest,
  options: RequestOptions = {},
): Promise<ApiResponse> {
  const { discovery } = scene.cluster.client;
  if ('create' in request)
    return client.request('POST', await discovery.collectionPath(request.create), request.create, {
      fieldValidation: 'Strict',
      ...options,
    });
  if ('apply' in request)
    return client.request('PATCH', await discovery.objectPath(request.apply), request.apply, {
      fieldValidation: 'Strict',
      contentType: 'application/apply-patch+yaml',
      query: { fieldManager: 'attacker', force: 'true' },
      ...options,
    });
  if ('patch' in request) {
    const path = await discovery.objectPath(request.patch);
    const subresource = request.subresource === undefined ? '' : `/${request.subresource}`;
    return client.request('PATCH', `${path}${subresource}`, request.with, { contentType: mergePatch, ...options });
  }
  if ('delete' in request)
    return client.request('DELETE', await discovery.objectPath(request.delete), undefined, options);
  return call(client, request, options);
}

const mergePatch = 'application/merge-patch+json';

function call(
  client: Client,
  { call: line, body }: Extract<ApiRequest, { call: string }>,
  options: RequestOptions,
): Promise<ApiResponse> {
  const [method = '', path = ''] = line.split(' ');
  const contentType = method === 'PATCH' ? { contentType: mergePatch } : {};
  // A dry run of a request to connect, or of a read, does not exist.
  const isWrite = method !== 'GET' && !connectPath.test(path);
  return client.request(method, path, body, { ...contentType, ...(isWrite ? options : {}) });
}
