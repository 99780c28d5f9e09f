import { only, type GoldenCase } from '../golden-case';

interface Wired {
  readonly name: string;
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly volumeMounts: readonly { readonly mountPath: string; readonly name: string }[];
}
interface Template {
  readonly automountServiceAccountToken: boolean;
  readonly containers: readonly Wired[];
  readonly initContainers: readonly Wired[];
  readonly volumes: readonly object[];
}

const templateOf = (deployment: object): Template =>
  (deployment as { readonly spec: { readonly template: { readonly spec: Template } } }).spec.template.spec;
const hostOf = ({ env }: Wired): string | undefined =>
  env.find(({ name }) => name === 'KUBERNETES_SERVICE_HOST')?.value;

export default {
  title: 'clients in all containers find the gateway where they look for the API server',
  expectations: {
    'the token is for the gateway alone, and beside it are its authority and the namespace': (objects) => {
      const { automountServiceAccountToken, volumes } = templateOf(only(objects, 'Deployment'));
      expect(automountServiceAccountToken).toBe(false);
      expect(volumes).toContainEqual(
        expect.objectContaining({
          name: 'pinion-api-access',
          projected: {
            sources: [
              { serviceAccountToken: { audience: 'pinion-gateway', expirationSeconds: 3607, path: 'token' } },
              { configMap: { name: 'pinion-gateway-ca', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
              { downwardAPI: { items: [{ path: 'namespace', fieldRef: { fieldPath: 'metadata.namespace' } }] } },
            ],
          },
        }),
      );
    },
    'pods whose access is restricted reach the port of the gateway for clients alone': (objects) =>
      expect(only(objects, 'NetworkPolicy').spec).toMatchObject({
        egress: [
          { to: [{ ipBlock: { cidr: '10.1.0.0/16' } }] },
          { ports: [{ port: 53 }, { port: 53 }] },
          {
            to: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'pinion-gateway' } } }],
            ports: [{ port: 8443, protocol: 'TCP' }],
          },
        ],
      }),
    'init containers, sidecars and containers have the address, unless they set one themselves': (objects) => {
      const { containers, initContainers } = templateOf(only(objects, 'Deployment'));
      const hosts = Object.fromEntries([...initContainers, ...containers].map((one) => [one.name, hostOf(one)]));
      expect(hosts).toMatchObject({ discover: '10.96.0.20', app: '10.96.0.20', 'own-proxy': '127.0.0.1' });
      expect(initContainers.length).toBeGreaterThan(1);
      for (const one of [...initContainers, ...containers])
        expect(one.volumeMounts).toContainEqual({
          name: 'pinion-api-access',
          mountPath: '/var/run/secrets/kubernetes.io/serviceaccount',
          readOnly: true,
        });
    },
  },
} satisfies GoldenCase;
