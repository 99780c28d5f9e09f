/** An invalid pod: the change to a valid one, and the expected problem. */
export interface PodCase {
  readonly title: string;
  /** Changed fields of the pod. */
  readonly pod?: Readonly<Record<string, unknown>>;
  /** Changed fields of the first container. */
  readonly container?: Readonly<Record<string, unknown>>;
  /** `code path` of one of the problems. */
  readonly problem: string;
  /** True if the API server accepts the pod, but pinion rejects it by design (documented). */
  readonly bound?: true;
}

/** A pod spec that uses most Kubernetes fields. */
export function goodPod(): Record<string, unknown> {
  return {
    containers: [goodContainer()],
    initContainers: [
      {
        name: 'setup',
        image: 'busybox:1.36',
        command: ['sh', '-c', 'true'],
        volumeMounts: [{ name: 'scratch', mountPath: '/work' }],
      },
      {
        name: 'logs',
        image: 'fluent-bit:3',
        restartPolicy: 'Always',
        startupProbe: { tcpSocket: { port: 2020 }, failureThreshold: 30 },
        resources: { requests: { cpu: '10m', memory: '16Mi' }, limits: { memory: '64Mi' } },
      },
    ],
    volumes: [
      { name: 'empty' },
      { name: 'scratch', emptyDir: { medium: 'Memory', sizeLimit: '64Mi' } },
      {
        name: 'settings',
        configMap: { name: 'settings', items: [{ key: 'app.conf', path: 'conf/app.conf', mode: 0o440 }] },
      },
      { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
      {
        name: 'identity',
        projected: {
          defaultMode: 0o444,
          sources: [
            { serviceAccountToken: { audience: 'sts.amazonaws.com', expirationSeconds: 3600, path: 'token' } },
            { downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
          ],
        },
      },
      {
        name: 'cache',
        ephemeral: {
          volumeClaimTemplate: {
            metadata: { labels: { use: 'cache' } },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '10Gi' } } },
          },
        },
      },
    ],
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [
            { matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['a', 'b'] }] },
          ],
        },
      },
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          {
            weight: 100,
            podAffinityTerm: { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'a' } } },
          },
        ],
      },
    },
    tolerations: [
      { key: 'dedicated', operator: 'Equal', value: 'batch', effect: 'NoSchedule' },
      { operator: 'Exists' },
    ],
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'topology.kubernetes.io/zone',
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: { matchLabels: { app: 'a' } },
        matchLabelKeys: ['pod-template-hash'],
      },
    ],
    securityContext: { runAsNonRoot: true, fsGroup: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    dnsConfig: {
      nameservers: ['10.0.0.10', 'fd00::10'],
      searches: ['example.com', 'svc.cluster.local.'],
      options: [{ name: 'ndots', value: '2' }],
    },
    hostAliases: [{ ip: '127.0.0.1', hostnames: ['foo.local'] }],
    imagePullSecrets: [{ name: 'registry' }],
    nodeSelector: { 'kubernetes.io/arch': 'amd64' },
  };
}

/** A container that uses most Kubernetes fields. */
export function goodContainer(): Record<string, unknown> {
  return {
    name: 'app',
    image: 'registry.example.com/app:1.4.2@sha256:' + 'a'.repeat(64),
    imagePullPolicy: 'IfNotPresent',
    command: ['/app'],
    args: ['--port=8080'],
    ports: [
      { name: 'http', containerPort: 8080 },
      { name: 'quic', containerPort: 8080, protocol: 'UDP' },
    ],
    env: [
      { name: 'PLAIN', value: 'x' },
      { name: 'with.dots-and dashes', value: '' },
      { name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      { name: 'APP', valueFrom: { fieldRef: { fieldPath: "metadata.labels['app.kubernetes.io/name']" } } },
      { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '1m' } } },
      { name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'tokens', key: 'main', optional: true } } },
    ],
    envFrom: [{ prefix: 'CFG_', configMapRef: { name: 'settings' } }],
    resources: {
      requests: { cpu: '250m', memory: '256Mi', 'nvidia.com/gpu': 1, 'ephemeral-storage': '1Gi' },
      limits: { cpu: 2, memory: '1Gi', 'nvidia.com/gpu': '1' },
    },
    livenessProbe: {
      httpGet: { path: '/live', port: 'http', httpHeaders: [{ name: 'X-Probe', value: '1' }] },
      periodSeconds: 10,
    },
    readinessProbe: { grpc: { port: 9090 }, successThreshold: 2 },
    lifecycle: { preStop: { sleep: { seconds: 5 } }, postStart: { exec: { command: ['true'] } } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
      runAsUser: 1000,
    },
    volumeMounts: [
      { name: 'settings', mountPath: '/etc/app', readOnly: true, recursiveReadOnly: 'IfPossible' },
      { name: 'data', mountPath: '/data', subPathExpr: '$(POD)' },
      { name: 'identity', mountPath: '/var/run/identity' },
    ],
    terminationMessagePolicy: 'FallbackToLogsOnError',
  };
}

const env = (entry: unknown) => ({ env: [entry] });
const first = 'spec.containers[0]';
const volume = (source: unknown) => ({
  volumes: [source],
  containers: [{ name: 'app', image: 'x' }],
  initContainers: [],
});
const nodeTerm = (term: unknown) => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } } },
});
const nodeTerms = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms';
const podTerm = (term: unknown) => ({
  affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } },
});
const podTerms = 'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]';
const init = (entry: unknown) => ({ initContainers: [entry] });

/** Invalid pods, at least one per rule. */
export const podCases: readonly PodCase[] = [
  { title: 'no containers', pod: { containers: [] }, problem: 'required spec.containers' },
  { title: 'a container without a name', container: { name: undefined }, problem: `required ${first}.name` },
  { title: 'a container name with capitals', container: { name: 'App' }, problem: `bad-format ${first}.name` },
  {
    title: 'a container name that is too long',
    container: { name: 'a'.repeat(64) },
    problem: `out-of-range ${first}.name`,
  },
  { title: 'no image', container: { image: undefined }, problem: `required ${first}.image` },
  { title: 'an empty image', container: { image: '' }, problem: `required ${first}.image` },
  { title: 'spaces around an image', container: { image: ' app ' }, problem: `bad-format ${first}.image`, bound: true },
  { title: 'an unknown field', container: { imag: 'x' }, problem: `unknown-field ${first}.imag` },
  { title: 'a null', container: { workingDir: null }, problem: `wrong-type ${first}.workingDir`, bound: true },
  {
    title: 'a pull policy in lower case',
    container: { imagePullPolicy: 'always' },
    problem: `unsupported-value ${first}.imagePullPolicy`,
  },
  {
    title: 'an unknown restart policy',
    container: { restartPolicy: 'Sometimes' },
    problem: `unsupported-value ${first}.restartPolicy`,
  },
  {
    title: 'restart rules without a policy',
    container: { restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [42] } }] },
    problem: `required ${first}.restartPolicy`,
  },
  {
    title: 'a restart rule without exit codes',
    container: { restartPolicy: 'Never', restartPolicyRules: [{ action: 'Restart' }] },
    problem: `required ${first}.restartPolicyRules[0].exitCodes`,
  },
  { title: 'a command that is a string', container: { command: 'run' }, problem: `wrong-type ${first}.command` },
  {
    title: 'a port as a string',
    container: { ports: [{ containerPort: '80' }] },
    problem: `wrong-type ${first}.ports[0].containerPort`,
  },
  {
    title: 'port 0',
    container: { ports: [{ containerPort: 0 }] },
    problem: `out-of-range ${first}.ports[0].containerPort`,
  },
  {
    title: 'port 65536',
    container: { ports: [{ containerPort: 65536 }] },
    problem: `out-of-range ${first}.ports[0].containerPort`,
  },
  {
    title: 'a host port out of range',
    container: { ports: [{ containerPort: 1, hostPort: 70000 }] },
    problem: `out-of-range ${first}.ports[0].hostPort`,
  },
  {
    title: 'an unknown protocol',
    container: { ports: [{ containerPort: 1, protocol: 'tcp' }] },
    problem: `unsupported-value ${first}.ports[0].protocol`,
  },
  {
    title: 'a port name without a letter',
    container: { ports: [{ containerPort: 1, name: '123' }] },
    problem: `bad-format ${first}.ports[0].name`,
  },
  {
    title: 'a port name with two dashes',
    container: { ports: [{ containerPort: 1, name: 'a--b' }] },
    problem: `bad-format ${first}.ports[0].name`,
  },
  {
    title: 'a port name that is too long',
    container: { ports: [{ containerPort: 1, name: 'abcdefghijklmnop' }] },
    problem: `out-of-range ${first}.ports[0].name`,
  },
  {
    title: 'two ports with the same name',
    container: {
      ports: [
        { containerPort: 1, name: 'a' },
        { containerPort: 2, name: 'a' },
      ],
    },
    problem: `duplicate ${first}.ports[1].name`,
  },
  {
    title: 'the same port twice',
    container: { ports: [{ containerPort: 1 }, { containerPort: 1, protocol: 'TCP' }] },
    problem: `duplicate ${first}.ports[1].containerPort`,
    bound: true,
  },
  {
    title: 'the same host port twice',
    container: {
      ports: [
        { containerPort: 1, hostPort: 9 },
        { containerPort: 2, hostPort: 9 },
      ],
    },
    problem: `duplicate ${first}.ports[1].hostPort`,
  },
  {
    title: 'a host port that differs from the container port with hostNetwork',
    pod: { hostNetwork: true },
    container: { ports: [{ containerPort: 1, hostPort: 2 }] },
    problem: `invalid-combination ${first}.ports[0].hostPort`,
  },
  { title: 'an empty variable name', container: env({ name: '' }), problem: `bad-format ${first}.env[0].name` },
  { title: 'a variable name with =', container: env({ name: 'A=B' }), problem: `bad-format ${first}.env[0].name` },
  {
    title: 'a variable name with a non-ASCII character',
    container: env({ name: 'Ä' }),
    problem: `bad-format ${first}.env[0].name`,
  },
  {
    title: 'a number as value',
    container: env({ name: 'A', value: 8080 }),
    problem: `wrong-type ${first}.env[0].value`,
  },
  {
    title: 'the same variable twice',
    container: { env: [{ name: 'A' }, { name: 'A' }] },
    problem: `duplicate ${first}.env[1].name`,
    bound: true,
  },
  {
    title: 'a value and a source',
    container: env({ name: 'A', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }),
    problem: `invalid-combination ${first}.env[0].valueFrom`,
  },
  {
    title: 'an empty value source',
    container: env({ name: 'A', valueFrom: {} }),
    problem: `invalid-combination ${first}.env[0].valueFrom`,
  },
  {
    title: 'two sources',
    container: env({
      name: 'A',
      valueFrom: { fieldRef: { fieldPath: 'metadata.name' }, secretKeyRef: { name: 'a', key: 'b' } },
    }),
    problem: `invalid-combination ${first}.env[0].valueFrom`,
  },
  {
    title: 'all labels in a variable',
    container: env({ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.labels' } } }),
    problem: `unsupported-value ${first}.env[0].valueFrom.fieldRef.fieldPath`,
  },
  {
    title: 'an unknown pod field',
    container: env({ name: 'A', valueFrom: { fieldRef: { fieldPath: 'spec.hostname' } } }),
    problem: `bad-format ${first}.env[0].valueFrom.fieldRef.fieldPath`,
  },
  {
    title: 'an unknown container resource',
    container: env({ name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.gpu' } } }),
    problem: `bad-format ${first}.env[0].valueFrom.resourceFieldRef.resource`,
  },
  {
    title: 'an unsupported divisor',
    container: env({ name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '2' } } }),
    problem: `unsupported-value ${first}.env[0].valueFrom.resourceFieldRef.divisor`,
  },
  {
    title: 'a key that is not a valid Secret key',
    container: env({ name: 'A', valueFrom: { secretKeyRef: { name: 'a', key: 'a/b' } } }),
    problem: `bad-format ${first}.env[0].valueFrom.secretKeyRef.key`,
  },
  {
    title: 'a Secret without a name',
    container: env({ name: 'A', valueFrom: { secretKeyRef: { key: 'a' } } }),
    problem: `required ${first}.env[0].valueFrom.secretKeyRef.name`,
  },
  {
    title: 'a variable from a file of a missing volume',
    container: env({ name: 'A', valueFrom: { fileKeyRef: { key: 'A', path: 'env', volumeName: 'none' } } }),
    problem: `unknown-reference ${first}.env[0].valueFrom.fileKeyRef.volumeName`,
  },
  {
    title: 'envFrom without a source',
    container: { envFrom: [{ prefix: 'A_' }] },
    problem: `invalid-combination ${first}.envFrom[0]`,
  },
  {
    title: 'envFrom with two sources',
    container: { envFrom: [{ configMapRef: { name: 'a' }, secretRef: { name: 'b' } }] },
    problem: `invalid-combination ${first}.envFrom[0]`,
  },
  {
    title: 'a probe without a handler',
    container: { livenessProbe: { periodSeconds: 5 } },
    problem: `invalid-combination ${first}.livenessProbe`,
  },
  {
    title: 'a probe with two handlers',
    container: { livenessProbe: { exec: { command: ['a'] }, tcpSocket: { port: 1 } } },
    problem: `invalid-combination ${first}.livenessProbe`,
  },
  {
    title: 'a probe with a negative delay',
    container: { livenessProbe: { tcpSocket: { port: 1 }, initialDelaySeconds: -1 } },
    problem: `out-of-range ${first}.livenessProbe.initialDelaySeconds`,
  },
  {
    title: 'a liveness probe that must succeed twice',
    container: { livenessProbe: { tcpSocket: { port: 1 }, successThreshold: 2 } },
    problem: `out-of-range ${first}.livenessProbe.successThreshold`,
  },
  {
    title: 'a startup probe that must succeed twice',
    container: { startupProbe: { tcpSocket: { port: 1 }, successThreshold: 2 } },
    problem: `out-of-range ${first}.startupProbe.successThreshold`,
  },
  {
    title: 'a grace period on a readiness probe',
    container: { readinessProbe: { tcpSocket: { port: 1 }, terminationGracePeriodSeconds: 5 } },
    problem: `invalid-combination ${first}.readinessProbe.terminationGracePeriodSeconds`,
  },
  {
    title: 'a probe of an invalid port name',
    container: { livenessProbe: { httpGet: { port: 'HTTP' } } },
    problem: `bad-format ${first}.livenessProbe.httpGet.port`,
  },
  {
    title: 'a probe of port 0',
    container: { livenessProbe: { httpGet: { port: 0 } } },
    problem: `out-of-range ${first}.livenessProbe.httpGet.port`,
  },
  {
    title: 'a header with a space',
    container: { livenessProbe: { httpGet: { port: 1, httpHeaders: [{ name: 'a b', value: '' }] } } },
    problem: `bad-format ${first}.livenessProbe.httpGet.httpHeaders[0].name`,
  },
  {
    title: 'an empty exec probe',
    container: { livenessProbe: { exec: {} } },
    problem: `required ${first}.livenessProbe.exec.command`,
  },
  {
    title: 'a hook without a handler',
    container: { lifecycle: { preStop: {} } },
    problem: `invalid-combination ${first}.lifecycle.preStop`,
  },
  {
    title: 'a hook that sleeps longer than the grace period',
    container: { lifecycle: { preStop: { sleep: { seconds: 31 } } } },
    problem: `out-of-range ${first}.lifecycle.preStop.sleep.seconds`,
  },
  {
    title: 'a mount of a missing volume',
    container: { volumeMounts: [{ name: 'setting', mountPath: '/a' }] },
    problem: `unknown-reference ${first}.volumeMounts[0].name`,
  },
  {
    title: 'a mount without a path',
    container: { volumeMounts: [{ name: 'data', mountPath: '' }] },
    problem: `required ${first}.volumeMounts[0].mountPath`,
  },
  {
    title: 'two mounts at one path',
    container: {
      volumeMounts: [
        { name: 'data', mountPath: '/a' },
        { name: 'settings', mountPath: '/a' },
      ],
    },
    problem: `duplicate ${first}.volumeMounts[1].mountPath`,
  },
  {
    title: 'an absolute sub-path',
    container: { volumeMounts: [{ name: 'data', mountPath: '/a', subPath: '/b' }] },
    problem: `bad-format ${first}.volumeMounts[0].subPath`,
  },
  {
    title: 'a sub-path with ..',
    container: { volumeMounts: [{ name: 'data', mountPath: '/a', subPath: 'b/../..' }] },
    problem: `bad-format ${first}.volumeMounts[0].subPath`,
  },
  {
    title: 'a sub-path and an expression',
    container: { volumeMounts: [{ name: 'data', mountPath: '/a', subPath: 'b', subPathExpr: 'c' }] },
    problem: `invalid-combination ${first}.volumeMounts[0].subPathExpr`,
  },
  {
    title: 'a recursive read-only mount that is writable',
    container: { volumeMounts: [{ name: 'data', mountPath: '/a', recursiveReadOnly: 'Enabled' }] },
    problem: `invalid-combination ${first}.volumeMounts[0].recursiveReadOnly`,
  },
  {
    title: 'a mount propagated to the host by an unprivileged container',
    container: { volumeMounts: [{ name: 'data', mountPath: '/a', mountPropagation: 'Bidirectional' }] },
    problem: `invalid-combination ${first}.volumeMounts[0].mountPropagation`,
  },
  {
    title: 'a block device that is not backed by a claim',
    container: { volumeDevices: [{ name: 'scratch', devicePath: '/dev/x' }] },
    problem: `invalid-combination ${first}.volumeDevices[0].name`,
  },
  {
    title: 'a volume that is mounted and used as a device',
    container: { volumeDevices: [{ name: 'data', devicePath: '/dev/x' }] },
    problem: `invalid-combination ${first}.volumeDevices[0].name`,
  },
  {
    title: 'a request above its limit',
    container: { resources: { requests: { memory: '1.5Gi' }, limits: { memory: '1Gi' } } },
    problem: `invalid-combination ${first}.resources.requests.memory`,
  },
  {
    title: 'an invalid quantity',
    container: { resources: { limits: { memory: '1Gb' } } },
    problem: `bad-format ${first}.resources.limits.memory`,
  },
  {
    title: 'a fraction that is not a string',
    container: { resources: { limits: { cpu: 0.5 } } },
    problem: `wrong-type ${first}.resources.limits.cpu`,
    bound: true,
  },
  {
    title: 'a negative quantity',
    container: { resources: { requests: { cpu: '-1' } } },
    problem: `out-of-range ${first}.resources.requests.cpu`,
  },
  {
    title: 'an unknown resource',
    container: { resources: { requests: { gpu: 1 } } },
    problem: `unsupported-value ${first}.resources.requests.gpu`,
  },
  {
    title: 'a device requested without a limit',
    container: { resources: { requests: { 'nvidia.com/gpu': 1 } } },
    problem: `required ${first}.resources.limits["nvidia.com/gpu"]`,
  },
  {
    title: 'fewer devices requested than the limit',
    container: { resources: { requests: { 'nvidia.com/gpu': 1 }, limits: { 'nvidia.com/gpu': 2 } } },
    problem: `invalid-combination ${first}.resources.requests["nvidia.com/gpu"]`,
  },
  {
    title: 'half a device',
    container: { resources: { limits: { 'nvidia.com/gpu': '500m' } } },
    problem: `bad-format ${first}.resources.limits["nvidia.com/gpu"]`,
  },
  {
    title: 'huge pages without other resources',
    container: { resources: { requests: { 'hugepages-2Mi': '2Mi' }, limits: { 'hugepages-2Mi': '2Mi' } } },
    problem: `invalid-combination ${first}.resources`,
  },
  {
    title: 'a fraction of a huge page',
    container: { resources: { requests: { cpu: 1, 'hugepages-2Mi': '3Mi' }, limits: { 'hugepages-2Mi': '3Mi' } } },
    problem: `bad-format ${first}.resources.limits.hugepages-2Mi`,
  },
  {
    title: 'an unknown resource claim',
    container: { resources: { claims: [{ name: 'gpu' }] } },
    problem: `unknown-reference ${first}.resources.claims[0].name`,
  },
  {
    title: 'privileged without privilege escalation',
    container: { securityContext: { privileged: true, allowPrivilegeEscalation: false } },
    problem: `invalid-combination ${first}.securityContext.allowPrivilegeEscalation`,
  },
  {
    title: 'a negative user ID',
    container: { securityContext: { runAsUser: -1 } },
    problem: `out-of-range ${first}.securityContext.runAsUser`,
  },
  {
    title: 'a local profile without a name',
    container: { securityContext: { seccompProfile: { type: 'Localhost' } } },
    problem: `invalid-combination ${first}.securityContext.seccompProfile.localhostProfile`,
  },
  {
    title: 'unmasked /proc without a user namespace',
    container: { securityContext: { procMount: 'Unmasked' } },
    problem: `invalid-combination ${first}.securityContext.procMount`,
  },
  {
    title: 'two containers with the same name',
    pod: {
      containers: [
        { name: 'a', image: 'x' },
        { name: 'a', image: 'x' },
      ],
      volumes: undefined,
      initContainers: undefined,
    },
    problem: 'duplicate spec.containers[1].name',
  },
  {
    title: 'an init container with the name of a container',
    pod: init({ name: 'app', image: 'x' }),
    problem: 'duplicate spec.initContainers[0].name',
  },
  {
    title: 'a probe on an init container that completes',
    pod: init({ name: 'i', image: 'x', livenessProbe: { tcpSocket: { port: 1 } } }),
    problem: 'invalid-combination spec.initContainers[0].livenessProbe',
  },
  {
    title: 'a hook on an init container that completes',
    pod: init({ name: 'i', image: 'x', lifecycle: { preStop: { exec: { command: ['a'] } } } }),
    problem: 'invalid-combination spec.initContainers[0].lifecycle',
  },
  {
    title: 'a volume with two sources',
    pod: volume({ name: 'a', emptyDir: {}, hostPath: { path: '/' } }),
    problem: 'invalid-combination spec.volumes[0]',
  },
  {
    title: 'a volume name with a dot',
    pod: volume({ name: 'a.b', emptyDir: {} }),
    problem: 'bad-format spec.volumes[0].name',
  },
  {
    title: 'two volumes with the same name',
    pod: {
      ...volume({}),
      volumes: [
        { name: 'a', emptyDir: {} },
        { name: 'a', emptyDir: {} },
      ],
    },
    problem: 'duplicate spec.volumes[1].name',
  },
  {
    title: 'an emptyDir with a negative size limit',
    pod: volume({ name: 'a', emptyDir: { sizeLimit: '-1' } }),
    problem: 'out-of-range spec.volumes[0].emptyDir.sizeLimit',
  },
  {
    title: 'a host path with ..',
    pod: volume({ name: 'a', hostPath: { path: '/a/../b' } }),
    problem: 'bad-format spec.volumes[0].hostPath.path',
  },
  {
    title: 'a secret volume without a name',
    pod: volume({ name: 'a', secret: {} }),
    problem: 'required spec.volumes[0].secret.secretName',
  },
  {
    title: 'a mode above 0777',
    pod: volume({ name: 'a', secret: { secretName: 'a', defaultMode: 1000 } }),
    problem: 'out-of-range spec.volumes[0].secret.defaultMode',
  },
  {
    title: 'a file outside of its volume',
    pod: volume({ name: 'a', configMap: { name: 'a', items: [{ key: 'a', path: '../a' }] } }),
    problem: 'bad-format spec.volumes[0].configMap.items[0].path',
  },
  {
    title: 'an empty file source',
    pod: volume({ name: 'a', downwardAPI: { items: [{ path: 'a' }] } }),
    problem: 'invalid-combination spec.volumes[0].downwardAPI.items[0]',
  },
  {
    title: 'a file of an unsupported field',
    pod: volume({ name: 'a', downwardAPI: { items: [{ path: 'a', fieldRef: { fieldPath: 'spec.nodeName' } }] } }),
    problem: 'unsupported-value spec.volumes[0].downwardAPI.items[0].fieldRef.fieldPath',
  },
  {
    title: 'a file of a resource without a container',
    pod: volume({ name: 'a', downwardAPI: { items: [{ path: 'a', resourceFieldRef: { resource: 'limits.cpu' } }] } }),
    problem: 'required spec.volumes[0].downwardAPI.items[0].resourceFieldRef.containerName',
  },
  {
    title: 'a token with a lifetime of a minute',
    pod: volume({ name: 'a', projected: { sources: [{ serviceAccountToken: { path: 'a', expirationSeconds: 60 } }] } }),
    problem: 'out-of-range spec.volumes[0].projected.sources[0].serviceAccountToken.expirationSeconds',
  },
  {
    title: 'two projections in one source',
    pod: volume({ name: 'a', projected: { sources: [{ secret: { name: 'a' }, configMap: { name: 'a' } }] } }),
    problem: 'invalid-combination spec.volumes[0].projected.sources[0]',
  },
  {
    title: 'two projections to the same path',
    pod: volume({
      name: 'a',
      projected: { sources: ['a', 'b'].map((name) => ({ secret: { name, items: [{ key: 'k', path: 'p' }] } })) },
    }),
    problem: 'duplicate spec.volumes[0].projected.sources[1]',
  },
  {
    title: 'a claim template without storage',
    pod: volume({
      name: 'a',
      ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: {} } } },
    }),
    problem: 'required spec.volumes[0].ephemeral.volumeClaimTemplate.spec.resources.requests.storage',
  },
  {
    title: 'a claim template without access modes',
    pod: volume({
      name: 'a',
      ephemeral: { volumeClaimTemplate: { spec: { resources: { requests: { storage: 1 } } } } },
    }),
    problem: 'required spec.volumes[0].ephemeral.volumeClaimTemplate.spec.accessModes',
  },
  {
    title: 'a claim template with ReadWriteOncePod and another access mode',
    pod: volume({
      name: 'a',
      ephemeral: {
        volumeClaimTemplate: {
          spec: { accessModes: ['ReadWriteOncePod', 'ReadOnlyMany'], resources: { requests: { storage: 1 } } },
        },
      },
    }),
    problem: 'invalid-combination spec.volumes[0].ephemeral.volumeClaimTemplate.spec.accessModes',
  },
  {
    title: 'a claim template with a name',
    pod: volume({
      name: 'a',
      ephemeral: {
        volumeClaimTemplate: {
          metadata: { name: 'x' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: 1 } } },
        },
      },
    }),
    problem: 'unknown-field spec.volumes[0].ephemeral.volumeClaimTemplate.metadata.name',
  },
  { title: 'an unknown DNS policy', pod: { dnsPolicy: 'none' }, problem: 'unsupported-value spec.dnsPolicy' },
  {
    title: 'DNS policy None without a configuration',
    pod: { dnsPolicy: 'None', dnsConfig: { searches: ['a'] } },
    problem: 'required spec.dnsConfig',
  },
  {
    title: 'four nameservers',
    pod: { dnsConfig: { nameservers: ['1.1.1.1', '1.1.1.2', '1.1.1.3', '1.1.1.4'] } },
    problem: 'out-of-range spec.dnsConfig.nameservers',
  },
  {
    title: 'a nameserver that is not an IP address',
    pod: { dnsConfig: { nameservers: ['dns.local'] } },
    problem: 'bad-format spec.dnsConfig.nameservers[0]',
  },
  {
    title: 'a host alias without an address',
    pod: { hostAliases: [{ ip: 'x' }] },
    problem: 'bad-format spec.hostAliases[0].ip',
  },
  {
    title: 'a host alias with capitals',
    pod: { hostAliases: [{ ip: '1.1.1.1', hostnames: ['A'] }] },
    problem: 'bad-format spec.hostAliases[0].hostnames[0]',
  },
  {
    title: 'a node label value with a space',
    pod: { nodeSelector: { a: 'b c' } },
    problem: 'bad-format spec.nodeSelector.a',
  },
  {
    title: 'a node label key with a space',
    pod: { nodeSelector: { 'a b': 'c' } },
    problem: 'bad-format spec.nodeSelector["a b"]',
  },
  {
    title: 'a deadline of zero',
    pod: { activeDeadlineSeconds: 0 },
    problem: 'out-of-range spec.activeDeadlineSeconds',
  },
  {
    title: 'a toleration without a key',
    pod: { tolerations: [{ effect: 'NoSchedule' }] },
    problem: 'invalid-combination spec.tolerations[0].operator',
  },
  {
    title: 'a toleration with Exists and a value',
    pod: { tolerations: [{ key: 'a', operator: 'Exists', value: 'b' }] },
    problem: 'invalid-combination spec.tolerations[0].value',
  },
  {
    title: 'tolerationSeconds without effect NoExecute',
    pod: { tolerations: [{ key: 'a', effect: 'NoSchedule', tolerationSeconds: 5 }] },
    problem: 'invalid-combination spec.tolerations[0].effect',
  },
  {
    title: 'an unknown toleration operator',
    pod: { tolerations: [{ key: 'a', operator: 'exists' }] },
    problem: 'unsupported-value spec.tolerations[0].operator',
  },
  {
    title: 'an unknown effect',
    pod: { tolerations: [{ key: 'a', effect: 'Never' }] },
    problem: 'unsupported-value spec.tolerations[0].effect',
  },
  {
    title: 'a maxSkew of 0',
    pod: { topologySpreadConstraints: [{ maxSkew: 0, topologyKey: 'a', whenUnsatisfiable: 'DoNotSchedule' }] },
    problem: 'out-of-range spec.topologySpreadConstraints[0].maxSkew',
  },
  {
    title: 'a duplicate spread constraint',
    pod: {
      topologySpreadConstraints: [1, 2].map((maxSkew) => ({
        maxSkew,
        topologyKey: 'a',
        whenUnsatisfiable: 'DoNotSchedule',
      })),
    },
    problem: 'duplicate spec.topologySpreadConstraints[1].topologyKey',
  },
  {
    title: 'minDomains with ScheduleAnyway',
    pod: {
      topologySpreadConstraints: [{ maxSkew: 1, minDomains: 2, topologyKey: 'a', whenUnsatisfiable: 'ScheduleAnyway' }],
    },
    problem: 'invalid-combination spec.topologySpreadConstraints[0].minDomains',
  },
  {
    title: 'label keys without a selector',
    pod: {
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: 'a', whenUnsatisfiable: 'DoNotSchedule', matchLabelKeys: ['a'] },
      ],
    },
    problem: 'invalid-combination spec.topologySpreadConstraints[0].matchLabelKeys',
  },
  {
    title: 'empty node selector terms',
    pod: { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } } },
    problem: `required ${nodeTerms}`,
  },
  {
    title: 'In without values',
    pod: nodeTerm({ matchExpressions: [{ key: 'a', operator: 'In' }] }),
    problem: `invalid-combination ${nodeTerms}[0].matchExpressions[0].values`,
  },
  {
    title: 'Exists with values',
    pod: nodeTerm({ matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] }),
    problem: `invalid-combination ${nodeTerms}[0].matchExpressions[0].values`,
  },
  {
    title: 'Gt with two values',
    pod: nodeTerm({ matchExpressions: [{ key: 'a', operator: 'Gt', values: ['1', '2'] }] }),
    problem: `invalid-combination ${nodeTerms}[0].matchExpressions[0].values`,
  },
  {
    title: 'a node label value with a slash',
    pod: nodeTerm({ matchExpressions: [{ key: 'a', operator: 'In', values: ['a/b'] }] }),
    problem: `bad-format ${nodeTerms}[0].matchExpressions[0].values[0]`,
  },
  {
    title: 'an unknown node field',
    pod: nodeTerm({ matchFields: [{ key: 'spec.x', operator: 'In', values: ['a'] }] }),
    problem: `unsupported-value ${nodeTerms}[0].matchFields[0].key`,
  },
  { title: 'no topology key', pod: podTerm({ topologyKey: '' }), problem: `bad-format ${podTerms}.topologyKey` },
  {
    title: 'a label selector with In and no values',
    pod: podTerm({ topologyKey: 'a', labelSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } }),
    problem: `invalid-combination ${podTerms}.labelSelector.matchExpressions[0].values`,
  },
  {
    title: 'a label key that is matched and mismatched',
    pod: podTerm({ topologyKey: 'a', labelSelector: {}, matchLabelKeys: ['a'], mismatchLabelKeys: ['a'] }),
    problem: `invalid-combination ${podTerms}.matchLabelKeys[0]`,
  },
  {
    title: 'mismatched keys without a selector',
    pod: podTerm({ topologyKey: 'a', mismatchLabelKeys: ['a'] }),
    problem: `invalid-combination ${podTerms}.mismatchLabelKeys`,
  },
  {
    title: 'a weight of 101',
    pod: {
      affinity: {
        nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 101, preference: {} }] },
      },
    },
    problem: 'out-of-range spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight',
  },
  {
    title: 'a kernel parameter with capitals',
    pod: { securityContext: { sysctls: [{ name: 'A', value: '1' }] } },
    problem: 'bad-format spec.securityContext.sysctls[0].name',
  },
  {
    title: 'a negative group ID',
    pod: { securityContext: { fsGroup: -1 } },
    problem: 'out-of-range spec.securityContext.fsGroup',
  },
  {
    title: 'a user namespace on the host network',
    pod: { hostUsers: false, hostNetwork: true },
    problem: 'invalid-combination spec.hostNetwork',
  },
  {
    title: 'a shared process namespace with hostPID',
    pod: { shareProcessNamespace: true, hostPID: true },
    problem: 'invalid-combination spec.shareProcessNamespace',
  },
  {
    title: 'a readiness gate with a space',
    pod: { readinessGates: [{ conditionType: 'a b' }] },
    problem: 'bad-format spec.readinessGates[0].conditionType',
  },
];

/** The pod of a case. */
export function podOf({ pod, container }: Pick<PodCase, 'pod' | 'container'>): Record<string, unknown> {
  const base = goodPod();
  if (container !== undefined) base['containers'] = [{ ...goodContainer(), ...container }];
  return { ...base, ...pod };
}
