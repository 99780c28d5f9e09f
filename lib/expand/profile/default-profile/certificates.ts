import { appKinds, hardened, type PartInput } from './part-input';

const folder = '/var/run/pinion/certificates';
const port = 19104;

/** Path of the node's SPIRE agent socket in a pod. */
export const workloadSocket = '/run/spiffe/workload/spire-agent.sock';

/** Mount of the agent's socket, which the CSI driver on the node provides. */
export const workloadSocketMount = {
  name: 'pinion-workload-socket',
  mountPath: '/run/spiffe/workload',
  readOnly: true,
};

const helper = `agent_address = "${workloadSocket}"
cert_dir = "${folder}"
daemon_mode = true
svid_file_name = "certificate.pem"
svid_key_file_name = "key.pem"
svid_bundle_file_name = "authorities.pem"
cert_file_mode = 0444
# The folder is memory of this pod alone, and its containers run as different users.
key_file_mode = 0444
health_checks {
  listener_enabled = true
  bind_port = ${port}
  liveness_path = "/live"
  readiness_path = "/ready"
}
`;

/** Part that fetches the pod's X.509 certificate before the app starts and renews it while it runs. */
export const certificates: PartInput = {
  name: 'certificates',
  summary:
    "Pod: fetches the pod's SPIFFE certificate from the node's agent before the app starts and renews it; it lives in the pod because the private key must never leave it. Exits on SIGTERM immediately.",
  injection: 'Required',
  kinds: [...appKinds],
  requires: ['identity', 'identity-agent', 'identity-socket'],
  after: ['network'],
  needsValues: ['spireServer', 'trustDomain'],
  pod: {
    files: { '/etc/pinion/certificates/helper.conf': helper },
    sidecars: [
      hardened(
        {
          name: 'pinion-certificates',
          image: 'ghcr.io/spiffe/spiffe-helper:0.11.0',
          args: ['-config', '/etc/pinion/certificates/helper.conf'],
          ports: [{ name: 'pinion-certs', containerPort: port }],
          volumeMounts: [{ name: 'pinion-certificates', mountPath: folder }, workloadSocketMount],
          startupProbe: { httpGet: { path: '/ready', port }, periodSeconds: 1, failureThreshold: 120 },
          livenessProbe: {
            httpGet: { path: '/live', port },
            periodSeconds: 15,
            timeoutSeconds: 5,
            failureThreshold: 6,
          },
        },
        { cpu: 10, memory: 32, memoryLimit: 64 },
      ),
    ],
    volumes: [
      { name: 'pinion-certificates', emptyDir: { medium: 'Memory', sizeLimit: '1Mi' } },
      { name: workloadSocketMount.name, csi: { driver: 'csi.spiffe.io', readOnly: true } },
    ],
    volumeMounts: [{ name: 'pinion-certificates', mountPath: folder, readOnly: true }],
    env: [
      { name: 'PINION_CERTIFICATE', value: `${folder}/certificate.pem` },
      { name: 'PINION_CERTIFICATE_KEY', value: `${folder}/key.pem` },
      { name: 'PINION_CERTIFICATE_AUTHORITIES', value: `${folder}/authorities.pem` },
    ],
  },
};
