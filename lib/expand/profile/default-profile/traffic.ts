import { identityVariables } from './environment';
import { hardened, type PartInput, servingKinds } from './part-input';

const port = 19106;

/** Command that runs the registrar; the image has Node.js on its PATH. */
const program = ['node', '/pinion/registrar.js'];

/** Part that registers the pod's address for service discovery while the app is ready. */
export const traffic: PartInput = {
  name: 'traffic',
  summary:
    "Pod: registers the pod's address in ZooKeeper while the app answers on its readiness path, and removes it once the pod is terminating; it lives in the pod so that its session, and with it the entry, ends with the pod. Has no public image: unavailable until the Platform names one.",
  injection: 'Required',
  kinds: [...servingKinds],
  after: ['network', 'certificates'],
  requires: ['identity'],
  needsImage: true,
  needsValues: ['zookeeper'],
  valueEnv: { ZOOKEEPER: 'zookeeper', REGION: 'region' },
  settings: {
    port: { type: 'integer', default: 8080, env: 'SERVICE_PORT', summary: 'Registered port.' },
    path: {
      default: '/healthz',
      env: 'READINESS_PATH',
      summary: 'Path at which the app responds with 200 when it is ready.',
    },
    name: { env: 'SERVICE_NAME', summary: 'Registered name. Defaults to <project>/<workload>.' },
    level: {
      values: ['error', 'warn', 'info', 'debug'],
      default: 'info',
      env: 'LOG_LEVEL',
      summary: 'Log level.',
    },
  },
  pod: {
    sidecars: [
      hardened(
        {
          name: 'pinion-traffic',
          // Placeholder: without an image in the Platform, the part is unavailable.
          image: 'registry.example.com/pinion/registrar:1.0.0',
          command: program,
          env: [
            ...identityVariables,
            { name: 'STATUS_PORT', value: String(port) },
            { name: 'IDENTITY_TOKEN', value: '/var/run/pinion/identity/token' },
          ],
          ports: [{ name: 'pinion-traffic', containerPort: port }],
          volumeMounts: [{ name: 'pinion-identity', mountPath: '/var/run/pinion/identity', readOnly: true }],
          // The kubelet runs the hooks of all containers when a pod starts terminating, but sends SIGTERM to sidecars only after the app exits.
          lifecycle: { preStop: { exec: { command: [...program, 'withdraw'] } } },
          startupProbe: { httpGet: { path: '/live', port }, periodSeconds: 1, failureThreshold: 60 },
          livenessProbe: {
            httpGet: { path: '/live', port },
            periodSeconds: 15,
            timeoutSeconds: 5,
            failureThreshold: 6,
          },
        },
        { cpu: 10, memory: 48, memoryLimit: 128 },
      ),
    ],
  },
};
