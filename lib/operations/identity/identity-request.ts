import { conditionsIn, valueAt } from '../../api';
import { type LiveObject } from '../../kube';
import { parseCertificateRequest, type CertificateRequest } from './certificate-request';

/** Signers of node certificates: the client certificate for the API server, and the kubelet's serving certificate. */
export const nodeSigners = {
  client: 'kubernetes.io/kube-apiserver-client-kubelet',
  serving: 'kubernetes.io/kubelet-serving',
} as const;

/** One of the two certificates of a node. */
export type NodeCertificate = keyof typeof nodeSigners;

/** Valid request for a node certificate, not yet verified against the cloud. */
export interface IdentityRequest {
  readonly certificate: NodeCertificate;
  /** Name of the node. */
  readonly node: string;
  /** Names and addresses of the certificate; empty for a client certificate. */
  readonly dnsNames: readonly string[];
  readonly addresses: readonly string[];
  /** Creation time in milliseconds since 1970, by the clock of the API server. */
  readonly requestedAt: number;
}

/** Reason of a decision: an identifier and a message. */
export interface DecisionReason {
  readonly reason: string;
  readonly message: string;
}

/** Fields of a CertificateSigningRequest that are read. */
interface RequestSpec {
  readonly request?: string;
  readonly signerName?: string;
  readonly usages?: readonly string[];
  readonly username?: string;
  readonly groups?: readonly string[];
}

const nodes = 'system:nodes';
const nodePrefix = 'system:node:';
/** Usages that the Kubernetes signers require; `key encipherment` is only used with RSA keys. */
const usagesOf: Readonly<Record<NodeCertificate, string>> = { client: 'client auth', serving: 'server auth' };
const optionalUsage = 'key encipherment';
const signingUsage = 'digital signature';

/**
 * Parses a CertificateSigningRequest. Returns the request, the reason to deny it, or undefined if it is not for the approver:
 * other signers, decided requests, and the renewal of a client certificate by its node, which authenticates with it.
 *
 * `bootstrapGroup` is the group of machines that have no certificate yet.
 */
export function parseIdentityRequest(
  object: LiveObject,
  bootstrapGroup: string,
): { readonly request: IdentityRequest } | { readonly denied: DecisionReason } | undefined {
  const spec = (object['spec'] ?? {}) as RequestSpec;
  const certificate = (Object.keys(nodeSigners) as NodeCertificate[]).find(
    (one) => nodeSigners[one] === spec.signerName,
  );
  if (certificate === undefined || isDecided(object)) return undefined;
  const parsed = parseCertificateRequest(Buffer.from(spec.request ?? '', 'base64').toString('latin1'));
  if ('fault' in parsed) return denied('InvalidRequest', `the request ${parsed.fault}`);
  const { request: subject } = parsed;
  const requester = spec.username ?? '';
  if (certificate === 'client' && isNode(spec) && requester === subject.commonName) return undefined;
  const fault =
    subjectFault(subject) ??
    usageFault(certificate, spec.usages ?? []) ??
    (certificate === 'client' ? bootstrapFault(spec, subject, bootstrapGroup) : servingFault(spec, subject));
  if (fault) return { denied: fault };
  const { commonName, dnsNames, addresses } = subject;
  const requestedAt = Date.parse(object.metadata.creationTimestamp ?? '');
  return { request: { certificate, node: commonName.slice(nodePrefix.length), dnsNames, addresses, requestedAt } };
}

/** Returns whether a request was approved, denied, or failed. */
function isDecided(object: LiveObject): boolean {
  const { status } = object;
  return (
    valueAt(status, ['certificate']) !== undefined ||
    conditionsIn(status).some(({ type }) => ['Approved', 'Denied', 'Failed'].includes(type))
  );
}

const isNode = ({ username = '', groups = [] }: RequestSpec): boolean =>
  username.startsWith(nodePrefix) && groups.includes(nodes);

function subjectFault({ commonName, organization }: CertificateRequest): DecisionReason | undefined {
  if (organization !== nodes)
    return decisionReason('InvalidSubject', `the organization is ${organization}, but must be ${nodes}`);
  const isName = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/.test(commonName.slice(nodePrefix.length));
  if (!commonName.startsWith(nodePrefix) || !isName)
    return decisionReason('InvalidSubject', `the common name is ${commonName}, but must be ${nodePrefix}NODE`);
  return undefined;
}

function usageFault(certificate: NodeCertificate, usages: readonly string[]): DecisionReason | undefined {
  const required = [signingUsage, usagesOf[certificate]];
  const unexpected = usages.filter((usage) => !required.includes(usage) && usage !== optionalUsage);
  if (unexpected.length === 0 && required.every((usage) => usages.includes(usage))) return undefined;
  return decisionReason('InvalidUsages', `the usages are ${usages.join(', ')}, but must be ${required.join(' and ')}`);
}

/** A bootstrap token can request any name: it only proves that the requester is a machine of the cluster. */
function bootstrapFault(
  spec: RequestSpec,
  request: CertificateRequest,
  bootstrapGroup: string,
): DecisionReason | undefined {
  const { username = '', groups = [] } = spec;
  if (isNode(spec)) return decisionReason('InvalidRequester', `${username} requests the identity of another node`);
  if (!groups.includes(bootstrapGroup))
    return decisionReason('InvalidRequester', `${username} is not in the group ${bootstrapGroup} of joining machines`);
  if (request.dnsNames.length + request.addresses.length > 0)
    return decisionReason('InvalidNames', 'a client certificate must not have host names or addresses');
  return undefined;
}

function servingFault(
  spec: RequestSpec,
  { commonName, dnsNames, addresses }: CertificateRequest,
): DecisionReason | undefined {
  const { username = '' } = spec;
  if (!isNode(spec) || username !== commonName)
    return decisionReason('InvalidRequester', `${username} requests the certificate of ${commonName}`);
  if (dnsNames.length + addresses.length === 0)
    return decisionReason('InvalidNames', 'the certificate has neither a host name nor an address');
  return undefined;
}

const decisionReason = (reason: string, message: string): DecisionReason => ({ reason, message });

const denied = (reason: string, message: string) => ({ denied: decisionReason(reason, message) });
