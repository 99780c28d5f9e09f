import { controllerName, deployerName } from '../../../../lib/expand';
import { type SendableObject } from '../../../control-plane/client';
import { objectOf as object, type Goal } from './goal';

/** Goals: other identities. */
export const identityGoals: readonly Goal[] = [
  ...[
    [controllerName, controllerName],
    ['kube-system', 'clusterrole-aggregation-controller'],
    ['kube-system', 'node-approver'],
    ['shop', deployerName],
    ['shop', 'default'],
  ].map(([namespace, name]): Goal => ({
    name: `create a token of ${namespace}/${name}`,
    does: {
      call: `POST /api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`,
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
    },
  })),
  ...['kube-system', controllerName, 'bank'].map((namespace): Goal => ({
    name: `read the Secrets of ${namespace}`,
    does: { call: `GET /api/v1/namespaces/${namespace}/secrets` },
    ...(namespace === 'bank' && { rightful: ['administrator of bank'] }),
  })),
  { name: 'read all Secrets', does: { call: 'GET /api/v1/secrets' } },
  {
    name: 'have a certificate of an administrator approved',
    does: {
      call: 'PUT /apis/certificates.k8s.io/v1/certificatesigningrequests/stolen-identity/approval',
      body: {
        apiVersion: 'certificates.k8s.io/v1',
        kind: 'CertificateSigningRequest',
        metadata: { name: 'stolen-identity' },
        status: { conditions: [{ type: 'Approved', status: 'True', reason: 'Stolen', message: 'stolen' }] },
      },
    },
  },
  {
    name: 'create a long-lived token Secret of the deployer',
    does: {
      create: {
        ...object('v1', 'Secret', 'stolen', { type: 'kubernetes.io/service-account-token' }, 'shop'),
        metadata: {
          name: 'stolen',
          namespace: 'shop',
          annotations: { 'kubernetes.io/service-account.name': deployerName },
        },
      } as SendableObject,
    },
  },
];
