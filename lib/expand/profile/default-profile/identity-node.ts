import { confined, type PartInput } from './part-input';

const socketFolder = '/run/spire/agent-sockets';
const statusPort = 19181;

const agentConfiguration = `agent {
  data_dir = "/run/spire/data"
  log_level = "info"
  server_address = "\${SPIRE_SERVER}"
  server_port = "8081"
  socket_path = "${socketFolder}/spire-agent.sock"
  trust_bundle_path = "/run/spire/bundle/bundle.crt"
  trust_domain = "\${TRUST_DOMAIN}"
}
plugins {
  NodeAttestor "k8s_psat" {
    plugin_data { cluster = "\${SPIRE_CLUSTER}" }
  }
  KeyManager "memory" {
    plugin_data {}
  }
  WorkloadAttestor "k8s" {
    plugin_data {
      kubelet_ca_path = "/var/run/secrets/kubernetes.io/serviceaccount/ca.crt"
      node_name_env = "NODE_NAME"
      skip_kubelet_verification = \${SKIP_KUBELET_VERIFICATION}
    }
  }
}
health_checks {
  listener_enabled = true
  bind_address = "127.0.0.1"
  bind_port = "${statusPort}"
  live_path = "/live"
  ready_path = "/ready"
}
`;

const nodeName = { name: 'NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } };
/**
 * The agent sends its token to the kubelet and believes what it says about pods: an unverified one could be an attacker on the
 * network of the node. Replaced by the value of the Platform.
 */
const verification = { name: 'SKIP_KUBELET_VERIFICATION', value: 'false' };
const probe = (path: string) => ({ httpGet: { host: '127.0.0.1', path, port: statusPort }, periodSeconds: 15 });

/** Part that runs the SPIRE agent, which issues certificates only to processes on its node. */
export const identityAgent: PartInput = {
  name: 'identity-agent',
  summary:
    "Node: the SPIRE agent, which attests the node to the server and each pod to itself; it lives on the node because only there a caller's process identifies its pod.",
  injection: 'Required',
  needsValues: ['spireServer', 'trustDomain', 'spireCluster'],
  valueEnv: {
    SPIRE_SERVER: 'spireServer',
    TRUST_DOMAIN: 'trustDomain',
    SPIRE_CLUSTER: 'spireCluster',
    [verification.name]: 'skipKubeletVerification',
  },
  node: {
    daemon: {
      critical: true,
      update: { maxUnavailable: '5%' },
      apiAccess: true,
      host: {
        network: true,
        pid: true,
        paths: [
          {
            name: 'sockets',
            path: socketFolder,
            mountPath: socketFolder,
            readOnly: false,
            type: 'DirectoryOrCreate',
          },
        ],
      },
      config: { files: { '/etc/spire/agent.conf': agentConfiguration } },
      template: {
        spec: {
          dnsPolicy: 'ClusterFirstWithHostNet',
          containers: [
            {
              name: 'spire-agent',
              image: 'ghcr.io/spiffe/spire-agent:1.15.3',
              args: ['-config', '/etc/spire/agent.conf', '-expandEnv'],
              env: [nodeName, verification],
              resources: { requests: { cpu: '50m', memory: '96Mi' }, limits: { memory: '256Mi' } },
              securityContext: confined(0),
              startupProbe: { ...probe('/ready'), periodSeconds: 2, failureThreshold: 60 },
              livenessProbe: { ...probe('/live'), failureThreshold: 6 },
              readinessProbe: probe('/ready'),
              volumeMounts: [
                { name: 'bundle', mountPath: '/run/spire/bundle', readOnly: true },
                { name: 'token', mountPath: '/var/run/secrets/tokens', readOnly: true },
                { name: 'data', mountPath: '/run/spire/data' },
              ],
            },
          ],
          volumes: [
            { name: 'bundle', configMap: { name: 'spire-bundle' } },
            { name: 'data', emptyDir: { medium: 'Memory', sizeLimit: '16Mi' } },
            {
              name: 'token',
              projected: {
                sources: [
                  { serviceAccountToken: { audience: 'spire-server', expirationSeconds: 7200, path: 'spire-agent' } },
                ],
              },
            },
          ],
        },
      },
    },
  },
};

const plugins = '/var/lib/kubelet/plugins/csi.spiffe.io';

/** Part that mounts the agent's socket in pods that must not mount host paths. */
export const identitySocket: PartInput = {
  name: 'identity-socket',
  summary:
    "Node: the SPIFFE CSI driver, which mounts the agent's socket in pods, so that they stay restricted; it lives on the node because it mounts there.",
  injection: 'Required',
  requires: ['identity-agent'],
  needsValues: ['spireServer', 'trustDomain'],
  node: {
    daemon: {
      critical: true,
      update: { maxUnavailable: '5%' },
      host: {
        paths: [
          { name: 'sockets', path: socketFolder, mountPath: socketFolder, type: 'DirectoryOrCreate' },
          { name: 'plugin', path: plugins, mountPath: '/csi', readOnly: false, type: 'DirectoryOrCreate' },
          {
            name: 'pods',
            path: '/var/lib/kubelet/pods',
            mountPath: '/host/pods',
            readOnly: false,
            type: 'Directory',
          },
          {
            name: 'registration',
            path: '/var/lib/kubelet/plugins_registry',
            mountPath: '/registration',
            readOnly: false,
            type: 'Directory',
          },
        ],
      },
      // Mounts made here must propagate to other pods, which the host paths of a daemon cannot express.
      patches: [
        {
          kind: 'DaemonSet',
          operations: [
            {
              op: 'add',
              path: '/spec/template/spec/containers/0/volumeMounts/-',
              value: { name: 'pods', mountPath: '/var/lib/kubelet/pods', mountPropagation: 'Bidirectional' },
            },
          ],
        },
      ],
      template: {
        spec: {
          containers: [
            {
              name: 'driver',
              image: 'ghcr.io/spiffe/spiffe-csi-driver:0.2.7',
              args: ['-workload-api-socket-dir', socketFolder, '-csi-socket-path', '/csi/csi.sock'],
              env: [{ ...nodeName, name: 'MY_NODE_NAME' }],
              resources: { requests: { cpu: '10m', memory: '32Mi' }, limits: { memory: '64Mi' } },
              // Only a privileged container may mount into directories of other pods.
              securityContext: {
                capabilities: { drop: ['ALL'] },
                privileged: true,
                readOnlyRootFilesystem: true,
                runAsNonRoot: false,
                runAsUser: 0,
              },
            },
            {
              name: 'registrar',
              image: 'registry.k8s.io/sig-storage/csi-node-driver-registrar:v2.15.0',
              args: ['-csi-address', '/csi/csi.sock', '-kubelet-registration-path', `${plugins}/csi.sock`],
              resources: { requests: { cpu: '10m', memory: '32Mi' }, limits: { memory: '64Mi' } },
              securityContext: confined(0),
            },
          ],
        },
      },
    },
  },
};
