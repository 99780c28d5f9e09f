import { type PartInput } from './part-input';

const folder = '/var/run/pinion/identity';

/** Part that adds the pod's token, which the kubelet issues and renews, and which authenticates to the secrets store. */
export const identity: PartInput = {
  name: 'identity',
  summary:
    "Pod: a signed token of the pod's service account, issued and renewed by the kubelet; it lives in the pod because it names the pod.",
  injection: 'Required',
  pod: {
    volumes: [
      {
        name: 'pinion-identity',
        projected: {
          sources: [
            // One hour is the shortest lifetime that most issuers allow without a warning; the kubelet renews the token
            // at 80%.
            { serviceAccountToken: { audience: 'pinion', expirationSeconds: 3600, path: 'token' } },
            {
              configMap: {
                name: 'kube-root-ca.crt',
                items: [{ key: 'ca.crt', path: 'issuer-ca.pem' }],
                optional: true,
              },
            },
          ],
        },
      },
    ],
    volumeMounts: [{ name: 'pinion-identity', mountPath: folder, readOnly: true }],
    env: [{ name: 'PINION_IDENTITY_TOKEN', value: `${folder}/token` }],
  },
};
