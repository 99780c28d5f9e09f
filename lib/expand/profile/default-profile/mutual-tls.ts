import { workloadSocket, workloadSocketMount } from './certificates';
import { hardened, type PartInput, servingKinds } from './part-input';

const port = 19443;
const statusPort = 19105;

/** Part that terminates mutual TLS for an app that listens on loopback without TLS. */
export const mutualTls: PartInput = {
  name: 'mutual-tls',
  summary:
    "Pod: accepts connections of other workloads on port 19443, verifies their certificates, and forwards them to the app on loopback; it lives in the pod because it holds the pod's certificate. On SIGTERM it drains open connections for 25 s.",
  injection: 'OptIn',
  kinds: [...servingKinds],
  requires: ['certificates'],
  needsValues: ['trustDomain'],
  valueEnv: { TRUST_DOMAIN: 'trustDomain' },
  settings: {
    port: { type: 'integer', default: 8080, env: 'TARGET_PORT', summary: 'Port of the app on loopback.' },
    callers: {
      default: '**',
      env: 'CALLERS',
      summary: 'Path of the identities that may connect, such as ns/shop/sa/*; ** for the whole trust domain.',
    },
  },
  pod: {
    sidecars: [
      hardened(
        {
          name: 'pinion-mutual-tls',
          image: 'docker.io/ghostunnel/ghostunnel:v1.11.3-distroless',
          args: [
            'server',
            `--listen=0.0.0.0:${port}`,
            '--target=127.0.0.1:$(TARGET_PORT)',
            `--use-workload-api-addr=unix://${workloadSocket}`,
            '--allow-uri=spiffe://$(TRUST_DOMAIN)/$(CALLERS)',
            `--status=http://0.0.0.0:${statusPort}`,
            '--shutdown-timeout=25s',
            '--quiet=conns',
          ],
          ports: [
            { name: 'pinion-mtls', containerPort: port },
            { name: 'pinion-mtls-st', containerPort: statusPort },
          ],
          volumeMounts: [workloadSocketMount],
          // The health check fails until the app responds, but the app starts after this sidecar: only the socket is probed.
          startupProbe: { tcpSocket: { port: statusPort }, periodSeconds: 1, failureThreshold: 120 },
          livenessProbe: { tcpSocket: { port: statusPort }, periodSeconds: 15, failureThreshold: 6 },
        },
        { cpu: 50, memory: 32, memoryLimit: 128 },
      ),
    ],
  },
};
