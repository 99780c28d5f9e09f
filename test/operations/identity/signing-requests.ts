import { type LiveObject } from '../../../lib/kube';
import { nodeSigners, type NodeCertificate } from '../../../lib/operations';

/** Group of machines that join. */
export const bootstrapGroup = 'system:bootstrappers:pinion';
/** When a request was made. */
export const requestedAt = Date.parse('2026-11-21T12:00:00Z');

const usages = {
  client: ['digital signature', 'client auth'],
  serving: ['digital signature', 'server auth'],
};

/** A CertificateSigningRequest as the API server stores it, of a machine that joins or of the node itself. */
export const signingRequest = (
  certificate: NodeCertificate,
  pem: string,
  own: Readonly<Record<string, unknown>> = {},
  status: object = {},
): LiveObject => ({
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  metadata: { name: 'csr', uid: 'u', resourceVersion: '1', creationTimestamp: new Date(requestedAt).toISOString() },
  spec: {
    request: Buffer.from(pem).toString('base64'),
    signerName: nodeSigners[certificate],
    usages: usages[certificate],
    ...(certificate === 'client'
      ? { username: 'system:bootstrap:abcdef', groups: ['system:bootstrappers', bootstrapGroup] }
      : { username: 'system:node:node-a', groups: ['system:nodes', 'system:authenticated'] }),
    ...own,
  },
  status,
});
