import { caseBuilders, type Fields, type ProblemCase } from './problem-case';

const app = { name: 'app', image: 'registry.example.com/cart:2.7.0' };
/** Returns a template with additional fields of the first container and of the pod. */
const template = (container: Fields = {}, pod: Fields = {}) => ({
  spec: { containers: [{ ...app, ...container }], ...pod },
});
const document = (spec: Fields) => ({
  apiVersion: 'pinterest.com/v1',
  kind: 'PinterestService',
  metadata: { name: 'cart', namespace: 'shop' },
  spec: { template: template(), ...spec },
});
const { messageCase, crdCase } = caseBuilders(document);
/** A case of the first container. */
const containerCase = (title: string, container: Fields, rule: string | undefined, message: string): ProblemCase =>
  messageCase(title, { template: template(container) }, rule, message);

const at = 'spec.template.spec.containers[0]';
const http = { name: 'http', containerPort: 8080 };

const entriesOf = (count: number, value: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key-${index}`, value]));

/** Bounds of the metadata of pods, which keep the cost of rules in the definitions below the limit of the API server. */
const metadataCases: readonly ProblemCase[] = [
  crdCase(
    'more labels of a pod than the definition allows',
    { template: { ...template(), metadata: { labels: entriesOf(65, 'x') } } },
    'out-of-range',
    'spec.template.metadata.labels',
  ),
  crdCase(
    'an annotation of a pod that is longer than the definition allows',
    { template: { ...template(), metadata: { annotations: { notes: 'x'.repeat(16385) } } } },
    'out-of-range',
    'spec.template.metadata.annotations.notes',
  ),
];

const portCases: readonly ProblemCase[] = [
  containerCase(
    'a probe on a port name that the container does not declare',
    { livenessProbe: { httpGet: { port: 'htpt' } }, ports: [http] },
    'probe-port-name',
    `error unknown-reference: ${at}.livenessProbe.httpGet.port: "htpt" must be the name of a port of this container; did you mean "http"?`,
  ),
  containerCase(
    'a probe on a port name that is unlike the declared ones',
    { startupProbe: { tcpSocket: { port: 'admin' } }, ports: [http] },
    'probe-port-name',
    `error unknown-reference: ${at}.startupProbe.tcpSocket.port: "admin" must be the name of a port of this container; use http or a number, or declare the port in ports`,
  ),
  containerCase(
    'a hook on a port name in a container without ports',
    { lifecycle: { preStop: { httpGet: { port: 'admin' } } } },
    'probe-port-name',
    `error unknown-reference: ${at}.lifecycle.preStop.httpGet.port: "admin" must be the name of a port of this container; declare the port in ports, or use a number`,
  ),
  messageCase(
    'a probe of a sidecar on a port name of another container',
    {
      template: template(
        { ports: [http] },
        {
          initContainers: [
            { ...app, name: 'proxy', restartPolicy: 'Always', readinessProbe: { httpGet: { port: 'http' } } },
          ],
        },
      ),
    },
    'probe-port-name',
    'error unknown-reference: spec.template.spec.initContainers[0].readinessProbe.httpGet.port: "http" must be the name of a port of this container; declare the port in ports, or use a number',
  ),
  containerCase(
    'a port twice in a container',
    { ports: [http, { containerPort: 8080, protocol: 'TCP' }] },
    undefined,
    `error duplicate: ${at}.ports[1].containerPort: 8080 has the same containerPort and protocol as an earlier entry; use unique entries, or remove one`,
  ),
];

const imageCase = (title: string, image: string, text: string): ProblemCase =>
  containerCase(title, { image }, 'image-reference', `error bad-format: ${at}.image: "${image}" ${text}`);
const form = 'is not an image reference; write it as registry.example.com/shop/cart:1.4.2';

const imageCases: readonly ProblemCase[] = [
  imageCase(
    'an image with a scheme',
    'https://registry.example.com/cart:1',
    'is a URL, not an image reference; remove the scheme https://',
  ),
  imageCase(
    'an image with capital letters',
    'registry.example.com/Shop/cart:1',
    'has capital letters in the repository; write the repository in lower case',
  ),
  imageCase(
    'an image with a variable',
    'registry.example.com/cart:${TAG}',
    'has the placeholder ${TAG}; replace it, for example with envsubst',
  ),
  imageCase(
    'an image with a variable as its registry',
    '${PREFIX}/cart:1',
    'has the placeholder ${PREFIX}; replace it, for example with envsubst',
  ),
  imageCase(
    'an image with an invalid tag',
    'registry.example.com/cart:1+2',
    'has an invalid tag; use at most 128 letters, digits, "_", "." and "-"',
  ),
  imageCase(
    'an image with a truncated digest',
    'registry.example.com/cart@sha256:0123',
    'has an invalid digest; write @sha256: and 64 lower-case hexadecimal digits, or remove it',
  ),
  imageCase(
    'an image with an invalid registry',
    '-registry.example.com/cart:1',
    'has an invalid registry; write a host name, such as registry.example.com',
  ),
  imageCase('an image with an empty segment', 'registry.example.com//cart:1', form),
  imageCase('an image that is an ID', 'a'.repeat(64), form),
  messageCase(
    'an image volume that is a URL',
    {
      template: template(
        {},
        { volumes: [{ name: 'model', image: { reference: 'oci://registry.example.com/model' } }] },
      ),
    },
    'image-reference',
    'error bad-format: spec.template.spec.volumes[0].image.reference: "oci://registry.example.com/model" is a URL, not an image reference; remove the scheme oci://',
  ),
];

/** Annotations of about 150 KiB. */
const annotations = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`note-${index}`, 'x'.repeat(15_000)]));

const annotationCases: readonly ProblemCase[] = [
  messageCase(
    'annotations of the workload that are too large for an object',
    {
      annotations: Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`note-${index}`, 'x'.repeat(15_000)])),
    },
    'annotation-size',
    'error out-of-range: spec.annotations: makes the annotations of an object 294 KiB large, and Kubernetes allows 256 KiB; move large texts to spec.config.files',
  ),
  messageCase(
    'annotations of the workload and of the template that together are too large for a pod',
    {
      annotations,
      template: {
        ...template(),
        metadata: {
          annotations: Object.fromEntries(Object.entries(annotations).map(([key, value]) => [`of-pod-${key}`, value])),
        },
      },
    },
    'annotation-size',
    'error out-of-range: spec.template.metadata.annotations: makes the annotations of an object 294 KiB large, and Kubernetes allows 256 KiB; move large texts to spec.config.files',
  ),
];

const inSettings = { volumeMounts: [{ name: 'settings', mountPath: '/etc/cart' }] };
const settings = { volumes: [{ name: 'settings', configMap: { name: 'cart-settings' } }] };

const ofKind = (kind: string, title: string, spec: Fields, message: string): ProblemCase =>
  caseBuilders((fields: Fields) => ({ ...document(fields), kind })).messageCase(title, spec, undefined, message);
const mountOf = (name: string) => template({ volumeMounts: [{ name, mountPath: '/data' }] });
const training = { framework: 'pytorch', roles: { worker: {} } };

const nameCases: readonly ProblemCase[] = [
  messageCase(
    'a field of a Deployment',
    { minReadySeconds: 3 },
    undefined,
    'error unknown-field: spec.minReadySeconds: 3 does not exist; set spec.rollout.minReady',
  ),
  messageCase(
    'a field that the platform sets',
    { selector: {} },
    undefined,
    'error unknown-field: spec.selector: {} does not exist; remove it; the platform selects the pods of the workload',
  ),
  messageCase(
    'a field of a pod',
    { containers: [] },
    undefined,
    'error unknown-field: spec.containers: [] does not exist; set spec.template.spec.containers',
  ),
  ofKind(
    'PinterestStatefulSet',
    'a field of a StatefulSet',
    { updateStrategy: {} },
    'error unknown-field: spec.updateStrategy: {} does not exist; set spec.update',
  ),
  ofKind(
    'PinterestJobSet',
    'a field of a Job',
    { backoffLimit: 3 },
    'error unknown-field: spec.backoffLimit: 3 does not exist; set spec.retries',
  ),
  ofKind(
    'PinterestTrainingJob',
    'a field of a PyTorchJob',
    { ...training, pytorchReplicaSpecs: {} },
    'error unknown-field: spec.pytorchReplicaSpecs: {} does not exist; set spec.roles',
  ),
].map((one) => ({ ...one, crdRejects: true }));

const ownVolumeCases: readonly ProblemCase[] = [
  ofKind(
    'PinterestStatefulSet',
    'a mount of a claim of the set',
    { volumeClaimTemplates: [{ name: 'data', mountPath: '/data', size: '1Gi' }], template: mountOf('data') },
    `error unknown-reference: ${at}.volumeMounts[0].name: "data" is not a volume of the template, and spec.volumeClaimTemplates[0] mounts it at /data in every container of the app; remove this mount`,
  ),
  ofKind(
    'PinterestTrainingJob',
    'a mount of the checkpoints',
    { ...training, checkpoint: { mountPath: '/checkpoints', claim: { size: '1Gi' } }, template: mountOf('checkpoint') },
    `error unknown-reference: ${at}.volumeMounts[0].name: "checkpoint" is not a volume of the template, and spec.checkpoint mounts it at /checkpoints in every container of the app; remove this mount`,
  ),
];

const fileCases: readonly ProblemCase[] = [
  crdCase(
    'a file in the folder of a secret',
    {
      config: { files: { '/etc/cart/tls/ca.crt': 'a' } },
      secrets: { files: { '/etc/cart/tls': { name: 'cart-tls' } } },
    },
    'invalid-combination',
    'spec.config.files["/etc/cart/tls/ca.crt"]',
    'file-in-secret',
  ),
  messageCase(
    'a file in the folder of a secret, with a volume elsewhere in it',
    {
      config: { files: { '/etc/cart/tls/ca.crt': 'a' } },
      secrets: { files: { '/etc/cart/tls': { name: 'cart-tls' } } },
      template: template({ volumeMounts: [{ name: 'settings', mountPath: '/etc/cart/tls/more' }] }, settings),
    },
    'file-in-volume',
    'error invalid-combination: spec.config.files["/etc/cart/tls/ca.crt"]: "/etc/cart/tls/ca.crt" is in /etc/cart/tls, where a Secret is mounted, so that the container cannot start; choose a path outside of /etc/cart/tls',
  ),
  messageCase(
    'a file in the folder of a ConfigMap',
    { config: { files: { '/etc/cart/app.yaml': 'a' } }, template: template(inSettings, settings) },
    'file-in-volume',
    'error invalid-combination: spec.config.files["/etc/cart/app.yaml"]: "/etc/cart/app.yaml" is in /etc/cart, where the volume settings is mounted, so that the container cannot start; choose a path outside of /etc/cart',
  ),
  messageCase(
    'a key of a ConfigMap in the folder of another one',
    {
      template: template(
        {
          volumeMounts: [
            { name: 'settings', mountPath: '/etc/cart' },
            { name: 'certificate', mountPath: '/etc/cart/ca.crt', subPath: 'ca.crt' },
          ],
        },
        { volumes: [...settings.volumes, { name: 'certificate', secret: { secretName: 'cart-tls' } }] },
      ),
    },
    'file-in-volume',
    `error invalid-combination: ${at}.volumeMounts[1].mountPath: "/etc/cart/ca.crt" is in /etc/cart, where the volume settings is mounted, so that the container cannot start; choose a path outside of /etc/cart`,
  ),
];

export const cases: readonly ProblemCase[] = [
  ...metadataCases,
  ...portCases,
  ...imageCases,
  ...annotationCases,
  ...fileCases,
  ...nameCases,
  ...ownVolumeCases,
];
