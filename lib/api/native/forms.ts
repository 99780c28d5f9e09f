import { type Form } from './overlay';

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const qualified = '([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9]';
/** Path segment other than `..`. */
const step = '([^/.][^/]*|\\.|\\.[^/.][^/]*|\\.\\.[^/]+)';

/** RFC 1123 label: names of containers, volumes, namespaces. */
export const dnsLabel: Form = {
  pattern: `^${label}$`,
  what: 'lower-case letters, digits and "-", beginning and ending with a letter or digit',
  maxLength: 63,
};

/** RFC 1123 subdomain: names of most objects. */
export const dnsSubdomain: Form = {
  pattern: `^${label}(\\.${label})*$`,
  what: 'lower-case letters, digits, "-" and ".", each part beginning and ending with a letter or digit',
  maxLength: 253,
};

/** Search domain: a subdomain that may have underscores and a trailing dot, or a single dot. */
export const searchDomain: Form = {
  pattern: '^(\\.|[a-z0-9_]([-_a-z0-9]*[a-z0-9_])?(\\.[a-z0-9_]([-_a-z0-9]*[a-z0-9_])?)*\\.?)$',
  what: 'a domain name',
  maxLength: 253,
};

/** IANA service name: names of ports. */
export const portName: Form = {
  pattern: '^([0-9]+-)*[0-9]*[a-z](-?[a-z0-9])*$',
  what: 'lower-case letters, digits and single "-", with at least one letter, at most 15 characters',
  maxLength: 15,
};

/** Key of a label, annotation or condition: `name` or `prefix/name`. */
export const qualifiedName: Form = {
  pattern: `^(${label}(\\.${label})*/)?${qualified}$`,
  what: 'a name of letters, digits, "-", "_" and ".", at most 63 characters, with an optional domain and "/" before it',
  maxLength: 317,
};

/** Annotation key: like a label key, but its domain may have capital letters. */
export const annotationName: Form = {
  ...qualifiedName,
  pattern: `^([A-Za-z0-9]([-A-Za-z0-9.]*[A-Za-z0-9])?/)?${qualified}$`,
};

/** Label value; may be empty. */
export const labelValueForm: Form = {
  pattern: `^(${qualified})?$`,
  what: 'letters, digits, "-", "_" and ".", beginning and ending with a letter or digit',
  maxLength: 63,
};

/** Environment variable name. Kubernetes has no maximum length; this one keeps CEL rules affordable. */
export const envName: Form = {
  pattern: '^[ -<>-~]+$',
  what: 'printable ASCII characters other than "="',
  maxLength: 256,
};

/** Like an environment variable name, or empty. */
export const envPrefix: Form = { ...envName, pattern: '^[ -<>-~]*$' };

/** Key in a ConfigMap or Secret. */
export const configKey: Form = {
  pattern: '^([-_a-zA-Z0-9]|\\.[-_a-zA-Z0-9])[-._a-zA-Z0-9]*$',
  what: 'letters, digits, "-", "_" and ".", not beginning with ".."',
  maxLength: 253,
};

/** Descending path: relative and without `..`; may be empty. */
export const descendingPath: Form = { pattern: `^(${step}(/${step}?)*)?$`, what: 'a relative path without ".."' };

/** File in a volume: relative, without `..`, and not starting with two dots, which are reserved for the kubelet. */
export const filePath: Form = {
  pattern: `^([^/.][^/]*|\\.|\\.[^/.][^/]*)(/${step}?)*$`,
  what: 'a relative path that has no ".." and does not begin with it',
};

/** Any path without `..`. */
export const plainPath: Form = { pattern: `^${step}?(/${step}?)*$`, what: 'a path without ".."' };

/** Name of an HTTP header. */
export const headerName: Form = { pattern: '^[-A-Za-z0-9]+$', what: 'letters, digits and "-"' };

/** Image reference; its contents are not checked further. */
export const imageName: Form = {
  pattern: '^[^ \\t\\r\\n]([\\s\\S]*[^ \\t\\r\\n])?$',
  what: 'an image reference without spaces around it',
};

const byte = '(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';

/** An IPv4 or IPv6 address. */
export const ipAddress: Form = {
  pattern: `^(${byte}(\\.${byte}){3}|[0-9A-Fa-f:]*:[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*)$`,
  what: 'an IP address',
  maxLength: 45,
};

/** Name of a kernel parameter. */
export const sysctlName: Form = {
  pattern: '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$',
  what: 'a kernel parameter such as net.core.somaxconn',
  maxLength: 253,
};

/** Field of the pod that the downward API supports. */
export const podField: Form = {
  pattern:
    "^(metadata\\.(name|namespace|uid|labels|annotations|(labels|annotations)\\['[^']+'\\])" +
    '|spec\\.(nodeName|serviceAccountName|host)|status\\.(hostIP|hostIPs|podIP|podIPs))$',
  what: "a field that the downward API offers, such as metadata.name, metadata.labels['app'] or status.podIP",
  maxLength: 400,
};

/** Container resource that the downward API supports. */
export const containerResource: Form = {
  pattern: '^(limits|requests)\\.(cpu|memory|ephemeral-storage|hugepages-.*)$',
  what: 'limits. or requests. and then cpu, memory, ephemeral-storage or hugepages-<size>',
};
