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
const { messageCase } = caseBuilders(document);
/** A case of the first container. */
const containerCase = (title: string, container: Fields, rule: string | undefined, message: string): ProblemCase =>
  messageCase(title, { template: template(container) }, rule, message);

const at = 'spec.template.spec.containers[0]';
const http = { name: 'http', containerPort: 8080 };

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

export const cases: readonly ProblemCase[] = [...portCases, ...imageCases, ...annotationCases];
