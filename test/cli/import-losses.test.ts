import { platformFile } from './import.cases';
import { pinion, writeFiles } from './terminal';

/** Imports a workload; returns the comments as one line, and the document. */
async function importing(word: string, objects: string): Promise<{ readonly comments: string; readonly yaml: string }> {
  writeFiles({ 'old.yaml': objects, 'pinion.platform.yaml': platformFile });
  const { out } = await pinion(['import', word, '-f', 'old.yaml']);
  const lines = out.split('\n');
  const isComment = (line: string) => line.startsWith('#');
  const comments = lines.filter(isComment).map((line) => line.slice(1).trim());
  return { comments: comments.join(' '), yaml: lines.filter((line) => !isComment(line)).join('\n') };
}

const deployment = (more = '', pod = ''): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop, labels: {app: web, tier: old}, annotations: {reloader.example.com/auto: "true"}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  ${more}
  template:
    metadata: {labels: {app: web, tier: front}}
    spec: {automountServiceAccountToken: false, ${pod} containers: [{name: web, image: 'registry.example.com/web:1'}]}
---
`;

describe('what an import does not carry over', () => {
  test('is said with its field and its value', async () => {
    const { comments, yaml } = await importing(
      'deploy/web',
      `${deployment()}apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop, annotations: {example.com/balancer: nlb}}
spec:
  selector: {app: web}
  externalTrafficPolicy: Local
  type: LoadBalancer
  ports: [{name: http, port: 80, targetPort: 8080, nodePort: 30080}]
`,
    );
    for (const part of [
      'Deployment web: metadata.labels.tier: "old" is not carried over',
      'Service web: metadata.annotations["example.com/balancer"]: "nlb" is not carried over',
      'Service web: spec.externalTrafficPolicy: "Local" is not carried over',
      'Service web: spec.ports[80/TCP].nodePort: 30080 is not carried over',
      'Service web: spec.type: LoadBalancer is replaced by ClusterIP',
    ])
      expect(comments).toContain(part);
    expect(yaml).toContain('reloader.example.com/auto: "true"');
  });

  test('is said of Services without an address too', async () => {
    const { comments } = await importing(
      'deploy/web',
      `${deployment()}apiVersion: v1
kind: Service
metadata: {name: web-pods, namespace: shop}
spec: {clusterIP: None, selector: {app: web}, ports: [{name: grpc, port: 80}]}
`,
    );
    expect(comments).toContain('Service web-pods: is not replaced; keep it: it also selects the new pods');
  });

  test('does not let a label of the workload replace that of its pods', async () => {
    const { comments, yaml } = await importing('deploy/web', deployment());
    expect(yaml).toContain('tier: front');
    expect(yaml).not.toContain('tier: old');
    expect(comments).not.toContain('"front"');
  });
});
