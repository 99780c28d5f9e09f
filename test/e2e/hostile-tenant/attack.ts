import { type Client, type SendableObject } from '../../control-plane/client';
import { type ObjectReference } from '../../control-plane/discovery';
import { type ActorName } from './actors';
import { type Scene } from './scene';

/** One request to the API server. */
export type ApiRequest =
  | { readonly create: SendableObject }
  | { readonly apply: SendableObject }
  | { readonly patch: ObjectReference; readonly with: object; readonly subresource?: string }
  | { readonly delete: ObjectReference }
  | { readonly call: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} ${string}`; readonly body?: unknown };

/** Response to an attack: an HTTP status, and the text that says why. */
export interface Outcome {
  readonly status: number;
  readonly message: string;
}

/** Client and scene of an attack that is more than one request. */
export interface AttackContext {
  readonly scene: Scene;
  /** Client of the actor. */
  readonly client: Client;
  /** Bearer token of the actor. */
  readonly token: string;
}

/** What refuses requests, with the pattern of its message. */
export const guards = {
  authentication: /Unauthorized|token/i,
  policy: /ValidatingAdmissionPolicy '[a-z.-]+\.pinterest\.com'/,
  rbac: /User "[^"]*" cannot |is attempting to grant RBAC permissions not currently held/,
  node: /node "?[^"]*"? (is not allowed|can only|cannot)|User "system:node:[^"]*" cannot |is forbidden: (node|can only|no relationship found)/,
  podSecurity: /violates PodSecurity/,
  quota: /exceeded quota/,
  certificateApproval: /not permitted to approve requests with signerName/,
  patchKind: /spec.patches\[\d+\]/,
  schema: /is invalid:|unknown field|strict decoding error/,
} as const;

/** Expected result of an attack. */
export type Expectation =
  | { readonly type: 'refused'; readonly by: string; readonly status: readonly number[]; readonly message: RegExp }
  | { readonly type: 'harmless'; readonly check: (context: AttackContext) => Promise<void> }
  | { readonly type: 'allowed' };

/** An attack, or the same move made rightfully. */
export interface Attack {
  /** Unique in the suite; says what would be gained. */
  readonly name: string;
  readonly as: ActorName;
  readonly does: ApiRequest | ((context: AttackContext) => Promise<Outcome>);
  readonly expects: Expectation;
}

/** Attacks of one area. */
export interface AttackTable {
  readonly title: string;
  readonly attacks: readonly Attack[];
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Returns the expectation that a guard refuses, or the admission policy of that name, with its reason. */
export function refusedBy(guard: keyof typeof guards | `${string}.pinterest.com`, reason?: RegExp): Expectation {
  const isBuiltIn = guard in guards;
  const message = isBuiltIn
    ? guards[guard as keyof typeof guards]
    : new RegExp(`ValidatingAdmissionPolicy '${escaped(guard)}'`);
  const status = guard === 'authentication' ? [401] : [403, 422];
  const both = reason && new RegExp(`(?=[^]*(?:${message.source}))[^]*(?:${reason.source})`, message.flags);
  return { type: 'refused', by: guard, status, message: both ?? message };
}

/** Returns the expectation that one of several guards refuses, with its reason: whichever the API server asks first. */
export function refusedByOneOf(all: readonly Parameters<typeof refusedBy>[0][], reason?: RegExp): Expectation {
  const each = all.map((guard) => refusedBy(guard, reason)).filter((one) => one.type === 'refused');
  return {
    type: 'refused',
    by: all.join(' or '),
    status: [401, 403, 422],
    message: new RegExp(each.map(({ message }) => message.source).join('|')),
  };
}

/** Returns the expectation that the submission service or another program refuses with a status and a reason. */
export const refusedWith = (by: string, status: number | readonly number[], message: RegExp): Expectation => ({
  type: 'refused',
  by,
  status: [status].flat(),
  message,
});

/** Returns the expectation that the request changes nothing that matters, whatever the response; the check throws otherwise. */
export const harmless = (check: (context: AttackContext) => Promise<void>): Expectation => ({
  type: 'harmless',
  check,
});

/** The expectation of a rightful move. */
export const allowed: Expectation = { type: 'allowed' };
