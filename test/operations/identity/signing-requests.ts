import { type LiveObject } from '../../../lib/kube';
import { nodeSigners, type NodeCertificate } from '../../../lib/operations';

/** RBAC group of joining machines. */
export const bootstrapGroup = 'system:bootstrappers:pinion';
/** Time of a request. */
export const requestedAt = Date.parse('2026-11-21T12:00:00Z');

const usages = {
  client: ['digital signature', 'client auth'],
  serving: ['digital signature', 'server auth'],
};

/** Returns a CertificateSigningRequest as the API server stores it, of a joining machine or of the node itself. */
export const signingRequest = (
  certificate: NodeCertificate,
  pem: string,
  overrides: Readonly<Record<string, unknown>> = {},
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
    ...overrides,
  },
  status,
});
