import { textAt } from '../../api';
import { type LiveObject } from '../../kube';
import { isReady } from '../drain/readiness';
import { type DecisionReason, type IdentityRequest } from './identity-request';
import { type Instance } from './instance-directory';

/** Limits for decisions; durations in milliseconds. */
export interface IdentityPolicy {
  /** Maximum time from the launch of a machine to its first certificate request. */
  readonly maxInstanceAge: number;
  /** How long to wait for a machine that the cloud does not list yet, because its API is eventually consistent. */
  readonly instanceLookupTimeout: number;
}

/** Default limits: an hour to boot and join, and two minutes for the cloud to list a machine. */
export const defaultIdentityPolicy: IdentityPolicy = { maxInstanceAge: 3_600_000, instanceLookupTimeout: 120_000 };

/** Resolution of timestamps of the API server. */
const timestampResolution = 1_000;

/** State that a decision is based on. */
export interface IdentityFacts {
  /** Machines of the cluster with the name of the node. */
  readonly instances: readonly Instance[];
  /** Node of that name; undefined if it does not exist. */
  readonly node: LiveObject | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Decision on a request; a deferred request is decided again later. */
export interface IdentityDecision extends DecisionReason {
  readonly decision: 'approve' | 'deny' | 'defer';
  /** Instance whose first client certificate is approved. */
  readonly joining?: string;
}

/**
 * Decides on a valid request: approves it if the cloud confirms it, denies it if the cloud contradicts it, otherwise
 * defers it.
 */
export function decideIdentity(
  request: IdentityRequest,
  { instances, node, now }: IdentityFacts,
  policy: IdentityPolicy,
): IdentityDecision {
  const [instance, ...others] = instances.filter(({ name, state }) => name === request.node && state !== 'other');
  if (!instance) {
    const missing = `no machine of the cluster has the name ${request.node}`;
    return now - request.requestedAt > policy.instanceLookupTimeout
      ? deny('InstanceNotFound', missing)
      : defer('InstanceNotFound', missing);
  }
  if (others.length > 0)
    return defer('InstanceNotUnique', `${[instance, ...others].map(({ id }) => id).join(' and ')} have the same name`);
  if (instance.state === 'pending') return defer('InstancePending', `${instance.id} is not running yet`);
  return request.certificate === 'client'
    ? decideClient(request, instance, node, policy)
    : decideServing(request, instance, node);
}

/** Decides on a first client certificate, for a new machine of a pool that has not joined yet. */
function decideClient(
  { requestedAt }: IdentityRequest,
  { id, part, launchedAt }: Instance,
  node: LiveObject | undefined,
  { maxInstanceAge }: IdentityPolicy,
): IdentityDecision {
  if (part !== 'nodes')
    return deny('NotPoolInstance', `${id} does not belong to a pool; control plane nodes do not join with a token`);
  const age = requestedAt - launchedAt;
  // Written so that NaN is denied.
  if (!(age >= -timestampResolution)) return deny('RequestedBeforeLaunch', `the request is older than ${id}`);
  if (!(age <= maxInstanceAge))
    return deny(
      'InstanceTooOld',
      `${id} requested a certificate ${minutes(age)} minutes after its launch, but only ${minutes(maxInstanceAge)} are allowed; terminate it so that its group launches a replacement`,
    );
  if (node && instanceIdOf(node) === id) return deny('AlreadyJoined', `${id} has already joined; ${replaceIt}`);
  if (node && isReady(node)) return defer('NameInUse', `the Ready Node of this name is ${providerOf(node)}, not ${id}`);
  return { ...approve(`${id} is running and has not joined yet`), joining: id };
}

const replaceIt = 'terminate it so that its group launches a replacement';

/** Returns the denial of a second client certificate for an instance. */
export const alreadyIssued = (
  instance: string,
  earlier: { readonly request: string; readonly at: string },
): IdentityDecision =>
  deny('AlreadyIssued', `${instance} got its certificate for ${earlier.request} at ${earlier.at}; ${replaceIt}`);

/** Decides on a serving certificate, for names and addresses of the node's own machine. */
function decideServing(
  { node: name, dnsNames, addresses }: IdentityRequest,
  instance: Instance,
  node: LiveObject | undefined,
): IdentityDecision {
  const foreign = [
    ...dnsNames.filter((one) => one !== name),
    ...addresses.filter((one) => !instance.addresses.includes(one)),
  ];
  if (foreign.length > 0) return deny('InvalidNames', `${foreign.join(', ')} does not belong to ${instance.id}`);
  if (!node || instanceIdOf(node) !== instance.id)
    return defer(
      'NodeMismatch',
      `${node ? `the Node of this name is ${providerOf(node)}, not ${instance.id}` : `no Node of this name exists for ${instance.id}`}`,
    );
  return approve(`${instance.id} is running with these names and addresses`);
}

const providerOf = (node: LiveObject): string => textAt(node, 'spec', 'providerID') ?? 'without a providerID';

/** Returns the machine id of a Node: the last segment of `aws:///ZONE/ID`. */
const instanceIdOf = (node: LiveObject): string | undefined => textAt(node, 'spec', 'providerID')?.split('/').at(-1);

const minutes = (milliseconds: number): number => Math.ceil(milliseconds / 60_000);

const approve = (message: string): IdentityDecision => ({ decision: 'approve', reason: 'InstanceVerified', message });
const deny = (reason: string, message: string): IdentityDecision => ({ decision: 'deny', reason, message });
const defer = (reason: string, message: string): IdentityDecision => ({ decision: 'defer', reason, message });
