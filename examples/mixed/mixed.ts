/**
 * A catalog service together with constructs of cdk8s-plus: its theme is a ConfigMap and its scratch space a volume of
 * cdk8s-plus. A Deployment reads from it, an Ingress routes to it, and a NetworkPolicy admits only these two.
 */
import { ApiObject, Chart, Duration, JsonPatch, Size } from 'cdk8s';
import { type Construct } from 'constructs';
import * as kplus from 'cdk8s-plus-27';
import { PinterestService } from '@pinion-platform/pinion';

/** Adds a chart with the catalog, its reader, the Ingress and the NetworkPolicy. */
export function mixed(scope: Construct): Chart {
  const chart = new Chart(scope, 'mixed', { namespace: 'catalog' });
  const theme = new kplus.ConfigMap(chart, 'theme', {
    metadata: { name: 'theme' },
    data: { 'theme.json': '{"accent":"teal"}' },
  });
  const search = kplus.Secret.fromSecretName(chart, 'search', 'search-token');
  const scratch = kplus.Volume.fromEmptyDir(chart, 'scratch', 'scratch', { sizeLimit: Size.mebibytes(256) });
  const catalog = new PinterestService(chart, 'catalog', {
    project: 'catalog',
    replicas: 2,
    loadBalancer: { port: 8080, exposure: 'Cluster' },
    termination: { gracePeriod: Duration.seconds(45) },
    secrets: { env: { SEARCH_TOKEN: { name: search, key: 'token' } } },
    template: {
      spec: {
        securityContext: { runAsUser: 1000 },
        containers: [
          {
            name: 'catalog',
            image: 'docker.io/nginxinc/nginx-unprivileged:1.29.1',
            ports: [{ containerPort: 8080 }],
            volumeMounts: [
              { name: 'scratch', mountPath: '/tmp' },
              { name: 'theme', mountPath: '/usr/share/nginx/html/theme', readOnly: true },
            ],
          },
        ],
        volumes: [scratch, { name: 'theme', configMap: { name: theme } }],
      },
    },
  });
  const reader = new kplus.Deployment(chart, 'reader', {
    metadata: { name: 'reader' },
    replicas: 1,
    containers: [
      {
        image: 'docker.io/curlimages/curl:8.15.0',
        args: ['sh', '-c', 'while :; do curl -fsS http://catalog:8080/; sleep 30; done'],
        securityContext: { user: 1000 },
      },
    ],
  });
  // The namespace enforces the restricted Pod Security level. pinion sets these fields; other workloads must set them.
  ApiObject.of(reader).addJsonPatch(
    JsonPatch.add('/spec/template/spec/containers/0/securityContext/capabilities', { drop: ['ALL'] }),
    JsonPatch.add('/spec/template/spec/securityContext/seccompProfile', { type: 'RuntimeDefault' }),
  );
  const ingressNamespace = kplus.Namespaces.select(chart, 'ingress-namespace', {
    labels: { 'kubernetes.io/metadata.name': 'ingress' },
  });
  const policy = new kplus.NetworkPolicy(chart, 'policy', { metadata: { name: 'catalog-readers' }, selector: catalog });
  for (const peer of [reader, ingressNamespace]) policy.addIngressRule(peer, [kplus.NetworkPolicyPort.tcp(8080)]);
  const ingress = new kplus.Ingress(chart, 'ingress', { metadata: { name: 'catalog' } });
  ingress.addHostRule('catalog.example.com', '/', catalog.toIngressBackend(kplus.IngressBackend));
  return chart;
}
