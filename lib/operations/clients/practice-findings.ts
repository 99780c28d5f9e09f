import { gatewayNamespace } from '../../api';
import { boundedName, serviceAccountUser } from '../../kube';
import { TopSketch } from '../audit/top-sketch';
import { type ApiClientName, type ClientRequest } from './client-request';
import { type Practice, type PracticeContext, type PracticeName, practices } from './practices';
import { PracticeTarget } from './practice-target';

/** Client that violates a practice. */
export interface PracticeFinding extends ApiClientName {
  readonly practice: PracticeName;
  /** Empty if the account has no Project, or the Project no contact. */
  readonly team: string;
  readonly onCall: string;
  readonly verb: string;
  readonly resource: string;
  /** Empty for all namespaces. */
  readonly namespace: string;
  readonly requests: number;
  readonly seatSeconds: number;
  /** Time of the first and the last request, in milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  /** Who did what, how often, what it costs, who is on call, and what to do. */
  readonly message: string;
}

/** Maximum bytes of an account in a message, so that its remedy is never cut off. */
const maxShownBytes = 128;
/** Maximum targets of a practice; of clients that send more kinds of requests than that, the least frequent are not seen. */
const maxTargets = 20_000;
const names = Object.keys(practices) as PracticeName[];
/** The loopback client of the API server itself. */
const ownAccount = 'system:apiserver';
/** Program of a gateway. */
const gatewayProgram = 'pinion-gateway';
/** User name of the gateway as it is installed. */
export const installedGateway = serviceAccountUser({ namespace: gatewayNamespace, name: gatewayProgram });

interface Slot {
  target?: PracticeTarget;
}

/** Checks the practices of clients in bounded memory. */
export class PracticeChecks {
  private readonly sketches = new Map(names.map((name) => [name, new TopSketch<Slot>(maxTargets, () => ({}))]));

  constructor(private context: PracticeContext) {}

  /** Replaces what the practices know of the cluster, for later requests. */
  update(context: PracticeContext): void {
    this.context = context;
  }

  add(request: ClientRequest): void {
    if (request.account === ownAccount || this.isOfGateway(request)) return;
    const { project, account, userAgent } = request.client;
    for (const [name, sketch] of this.sketches) {
      const practice: Practice = practices[name];
      const key = practice.keyOf(request, this.context);
      if (key === undefined) continue;
      const slot = sketch.add([project, account, userAgent, key].join('\u0000')).more;
      const { client, owner, verb, resource, namespace } = request;
      slot.target ??= new PracticeTarget(client, owner, verb, resource, namespace);
      if (practice.isCounted?.(request) ?? true) slot.target.add(request);
      else slot.target.addCost(request);
    }
  }

  /** Returns whether a gateway sent a request for itself: it asks for versions, and ends watches, on behalf of its clients. */
  private isOfGateway({ account, client }: ClientRequest): boolean {
    return account === this.context.gateway || (account === installedGateway && client.userAgent === gatewayProgram);
  }

  /** Returns the clients that violate a practice, by practice and falling cost. */
  findings(): readonly PracticeFinding[] {
    return names.flatMap((name) =>
      this.violations(name)
        .sort((a, b) => b.seatSeconds - a.seatSeconds)
        .map((target) => findingOf(name, target)),
    );
  }

  /** Returns the violations of a practice, those of one client and collection as one: an agent on each node is one client. */
  private violations(name: PracticeName): PracticeTarget[] {
    const groups = new Map<string, PracticeTarget[]>();
    for (const { more } of this.sketches.get(name)?.top(maxTargets) ?? []) {
      const { target } = more;
      if (!target || !practices[name].isViolated(target)) continue;
      const { client, verb, resource, namespace } = target;
      const key = [client.project, client.account, client.userAgent, verb, resource, namespace].join('\u0000');
      groups.set(key, [...(groups.get(key) ?? []), target]);
    }
    return [...groups.values()].flatMap((targets) => PracticeTarget.sum(targets) ?? []);
  }
}

function findingOf(practice: PracticeName, target: PracticeTarget): PracticeFinding {
  const { client, owner, verb, resource, namespace, requests, seatSeconds, from, to } = target;
  const { describe, remedy }: Practice = practices[practice];
  const who = `${owner ? `project ${owner.project}: ` : ''}${boundedName(client.account, maxShownBytes)} (${client.userAgent})`;
  return {
    practice,
    ...client,
    team: owner?.team ?? '',
    onCall: owner?.onCall ?? '',
    verb,
    resource,
    namespace,
    requests,
    seatSeconds,
    from,
    to,
    message: `${who} ${describe(target)}; ${costText(target)}; ${contactText(target)}; ${remedy}`,
  };
}

function costText({ seatSeconds, from, to }: PracticeTarget): string {
  const seconds = Math.max(1, (to - from) / 1000);
  return `this cost ${seatSeconds.toPrecision(3)} seat-seconds, ${(seatSeconds / seconds).toPrecision(2)} seats on average`;
}

function contactText({ owner }: PracticeTarget): string {
  if (!owner) return 'the account belongs to no Project';
  const team = `team ${owner.team ?? '(unknown)'}`;
  return owner.onCall === undefined ? `${team} has no spec.onCall` : `on call: ${owner.onCall} (${team})`;
}
