import { entriesAt, fieldsAt, fieldIfSet, isEmpty, withoutDefaults, type Fields } from './fields';

const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;
const volumeSources = ['configMap', 'secret', 'projected', 'downwardAPI'] as const;

/** Removes the defaults of the API server from a pod specification. */
export function podWithoutDefaults(spec: Fields): Fields {
  const plain = withoutDefaults(spec, {
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    schedulerName: 'default-scheduler',
    securityContext: {},
  });
  return {
    ...plain,
    ...fieldIfSet('initContainers', entriesAt(spec, 'initContainers').map(containerWithoutDefaults)),
    ...fieldIfSet('containers', entriesAt(spec, 'containers').map(containerWithoutDefaults)),
    ...fieldIfSet('volumes', entriesAt(spec, 'volumes').map(volumeWithoutDefaults)),
  };
}

function containerWithoutDefaults(container: Fields): Fields {
  const image = String(container['image'] ?? '');
  const isMutableTag = !image.includes('@') && (!/:[^/]+$/.test(image) || image.endsWith(':latest'));
  const plain = withoutDefaults(container, {
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: isMutableTag ? 'Always' : 'IfNotPresent',
    resources: {},
  });
  return {
    ...plain,
    ...fieldIfSet(
      'ports',
      entriesAt(container, 'ports').map((port) => withoutDefaults(port, { protocol: 'TCP' })),
    ),
    ...fieldIfSet('env', entriesAt(container, 'env').map(variableWithoutDefaults)),
    ...Object.fromEntries(
      probes.flatMap((name) => (container[name] ? [[name, probeWithoutDefaults(fieldsAt(container, name))]] : [])),
    ),
  };
}

function probeWithoutDefaults(probe: Fields): Fields {
  const plain = withoutDefaults(probe, {
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
    initialDelaySeconds: 0,
  });
  const http = fieldsAt(probe, 'httpGet');
  const grpc = fieldsAt(probe, 'grpc');
  return {
    ...plain,
    ...(!isEmpty(http) && { httpGet: withoutDefaults(http, { scheme: 'HTTP' }) }),
    ...(!isEmpty(grpc) && { grpc: withoutDefaults(grpc, { service: '' }) }),
  };
}

function variableWithoutDefaults(variable: Fields): Fields {
  const field = fieldsAt(variable, 'valueFrom', 'fieldRef');
  const resource = fieldsAt(variable, 'valueFrom', 'resourceFieldRef');
  if (!isEmpty(field)) return { ...variable, valueFrom: { fieldRef: withoutDefaults(field, { apiVersion: 'v1' }) } };
  if (!isEmpty(resource))
    return { ...variable, valueFrom: { resourceFieldRef: withoutDefaults(resource, { divisor: '0' }) } };
  return variable;
}

function volumeWithoutDefaults(volume: Fields): Fields {
  const source = volumeSources.find((name) => volume[name] !== undefined);
  // The API server makes a volume without a source an emptyDir.
  if (Object.keys(volume).every((key) => key === 'name')) return { ...volume, emptyDir: {} };
  return source === undefined
    ? volume
    : { ...volume, [source]: withoutDefaults(fieldsAt(volume, source), { defaultMode: 420 }) };
}
