import { textAt } from '../../api';
import { type LiveObject } from '../../kube';
import { isReady } from '../drain/readiness';
import { type Grounds, type IdentityRequest } from './identity-request';
import { type Instance } from './instances';

/** How doubt is dealt with; times in milliseconds. */
export interface IdentityPolicy {
  /** Longest time between the launch of a machine and its asking for a first certificate. */
  readonly youth: number;
  /** How long a machine that the cloud does not name is waited for: its answers lag behind what it does. */
  readonly patience: number;
}

/** An hour to boot and join, and two minutes for the cloud to know its own machines. */
export const usualIdentityPolicy: IdentityPolicy = { youth: 3_600_000, patience: 120_000 };

/** The API server writes times in whole seconds. */
const wholeSecond = 1_000;

/** What is known when a request is decided. */
export interface IdentityFacts {
  /** Machines of the cluster of the node's name. */
  readonly instances: readonly Instance[];
  /** The Node of that name; undefined where there is none. */
  readonly node: LiveObject | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What becomes of a request; one that is held is looked at again. */
export interface IdentityDecision extends Grounds {
  readonly decision: 'approve' | 'deny' | 'hold';
}

/** Decides on a request that is sound in itself: approves what the cloud confirms, denies what it contradicts, holds the rest. */
export function decideIdentity(
  asks: IdentityRequest,
  { instances, node, now }: IdentityFacts,
  policy: IdentityPolicy,
): IdentityDecision {
  const [instance, ...others] = instances.filter(({ name, state }) => name === asks.node && state !== 'other');
  if (!instance) {
    const missing = `no machine of the cluster runs under the name ${asks.node}`;
    return now - asks.asked > policy.patience ? deny('UnknownInstance', missing) : hold('UnknownInstance', missing);
  }
  if (others.length > 0)
    return hold('SeveralInstances', `${[instance, ...others].map(({ id }) => id).join(' and ')} have the same name`);
  if (instance.state === 'pending') return hold('InstancePending', `${instance.id} does not run yet`);
  return asks.certificate === 'client' ? first(asks, instance, node, policy) : serving(asks, instance, node);
}

/** A first certificate: for a young machine of a pool that is no node yet. */
function first(
  { asked }: IdentityRequest,
  { id, part, launched }: Instance,
  node: LiveObject | undefined,
  { youth }: IdentityPolicy,
): IdentityDecision {
  if (part !== 'nodes') return deny('NoWorker', `${id} belongs to no pool; masters do not join by a token`);
  const age = asked - launched;
  // Asked so that a time that is none approves nothing.
  if (!(age >= -wholeSecond)) return deny('OlderThanInstance', `the request was made before ${id} was launched`);
  if (!(age <= youth))
    return deny(
      'InstanceTooOld',
      `${id} asked ${minutes(age)} minutes after its launch, and ${minutes(youth)} are allowed; end it, and its group makes another`,
    );
  if (node && isReady(node)) {
    if (machineOf(node) === id) return deny('AlreadyJoined', `${id} is a node already, and Ready`);
    return hold('NameInUse', `a Node of this name is Ready, and is ${providerOf(node)}, not ${id}`);
  }
  return approve(`${id} runs and has not joined yet`);
}

/** A serving certificate: for names and addresses of the very machine that the node is. */
function serving(
  { node: name, dnsNames, addresses }: IdentityRequest,
  instance: Instance,
  node: LiveObject | undefined,
): IdentityDecision {
  const foreign = [
    ...dnsNames.filter((one) => one !== name),
    ...addresses.filter((one) => !instance.addresses.includes(one)),
  ];
  if (foreign.length > 0) return deny('WrongNames', `${foreign.join(', ')} does not belong to ${instance.id}`);
  if (!node || machineOf(node) !== instance.id)
    return hold(
      'NoSuchNode',
      `no Node of this name says that it is ${instance.id}${node ? `, but ${providerOf(node)}` : ''}`,
    );
  return approve(`${instance.id} runs and has these names and addresses`);
}

const providerOf = (node: LiveObject): string => textAt(node, 'spec', 'providerID') ?? 'of no machine';

/** Id of the machine that a Node says it is: the end of `aws:///ZONE/ID`. */
const machineOf = (node: LiveObject): string | undefined => textAt(node, 'spec', 'providerID')?.split('/').at(-1);

const minutes = (milliseconds: number): number => Math.ceil(milliseconds / 60_000);

const approve = (message: string): IdentityDecision => ({ decision: 'approve', reason: 'InstanceConfirmed', message });
const deny = (reason: string, message: string): IdentityDecision => ({ decision: 'deny', reason, message });
const hold = (reason: string, message: string): IdentityDecision => ({ decision: 'hold', reason, message });
