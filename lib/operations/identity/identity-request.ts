import { conditionsIn, valueAt } from '../../api';
import { type LiveObject } from '../../kube';
import { readCertificateRequest, type CertificateRequest } from './certificate-request';

/** Signers of certificates that a node proves itself with: to the API server, and to who connects to its kubelet. */
export const nodeSigners = {
  client: 'kubernetes.io/kube-apiserver-client-kubelet',
  serving: 'kubernetes.io/kubelet-serving',
} as const;

/** Which of the two certificates of a node is asked for. */
export type NodeCertificate = keyof typeof nodeSigners;

/** A certificate that one node asks for, all that can be known without the cloud having been looked at and found right. */
export interface IdentityRequest {
  readonly certificate: NodeCertificate;
  /** Name of the node. */
  readonly node: string;
  /** Names and addresses that the certificate is to be good for; none in a client's. */
  readonly dnsNames: readonly string[];
  readonly addresses: readonly string[];
  /** When it was asked, in milliseconds since 1970, by the API server's clock. */
  readonly asked: number;
}

/** Why something is decided as it is: one word for programs, a sentence for people. */
export interface Grounds {
  readonly reason: string;
  readonly message: string;
}

/** As much of a CertificateSigningRequest as is looked at. */
interface RequestSpec {
  readonly request?: string;
  readonly signerName?: string;
  readonly usages?: readonly string[];
  readonly username?: string;
  readonly groups?: readonly string[];
}

const nodes = 'system:nodes';
const nodePrefix = 'system:node:';
/** Usages of each certificate as the signers of Kubernetes demand them; keys other than RSA encipher none. */
const usagesOf: Readonly<Record<NodeCertificate, string>> = { client: 'client auth', serving: 'server auth' };
const optionalUsage = 'key encipherment';
const signingUsage = 'digital signature';

/**
 * What a CertificateSigningRequest asks for, or why it can only be denied; undefined where it is for others to decide:
 * other signers, what is decided already, and a node that renews its own client certificate, which proves it.
 *
 * `bootstrapGroup` is the group of machines that have no certificate yet.
 */
export function identityRequestOf(
  object: LiveObject,
  bootstrapGroup: string,
): { readonly asks: IdentityRequest } | { readonly refused: Grounds } | undefined {
  const spec = (object['spec'] ?? {}) as RequestSpec;
  const certificate = (Object.keys(nodeSigners) as NodeCertificate[]).find(
    (one) => nodeSigners[one] === spec.signerName,
  );
  if (certificate === undefined || isDecided(object)) return undefined;
  const read = readCertificateRequest(Buffer.from(spec.request ?? '', 'base64').toString('latin1'));
  if ('fault' in read) return refused('Unreadable', `the request ${read.fault}`);
  const { request } = read;
  const asker = spec.username ?? '';
  if (certificate === 'client' && isNode(spec) && asker === request.commonName) return undefined;
  const fault =
    subjectFault(request) ??
    usageFault(certificate, spec.usages ?? []) ??
    (certificate === 'client' ? bootstrapFault(spec, request, bootstrapGroup) : servingFault(spec, request));
  if (fault) return { refused: fault };
  const { commonName, dnsNames, addresses } = request;
  const asked = Date.parse(object.metadata.creationTimestamp ?? '');
  return { asks: { certificate, node: commonName.slice(nodePrefix.length), dnsNames, addresses, asked } };
}

/** Whether a request was approved, denied, or given up by its signer. */
function isDecided(object: LiveObject): boolean {
  const { status } = object;
  return (
    valueAt(status, ['certificate']) !== undefined ||
    conditionsIn(status).some(({ type }) => ['Approved', 'Denied', 'Failed'].includes(type))
  );
}

const isNode = ({ username = '', groups = [] }: RequestSpec): boolean =>
  username.startsWith(nodePrefix) && groups.includes(nodes);

function subjectFault({ commonName, organization }: CertificateRequest): Grounds | undefined {
  if (organization !== nodes) return grounds('WrongSubject', `the organization is ${organization}, not ${nodes}`);
  const isName = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/.test(commonName.slice(nodePrefix.length));
  if (!commonName.startsWith(nodePrefix) || !isName)
    return grounds('WrongSubject', `the common name is ${commonName}, not ${nodePrefix} and the name of a node`);
  return undefined;
}

function usageFault(certificate: NodeCertificate, usages: readonly string[]): Grounds | undefined {
  const needed = [signingUsage, usagesOf[certificate]];
  const beyond = usages.filter((usage) => !needed.includes(usage) && usage !== optionalUsage);
  if (beyond.length === 0 && needed.every((usage) => usages.includes(usage))) return undefined;
  return grounds('WrongUsages', `the usages are ${usages.join(', ')}, not ${needed.join(' and ')}`);
}

/** Whoever holds a bootstrap token may ask for any name: what the token proves is only that a machine of the cluster asks. */
function bootstrapFault(spec: RequestSpec, request: CertificateRequest, bootstrapGroup: string): Grounds | undefined {
  const { username = '', groups = [] } = spec;
  if (isNode(spec)) return grounds('WrongRequester', `${username} asks to be another node`);
  if (!groups.includes(bootstrapGroup))
    return grounds('WrongRequester', `${username} is no machine that joins: it is not in the group ${bootstrapGroup}`);
  if (request.dnsNames.length + request.addresses.length > 0)
    return grounds('WrongNames', "a client's certificate is good for no host name or address");
  return undefined;
}

function servingFault(spec: RequestSpec, { commonName, dnsNames, addresses }: CertificateRequest): Grounds | undefined {
  const { username = '' } = spec;
  if (!isNode(spec) || username !== commonName)
    return grounds('WrongRequester', `${username} asks for the certificate of ${commonName}`);
  if (dnsNames.length + addresses.length === 0)
    return grounds('WrongNames', 'the certificate would be good for no host name and no address');
  return undefined;
}

const grounds = (reason: string, message: string): Grounds => ({ reason, message });

const refused = (reason: string, message: string) => ({ refused: grounds(reason, message) });
