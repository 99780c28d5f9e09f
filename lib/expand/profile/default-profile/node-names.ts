import { type PartInput } from './part-input';

/** Link-local address of the DNS cache on every node, the default of NodeLocal DNSCache. */
export const nodeNamesAddress = '169.254.20.10';
const statusPort = 19183;
const metricsPort = 19184;

const zone = (name: string) => `${name} {
    errors
    cache 30
    reload
    loop
    bind ${nodeNamesAddress}
    forward . __PILLAR__CLUSTER__DNS__ {
        force_tcp
    }
    prometheus :${metricsPort}
    health 127.0.0.1:${statusPort}
}
`;

/** Part that caches DNS on each node, so that lookups neither cross the network nor fill connection tables. */
export const nodeNames: PartInput = {
  name: 'node-names',
  summary:
    'Node: answers DNS queries of the node on 169.254.20.10 from a cache; it lives on the node so that names resolve without the network. Kubelets must use that address as their clusterDNS.',
  injection: 'Required',
  needsValues: ['clusterDns'],
  // The cache reads the address of its upstream from the Kubernetes service variables.
  valueEnv: { KUBE_DNS_SERVICE_HOST: 'clusterDns' },
  node: {
    daemon: {
      critical: true,
      update: { maxUnavailable: '1%' },
      host: {
        network: true,
        paths: [
          {
            name: 'xtables-lock',
            path: '/run/xtables.lock',
            mountPath: '/run/xtables.lock',
            readOnly: false,
            type: 'FileOrCreate',
          },
        ],
      },
      config: {
        files: { '/etc/coredns/Corefile.base': zone('.:53') },
      },
      template: {
        spec: {
          // The cache must not resolve names through itself.
          dnsPolicy: 'Default',
          containers: [
            {
              name: 'node-cache',
              image: 'registry.k8s.io/dns/k8s-dns-node-cache:1.26.8',
              args: [
                '-upstreamsvc',
                'kube-dns',
                '-localip',
                nodeNamesAddress,
                '-basecorefile',
                '/etc/coredns/Corefile.base',
                '-conf',
                '/run/pinion-names/Corefile',
                '-pidfile',
                '/run/pinion-names/pid',
                '-health-port',
                String(statusPort),
                '-metrics-listen-address',
                `127.0.0.1:${metricsPort + 1}`,
              ],
              resources: { requests: { cpu: '25m', memory: '32Mi' }, limits: { memory: '128Mi' } },
              // It creates an interface and packet filter rules; its iptables wrapper creates links on the root file system.
              securityContext: {
                allowPrivilegeEscalation: false,
                capabilities: { add: ['NET_ADMIN', 'NET_BIND_SERVICE', 'NET_RAW'], drop: ['ALL'] },
                readOnlyRootFilesystem: false,
                runAsNonRoot: false,
                runAsUser: 0,
                seccompProfile: { type: 'RuntimeDefault' },
              },
              livenessProbe: {
                httpGet: { host: '127.0.0.1', path: '/health', port: statusPort },
                periodSeconds: 15,
                timeoutSeconds: 5,
                failureThreshold: 6,
              },
              volumeMounts: [{ name: 'scratch', mountPath: '/run/pinion-names' }],
            },
          ],
          volumes: [{ name: 'scratch', emptyDir: { sizeLimit: '1Mi' } }],
        },
      },
    },
  },
};
