import { platformFile } from './import.cases';
import { pinion, writeFiles } from './terminal';

interface Imported {
  readonly code: number;
  readonly comments: string;
  readonly yaml: string;
  readonly err: string;
}

/** Imports a workload; returns the comments as one line, and the document. */
async function importing(word: string, objects: string, ...more: string[]): Promise<Imported> {
  writeFiles({ 'old.yaml': objects, 'pinion.platform.yaml': platformFile });
  const { code, out, err } = await pinion(['import', word, '-f', 'old.yaml', ...more]);
  const lines = out.split('\n');
  const isComment = (line: string) => line.startsWith('#');
  const comments = lines.filter(isComment).map((line) => line.slice(1).trim());
  return { code, err, comments: comments.join(' '), yaml: lines.filter((line) => !isComment(line)).join('\n') };
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
    expect(comments).toContain('Service web-pods: is not replaced; keep it for its clients');
  });

  test('does not let a label of the workload replace that of its pods', async () => {
    const { comments, yaml } = await importing('deploy/web', deployment());
    expect(yaml).toContain('tier: front');
    expect(yaml).not.toContain('tier: old');
    expect(comments).not.toContain('"front"');
  });
});

test.each([
  ['', ''],
  ['  network: {defaultDeny: true}\n', ''],
  ['  network: {defaultDeny: true}\n', ', volumeMounts: [{name: data, mountPath: /data15}]'],
])('every lost value of a claim is said, also if others have the same, %j', async (network, mounts) => {
  const stateful = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, namespace: shop}
spec:
  serviceName: db
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec: {automountServiceAccountToken: false, containers: [{name: db, image: 'registry.example.com/db:1'${mounts}}]}
  volumeClaimTemplates:
    - metadata: {name: data, annotations: {tier: gold, rank: "5"}}
      spec: {accessModes: [ReadWriteOnce], volumeAttributesClassName: gold, resources: {requests: {storage: 15Gi}}}
`;
  const platform = platformFile.replace('  ingress: {internal', `${network}  ingress: {internal`);
  writeFiles({ 'old.yaml': stateful, 'pinion.platform.yaml': platform });
  const { out } = await pinion(['import', 'sts/db', '-f', 'old.yaml']);
  const comments = out.replace(/\n# {3}/g, ' ');
  for (const lost of [/tier"?\W+gold/, /rank"?\W+5"/, /volumeAttributesClassName:\W+gold/])
    expect(comments).toMatch(lost);
  expect(comments).not.toMatch(/needs; set.*; was/);
});

describe('an Ingress', () => {
  const service = (name = 'web') => `apiVersion: v1
kind: Service
metadata: {name: ${name}, namespace: shop}
spec: {selector: {app: ${name}}, ports: [{name: http, port: 80}, {name: admin, port: 9000}]}
---
`;
  const backend = (name = 'web', port = 80) => `backend: {service: {name: ${name}, port: {number: ${port}}}}`;
  const ingress = (spec: string, metadata = 'name: web') => `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {namespace: shop, ${metadata}}
spec: {ingressClassName: external, ${spec}}
---
`;
  const imported = (...ingresses: string[]) => importing('deploy/web', deployment() + service() + ingresses.join(''));

  test('says which paths are matched in another way', async () => {
    const { comments, yaml } = await imported(
      ingress(
        `rules: [{host: web.example.com, http: {paths: [
          {path: /app, pathType: ImplementationSpecific, ${backend()}},
          {path: "/api(/|$)(.*)", pathType: ImplementationSpecific, ${backend()}},
          {path: "/colou?r/.*", pathType: Prefix, ${backend()}}]}}]`,
        'name: web, annotations: {nginx.ingress.kubernetes.io/rewrite-target: /$2, nginx.ingress.kubernetes.io/use-regex: "true"}',
      ),
    );
    for (const part of [
      'the path "/app" of type ImplementationSpecific becomes a prefix',
      'the ImplementationSpecific path "/api(/|$)(.*)" is a pattern and becomes the prefix "/api"',
      'the Prefix path "/colou?r/.*" is a pattern and becomes the prefix "/"',
      'metadata.annotations["nginx.ingress.kubernetes.io/rewrite-target"]: "/$2" is not carried over',
    ])
      expect(comments).toContain(part);
    expect(yaml).not.toContain('(.*)');
  });

  test('says which routes are new', async () => {
    const { comments } = await imported(
      ingress(`rules: [{host: a.example.com, http: {paths: [{path: /, pathType: Prefix, ${backend()}}]}},
        {host: b.example.com, http: {paths: [{path: /api, pathType: Exact, ${backend()}}]}}]`),
    );
    expect(comments).toContain(
      'adds routes that did not exist: a.example.com/api (Exact), b.example.com/; remove hosts or paths',
    );
  });

  test('says that routes to other Services and ports are lost', async () => {
    const rules = `rules: [{host: a.example.com, http: {paths: [{path: /, pathType: Prefix, ${backend()}},
        {path: /admin, pathType: Prefix, ${backend('web', 9000)}}, {path: /find, pathType: Exact, ${backend('search')}}]}}]`;
    const { comments } = await imported(ingress(rules, 'name: all'));
    expect(comments).toContain(
      'remove the routes to web from this one, and keep the others: a.example.com/find (Exact) to search:80',
    );
    expect(comments).not.toContain('delete this one');
    expect(comments).toContain(
      'routes only to port 80 of the Service; now also: a.example.com/admin (Prefix) to web:9000',
    );
    const own = await imported(ingress(rules));
    expect(own.comments).toContain('first move the others to another Ingress: a.example.com/find (Exact) to search:80');
  });

  test('says that a rule without a host, and a default backend, get a host name', async () => {
    const { comments } = await imported(
      ingress(`defaultBackend: {service: {name: web, port: {name: http}}},
        rules: [{http: {paths: [{path: /, pathType: Prefix, ${backend()}}]}}]`),
    );
    expect(comments).toContain('*/ (Prefix) to web:80, */ (Prefix) to web:http applied to every host name');
  });

  test('says that nothing renews a certificate of another issuer', async () => {
    const { comments, yaml } = await imported(
      ingress(
        `tls: [{hosts: [a.example.com], secretName: a-tls}, {hosts: [b.example.com], secretName: b-tls}],
        rules: [{host: a.example.com, http: {paths: [{path: /, pathType: Prefix, ${backend()}}]}}]`,
        'name: web, annotations: {cert-manager.io/cluster-issuer: letsencrypt, cert-manager.io/private-key-size: "4096"}',
      ),
    );
    for (const part of [
      '"letsencrypt" is not an issuer of this Platform and is not carried over, so nothing renews the certificate in Secret a-tls',
      '"4096"',
      'Ingress web: spec.tls["b.example.com"]: "b-tls" is not carried over',
    ])
      expect(comments).toContain(part);
    expect(yaml).toContain('secretName: a-tls');
  });

  test("uses the Platform's issuer if it is the same", async () => {
    const platform = platformFile.replace('external: {', 'external: {clusterIssuer: letsencrypt, ');
    writeFiles({
      'old.yaml': `${deployment()}${service()}${ingress(
        `tls: [{hosts: [a.example.com], secretName: web-tls}],
        rules: [{host: a.example.com, http: {paths: [{path: /, pathType: Prefix, ${backend()}}]}}]`,
        'name: web, annotations: {cert-manager.io/cluster-issuer: letsencrypt}',
      )}`,
      'pinion.platform.yaml': platform,
    });
    const { out } = await pinion(['import', 'deploy/web', '-f', 'old.yaml']);
    expect(out).not.toMatch(/Ingress web:|secretName/);
  });
});

describe('an autoscaler', () => {
  const scaler = (
    spec: string,
    target = 'kind: Deployment, name: web',
    version = 'v2',
  ) => `apiVersion: autoscaling/${version}
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: shop}
spec: {scaleTargetRef: {apiVersion: apps/v1, ${target}}, maxReplicas: 9, ${spec}}
---
`;

  test('says that its percentage measures the containers of the platform', async () => {
    const metrics =
      'metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 65}}}]';
    const { comments } = await importing('deploy/web', deployment() + scaler(metrics));
    expect(comments).toContain(
      'HorizontalPodAutoscaler web: spec.metrics[0]: cpu at 65 percent of requests now also measures the containers that the platform adds (pinion-',
    );
    expect(comments).toContain('set autoscaling.container to web');
  });

  test('keeps the percentage of the first version', async () => {
    const old = scaler('targetCPUUtilizationPercentage: 50', undefined, 'v1');
    const { comments, yaml } = await importing('deploy/web', deployment() + old);
    expect(yaml).toContain('cpu: 50');
    expect(comments).toContain('cpu at 50 percent');
  });

  test('lists metrics and behavior that are not carried over', async () => {
    const { comments } = await importing(
      'deploy/web',
      deployment() +
        scaler(`metrics: [
          {type: Object, object: {describedObject: {apiVersion: v1, kind: Service, name: web}, metric: {name: hits}, target: {type: Value, value: 2k}}},
          {type: Resource, resource: {name: cpu, target: {type: AverageValue, averageValue: 500m}}}],
        behavior: {scaleUp: {selectPolicy: Min, policies: [{type: Pods, value: 2, periodSeconds: 30}]}}`),
    );
    for (const part of [
      'spec.metrics[0]: has no counterpart',
      '"metric":{"name":"hits"}',
      '"averageValue":"500m"',
      'spec.behavior.scaleUp.policies: only a percentage per minute has a counterpart: {"type":"Pods","value":2,"periodSeconds":30} is now 100 percent or 4 pods per minute',
      'spec.behavior.scaleUp.selectPolicy: "Min" is replaced by "Max"',
      'spec.behavior.scaleDown.policies: only a percentage per minute has a counterpart: the Kubernetes default, 100 percent per 15 seconds, is now',
    ])
      expect(comments).toContain(part);
  });

  test('of a StatefulSet is not lost', async () => {
    const { comments } = await importing(
      'sts/web',
      deployment().replace('Deployment', 'StatefulSet') + scaler('minReplicas: 3', 'kind: StatefulSet, name: web'),
    );
    expect(comments).toContain('HorizontalPodAutoscaler web: is not carried over, as this kind has a fixed number of');
    expect(comments).toContain('"minReplicas":3');
  });
});

describe('a DaemonSet', () => {
  const daemonSet = (volumes: string, mounts: string, more = '') => `apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent, namespace: machines}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec:
      automountServiceAccountToken: false
      tolerations: [{operator: Exists}]
      volumes: ${volumes}
      containers: [{name: agent, image: 'registry.example.com/agent:1', volumeMounts: ${mounts}}${more}]
---
`;

  test('keeps a host path that the Project does not allow, and reports it', async () => {
    const { code, yaml, err } = await importing(
      'ds/agent',
      daemonSet('[{name: root, hostPath: {path: /}}]', '[{name: root, mountPath: /host, readOnly: true}]'),
    );
    expect(code).toBe(1);
    expect(err).toContain('spec.host.paths[0].path: "/" is a host path that the Project does not allow');
    expect(yaml).toContain('path: /\n');
  });

  test('says which host path it cannot have, with its value', async () => {
    const { code, comments, yaml } = await importing(
      'ds/agent',
      daemonSet('[{name: run, hostPath: {path: "/var/log/a:b"}}]', '[{name: run, mountPath: /run/a}]'),
    );
    expect(code).toBe(0);
    expect(comments).toContain('spec.host.paths[0] (run): omitted: ');
    expect(comments).toContain('"path":"/var/log/a:b"');
    expect(yaml).not.toContain('/run/a');
  });

  test('says how mounts of host paths change', async () => {
    const { comments } = await importing(
      'ds/agent',
      daemonSet(
        '[{name: logs, hostPath: {path: /var/log, type: Directory}}]',
        '[{name: logs, mountPath: /a}, {name: logs, mountPath: /b, subPath: x, mountPropagation: Bidirectional}]',
        ", {name: other, image: 'registry.example.com/agent:1'}",
      ) +
        `apiVersion: v1
kind: Service
metadata: {name: agent, namespace: machines}
spec: {selector: {app: agent}, ports: [{name: http, port: 80}]}
`,
    );
    for (const part of [
      'volumes: logs is now mounted into every container, at /a',
      '"mountPath":"/b","subPath":"x","mountPropagation":"Bidirectional","volume":{"hostPath":{"path":"/var/log","type":"Directory"}}',
      'Service agent: spec.internalTrafficPolicy: "Cluster" is replaced by "Local"',
    ])
      expect(comments).toContain(part);
  });
});

describe('a StatefulSet', () => {
  test('says where the old names of its members are if it gets another name', async () => {
    const { comments } = await importing(
      'sts/zk',
      `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: zk, namespace: shop}
spec:
  replicas: 3
  serviceName: zk-headless
  selector: {matchLabels: {app: zk}}
  template:
    metadata: {labels: {app: zk}}
    spec:
      automountServiceAccountToken: false
      initContainers: [{name: wait, image: 'registry.example.com/zk:3', command: [sh, -c, "nslookup zk-0.zk-headless"]}]
      containers:
        - name: server
          image: registry.example.com/zk:3
          env:
            - {name: SERVERS, value: "zk-0.zk-headless.shop.svc.cluster.local:2888 zk-1.zk-headless.shop.svc.cluster.local:2888"}
            - {name: OTHER, value: my-zk-headless}
          args: [start, "--peers=http://zk-headless:2181/"]
---
apiVersion: v1
kind: ConfigMap
metadata: {name: zk-config, namespace: shop}
data: {zoo.cfg: "tickTime=2000\\nserver.1=zk-0.zk-headless:2888:3888"}
`,
      '--name',
      'zoo',
    );
    expect(comments).toContain(
      'StatefulSet zk: spec.serviceName: members are resolved under zoo-members instead of zk-headless; their DNS names in the cluster change from zk-0.zk-headless to zoo-0.zoo-members; change the old name in ' +
        'command[2] of container wait (zk-0.zk-headless), ' +
        'env SERVERS of container server (zk-0.zk-headless.shop.svc.cluster.local, zk-1.zk-headless.shop.svc.cluster.local), ' +
        'args[1] of container server (zk-headless), ' +
        'zoo.cfg of ConfigMap zk-config (zk-0.zk-headless)',
    );
    expect(comments).not.toContain('my-zk-headless');
  });
});

describe('the headless Service of a StatefulSet', () => {
  const headless = (name: string) => service(name, 'clusterIP: None, ');
  const service = (name: string, more = '') => `---
apiVersion: v1
kind: Service
metadata: {name: ${name}, namespace: shop}
spec: {${more}selector: {app: db}, ports: [{name: sql, port: 5432}]}
`;
  const set = (serviceName: string) => `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, namespace: shop}
spec:
  serviceName: ${serviceName}
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec: {automountServiceAccountToken: false, containers: [{name: db, image: 'registry.example.com/db:1'}]}
`;

  test('keeps its name, so that members keep their host names', async () => {
    const { comments, yaml } = await importing('sts/db', set('db-pods') + headless('db-pods') + service('db'));
    expect(yaml).toContain('membersService: db-pods\n');
    expect(yaml).toContain('loadBalancer:');
    expect(comments).not.toContain('DNS names');
    expect(comments).toContain(
      "kubectl label pods -n shop -l 'app=db,!pinterest.com/workload' pinterest.com/kind=PinterestStatefulSet pinterest.com/workload=db",
    );
  });

  test('is the default one without a field', async () => {
    const { comments, yaml } = await importing('sts/db', set('db-members') + headless('db-members'));
    expect([yaml, comments]).not.toContain('membersService');
    expect(yaml).toContain('port: 5432');
  });

  test('can have the name of the workload; then the Services of clients stay', async () => {
    const ingress = `---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: front, namespace: shop}
spec: {defaultBackend: {service: {name: db-read, port: {number: 5432}}}}
`;
    const objects = set('db') + headless('db') + service('db-read') + ingress;
    const { comments, yaml } = await importing('sts/db', objects);
    expect(yaml).toContain('membersService: db\n');
    expect(yaml).toContain('port: 5432');
    expect(yaml).not.toContain('loadBalancer');
    expect(comments).toContain('Service db-read: metadata.name: is not converted');
    expect(comments).toContain('Ingress front: spec: is not converted and routes to Service db-read; keep both');
  });

  test('is not taken from another workload that uses it', async () => {
    const other = set('db-pods')
      .replaceAll('name: db,', 'name: replica,')
      .replace('app: db}}\n  template', 'app: x}}\n  template');
    const { comments, yaml } = await importing('sts/db', `${set('db-pods')}---\n${other}${headless('db-pods')}`);
    expect(yaml).not.toContain('membersService');
    expect(comments).toContain(
      'members are resolved under db-members instead of db-pods, which StatefulSet replica also uses: keep that Service for them; their DNS names in the cluster change from db-0.db-pods to db-0.db-members',
    );
  });

  test('is replaced if it has an address, which gives members no host names', async () => {
    const { comments, yaml } = await importing('sts/db', set('db') + service('db'));
    expect(yaml).not.toContain('membersService');
    expect(yaml).toContain('loadBalancer:');
    expect(comments).toContain(
      'StatefulSet db: spec.serviceName: db is not headless, so that members had no host names of their own; they are now db-0.db-members and so on',
    );
  });
});

describe('a folder', () => {
  const files = {
    'pinion.platform.yaml': platformFile,
    'old/web.yaml': deployment(),
    'old/more.yaml': `${deployment().replaceAll('web', 'search')}apiVersion: v1
kind: ConfigMap
metadata: {name: unused, namespace: shop}
---
apiVersion: batch/v1
kind: Pod
metadata: {name: debug, namespace: shop}
`,
  };

  test('is imported whole, and the objects that stay are listed', async () => {
    writeFiles(files);
    const { code, out, err } = await pinion(['import', '-f', 'old']);
    expect([code, err]).toEqual([0, '']);
    expect(out.match(/^kind: .*/gm)).toEqual(['kind: PinterestService', 'kind: PinterestService']);
    expect(out).toMatch(/# Not imported, [^]*# - ConfigMap shop\/unused\n# - Pod shop\/debug\n$/);
  });

  test('reports files that it cannot read', async () => {
    writeFiles({ ...files, 'old/broken.yaml': 'a: [' });
    const { code, err } = await pinion(['import', '-f', 'old']);
    expect([code, err]).toEqual([1, expect.stringContaining('broken.yaml')]);
  });

  test.each([
    [['--name', 'other'], '--name requires KIND/NAME'],
    [['-n', 'none'], 'no workload of namespace none in old; those of namespace shop need -n shop'],
  ])('a usage error says what is missing: %j', async (more, message) => {
    writeFiles(files);
    const { code, err } = await pinion(['import', '-f', 'old', ...more]);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});

test('objects that no longer select the pods are listed', async () => {
  const chart = deployment().replaceAll('labels: {app: web', 'labels: {app.kubernetes.io/name: chart');
  const { comments } = await importing(
    'deploy/web',
    `${chart}apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: in, namespace: shop}
spec: {podSelector: {matchLabels: {app.kubernetes.io/name: chart}}}
`,
  );
  expect(comments).toContain('NetworkPolicy in: is replaced by spec.access');
  expect(comments).toContain('NetworkPolicy in: spec: does not select the new pods');
});
