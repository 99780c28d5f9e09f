import {
  parseManifest,
  isPlatformKind,
  type Container,
  type PlatformManifest,
  type PodTemplateSpec,
  type Workload,
} from '../../../../lib/api';
import { expand, resolvePlatform, type KubernetesObject } from '../../../../lib/expand';
import { ruleFile, type RuleFile } from '../../../../lib/observability';
import {
  planPlatformStack,
  stageNames,
  type PlatformStackInput,
  type Stage,
  type StageName,
} from '../../../../stacks/plan/platform';
import { expectGolden } from '../expect-golden';
import { makePlatformInput } from './make-platform-input';

const plan = planPlatformStack(makePlatformInput());
const stageOf = (name: StageName, stages = plan): Stage => {
  const found = stages.find((stage) => stage.name === name);
  if (!found) throw new Error(`there is no stage ${name}`);
  return found;
};
const find = (name: StageName, kind: string, object: string, stages = plan): KubernetesObject => {
  const found = stageOf(name, stages).objects.find((one) => one.kind === kind && one.metadata.name === object);
  if (!found) throw new Error(`stage ${name} has no ${kind} ${object}`);
  return found;
};

/** Returns the containers of the pods that a workload of the plan expands to. */
function expandedContainers(object: KubernetesObject): readonly Container[] {
  const documents = stageOf('pinion').objects.filter(({ kind }) => isPlatformKind(kind));
  const cluster = resolvePlatform(documents.map((document) => parseManifest(document as never)) as PlatformManifest[]);
  const workload = parseManifest(object as never) as Workload;
  const expanded = expand(workload, cluster.project(workload.metadata.namespace));
  const template = expanded.map((one) => (one['spec'] as { template?: PodTemplateSpec } | undefined)?.template);
  return template.find((found) => found !== undefined)?.spec?.containers ?? [];
}

/** CRDs and shipped manifests have tests of their own; here only presence and order matter. */
const summaries = (objects: readonly KubernetesObject[]): object[] =>
  objects.map((object) =>
    ['Platform', 'Project'].includes(object.kind) ? object : { kind: object.kind, name: object.metadata.name },
  );

test.each(stageNames)('the stage %s matches the golden file', (name) => {
  const { why, objects, awaits } = stageOf(name);
  const isShipped = name === 'definitions' || name === 'pinion' || name === 'observability';
  expectGolden(`../platform/golden/${name}.yaml`, {
    why,
    objects: isShipped ? summaries(objects) : objects,
    awaits: awaits.map(({ kind, namespace, name: object, until }) =>
      [kind, namespace === undefined ? object : `${namespace}/${object}`, until].join(' '),
    ),
  });
});

test('equal configurations give equal stages', () => {
  expect(planPlatformStack(makePlatformInput())).toEqual(plan);
});

test('components that nodes wait for use the API endpoint name, because service addresses are not routed yet', () => {
  const early = [...stageOf('cloud').objects, ...stageOf('network').objects].filter(({ kind }) =>
    ['DaemonSet', 'Deployment'].includes(kind),
  );
  expect(early.map(({ metadata }) => metadata.name)).toEqual([
    'cloud-controller-manager',
    'node-approver',
    'kube-proxy',
    'cilium-operator',
    'cilium',
  ]);
  const texts = [...early, find('network', 'ConfigMap', 'kube-proxy')].map((object) => JSON.stringify(object));
  expect(texts.filter((text) => text.includes('api.shop.example.com'))).toHaveLength(5);
});

test('the Platform has the pools of the groups, with their labels and taints', () => {
  expect(find('pinion', 'Platform', 'cluster')['spec']).toMatchObject({
    cluster: 'shop',
    kubernetesVersion: '1.36',
    aws: { accountId: '123456789012', partition: 'aws' },
    defaultPool: 'general',
    pools: [
      { name: 'general', nodeSelector: { 'pinion/pool': 'general' } },
      {
        name: 'training',
        tolerations: [{ key: 'nvidia.com/gpu', operator: 'Equal', value: 'present', effect: 'NoSchedule' }],
        accelerators: ['nvidia.com/gpu'],
      },
      { name: 'batch' },
    ],
  });
});

test('volumes are encrypted with the key of the cluster, expandable, and created in the zone of their pod', () => {
  expect(find('storage', 'StorageClass', 'gp3')).toMatchObject({
    metadata: { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    parameters: { type: 'gp3', encrypted: 'true', kmsKeyId: expect.stringContaining(':key/') as unknown },
    allowVolumeExpansion: true,
    volumeBindingMode: 'WaitForFirstConsumer',
  });
});

test('in the CSI driver on nodes, only the plugin mounts volumes, and they propagate to the kubelet', () => {
  const daemon = find('storage', 'PinterestDaemon', 'ebs-csi-node');
  const mountsOf = (container: Container) =>
    (container.volumeMounts ?? [])
      .filter(({ mountPath }) => !mountPath.startsWith('/var/run/'))
      .map(({ mountPath, mountPropagation }) => [mountPath, ...(mountPropagation ? [mountPropagation] : [])].join(' '));
  const containers = expandedContainers(daemon);
  expect(Object.fromEntries(containers.map((container) => [container.name, mountsOf(container)]))).toEqual({
    plugin: ['/var/lib/kubelet Bidirectional', '/dev', '/csi'],
    registrar: ['/registration', '/csi'],
    liveness: ['/csi'],
  });
});

test('each ingress has its own controller, class and load balancer; only the internal one is private', () => {
  const ingress = { internal: { ingressClassName: 'inner' }, external: { ingressClassName: 'outer' } };
  const both = planPlatformStack(makePlatformInput({ platform: { ...makePlatformInput().platform, ingress } }));
  const internal = 'service.beta.kubernetes.io/aws-load-balancer-internal';
  expect(find('ingress', 'Service', 'ingress-internal-balancer', both).metadata.annotations?.[internal]).toBe('true');
  expect(find('ingress', 'Service', 'ingress-external-balancer', both).metadata.annotations).not.toHaveProperty([
    internal,
  ]);
  expect(find('ingress', 'IngressClass', 'inner', both)['spec']).toEqual({ controller: 'pinion/ingress-internal' });
  expect(find('ingress', 'IngressClass', 'outer', both)['spec']).toEqual({ controller: 'pinion/ingress-external' });
  const names = find('ingress', 'PinterestService', 'external-dns', both);
  expect(JSON.stringify(names)).toContain('"--ingress-class=inner","--ingress-class=outer"');
});

test('the quota monitor comes before the submission service, which reads its history; both are optional', () => {
  const { submission, quotaMonitor, ...others } = makePlatformInput();
  expect(planPlatformStack(others).map(({ name }) => name)).not.toContain('deployments');
  const projectsOf = (own: object): string[] =>
    stageOf('deployments', planPlatformStack({ ...others, ...own }))
      .objects.filter(({ kind }) => kind === 'Project')
      .map(({ metadata }) => metadata.name);
  expect(projectsOf({ quotaMonitor })).toEqual(['pinion-quota']);
  expect(projectsOf({ submission })).toEqual(['pinion-submission']);
  expect(projectsOf({ quotaMonitor, submission })).toEqual(['pinion-quota', 'pinion-submission']);
  const canary = { image: 'registry.example.com/pinion/canary:1.0.0' };
  const withCanary = projectsOf({ quotaMonitor, submission, canary });
  expect(withCanary.slice(2)).toEqual(['pinion-canary', 'pinion-canary-work']);
  expect(JSON.stringify(planPlatformStack({ ...others, submission }))).not.toContain('quotaNamespace');
});

test('rules and dashboards are installed on request, as a ConfigMap unless there is a Prometheus operator', () => {
  const { observability, ...others } = makePlatformInput({ kubernetesVersion: '1.35' });
  expect(planPlatformStack(others).map(({ name }) => name)).not.toContain('observability');
  const namesOf = (own: PlatformStackInput['observability']) =>
    stageOf('observability', planPlatformStack({ ...others, observability: own })).objects.map(
      ({ kind, metadata: { namespace, name } }) => `${kind} ${namespace ?? '-'}/${name}`,
    );
  expect(namesOf({ dashboards: false })).toEqual([
    'Project -/pinion-observability',
    'ConfigMap pinion-observability/pinion-rules',
  ]);
  expect(namesOf({ rules: 'prometheus-rule', namespace: 'monitoring' }).slice(0, 8)).toEqual([
    'PrometheusRule monitoring/pinion-recordings',
    'PrometheusRule monitoring/pinion-alerts',
    'PodMonitor monitoring/pinion-controller',
    'PodMonitor monitoring/pinion-submission',
    'PodMonitor monitoring/pinion-gateway',
    'PodMonitor monitoring/pinion-clients',
    'PodMonitor monitoring/pinion-registrar',
    'ConfigMap monitoring/pinion-overview',
  ]);
  const stages = planPlatformStack({ ...others, observability: { ...observability, ruleLabels: { release: 'shop' } } });
  const { metadata, data } = find('observability', 'ConfigMap', 'pinion-rules', stages) as KubernetesObject & {
    readonly data: Readonly<Record<string, string>>;
  };
  expect(metadata.labels).toEqual({ release: 'shop' });
  const rules = JSON.parse(data['pinion-rules.yaml'] ?? '') as RuleFile;
  expect(rules).toEqual(
    JSON.parse(
      JSON.stringify(
        ruleFile({ kubernetes: '1.35', runbooks: 'https://runbooks.example.com', without: ['pinion-canary'] }),
      ),
    ),
  );
  const overview = find('observability', 'ConfigMap', 'pinion-overview', stages);
  expect(overview.metadata.labels).toEqual({ grafana_dashboard: '1' });
});

test('alerts and scrape configuration of parts that are not installed are omitted', () => {
  const observability = { rules: 'prometheus-rule', namespace: 'monitoring', dashboards: false } as const;
  const { quotaMonitor, submission, gatewayImage, clientMonitorImage, auditEvents, platform, ...others } =
    makePlatformInput({ observability });
  const { gateway, ...settings } = platform;
  const bare = { ...others, platform: settings };
  const canary = { image: 'registry.example.com/pinion/canary:1.0.0' };
  const planned = (input: PlatformStackInput): { alerts: string[]; scraped: string[] } => {
    const { objects } = stageOf('observability', planPlatformStack(input));
    const named = (kind: string): KubernetesObject[] => objects.filter((one) => one.kind === kind);
    const rules = named('PrometheusRule') as unknown as readonly { readonly spec: RuleFile }[];
    const alerts = rules.flatMap(({ spec }) =>
      spec.groups.flatMap((group) => group.rules.map(({ alert }) => alert ?? '')),
    );
    const parts = [
      'PinionCanaryAbsent',
      'PinionQuotaMonitorAbsent',
      'PinionSubmissionDown',
      'PinionControllerDown',
      'PinionGatewayDown',
    ];
    return {
      alerts: parts.filter((alert) => alerts.includes(alert)),
      scraped: named('PodMonitor').map(({ metadata }) => metadata.name),
    };
  };
  expect(planned(bare)).toEqual({
    alerts: ['PinionControllerDown'],
    scraped: ['pinion-controller', 'pinion-registrar'],
  });
  expect(planned({ ...bare, canary, ...(quotaMonitor && { quotaMonitor }) }).alerts).toEqual([
    'PinionCanaryAbsent',
    'PinionQuotaMonitorAbsent',
    'PinionControllerDown',
  ]);
  expect(planned({ ...bare, ...(submission && { submission }) })).toEqual({
    alerts: ['PinionSubmissionDown', 'PinionControllerDown'],
    scraped: ['pinion-controller', 'pinion-submission', 'pinion-registrar'],
  });
  const withGateway = { ...bare, platform, ...(gatewayImage !== undefined && { gatewayImage }) };
  expect(planned(withGateway)).toEqual({
    alerts: ['PinionControllerDown', 'PinionGatewayDown'],
    scraped: ['pinion-controller', 'pinion-gateway', 'pinion-registrar'],
  });
  expect(gateway).toBeDefined();
  const withMonitor = { ...bare, auditEvents: true, ...(clientMonitorImage !== undefined && { clientMonitorImage }) };
  expect(planned(withMonitor).scraped).toEqual(['pinion-controller', 'pinion-clients', 'pinion-registrar']);
  expect(auditEvents).toBe(true);
});

test('the client monitor stores its history where the page reads it, once the namespace exists', () => {
  const isAccess = ({ kind, metadata }: KubernetesObject) =>
    kind === 'RoleBinding' && metadata.namespace === 'pinion-quota' && metadata.name === 'pinion-client-monitor';
  expect(stageOf('pinion').objects.some(isAccess)).toBe(false);
  const { objects } = stageOf('deployments');
  const project = objects.findIndex(({ kind, metadata }) => kind === 'Project' && metadata.name === 'pinion-quota');
  expect([project, objects.findIndex(isAccess)]).toEqual([0, expect.any(Number)]);
  expect(objects.findIndex(isAccess)).toBeGreaterThan(project);
  expect(JSON.stringify(find('pinion', 'DaemonSet', 'pinion-client-monitor'))).toContain('--history=pinion-quota');
  const readsGateways = ({ kind, metadata }: KubernetesObject) =>
    kind === 'RoleBinding' && metadata.namespace === 'pinion-gateway' && metadata.name === 'pinion-client-monitor';
  expect(plan.filter((stage) => stage.objects.some(readsGateways)).map((stage) => stage.name)).toEqual(['gateway']);
  const { quotaMonitor, submission, ...others } = makePlatformInput();
  expect([quotaMonitor, submission]).not.toContain(undefined);
  const without = planPlatformStack(others);
  expect(without.flatMap((stage) => stage.objects).some(isAccess)).toBe(false);
  expect(JSON.stringify(find('pinion', 'DaemonSet', 'pinion-client-monitor', without))).not.toContain('--history');
});

test('with default deny, only Prometheus may reach the metrics port of the submission service', () => {
  const { platform, observability, ...rest } = makePlatformInput();
  const policies = (defaultDeny: boolean, namespace?: string) =>
    stageOf(
      'deployments',
      planPlatformStack({
        ...rest,
        platform: { ...platform, network: { defaultDeny } },
        observability: { ...observability, ...(namespace !== undefined && { namespace }) },
      }),
    ).objects.filter(({ metadata }) => metadata.name === 'platform-scrapes');
  expect(policies(true, 'monitoring')).toEqual([
    expect.objectContaining({
      kind: 'NetworkPolicy',
      metadata: expect.objectContaining({ namespace: 'pinion-submission' }),
      spec: {
        podSelector: { matchLabels: { 'app.kubernetes.io/name': 'submission' } },
        policyTypes: ['Ingress'],
        ingress: [
          {
            from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
            ports: [{ port: 'status', protocol: 'TCP' }],
          },
        ],
      },
    }),
  ]);
  expect(policies(false, 'monitoring')).toEqual(policies(true, 'monitoring'));
  expect(policies(true)).toEqual([]);
});

/** Plans both exposures, for Platforms that deny or allow traffic by default. */
const planBoth = (defaultDeny: boolean): readonly Stage[] =>
  planPlatformStack(
    makePlatformInput({
      platform: {
        ...makePlatformInput().platform,
        ingress: { internal: { ingressClassName: 'inner' }, external: { ingressClassName: 'outer' } },
        network: { defaultDeny },
      },
    }),
  );

test('only internal load balancers state addresses of clients, and only they are trusted', () => {
  const prefix = 'service.beta.kubernetes.io/aws-load-balancer';
  const both = planBoth(true);
  const [inner, outer] = ['ingress-internal', 'ingress-external'].map((name) => ({
    annotations: find('ingress', 'Service', `${name}-balancer`, both).metadata.annotations ?? {},
    controller: JSON.stringify(find('ingress', 'PinterestService', name, both)),
  }));
  expect(inner?.annotations).toMatchObject({
    [`${prefix}-target-group-attributes`]: 'preserve_client_ip.enabled=false,proxy_protocol_v2.enabled=true',
    [`${prefix}-healthcheck-port`]: '30080',
    [`${prefix}-healthcheck-path`]: '/ping',
  });
  for (const entryPoint of ['web', 'secure', 'traefik'])
    expect(inner?.controller).toContain(
      `"--entrypoints.${entryPoint}.proxyprotocol.trustedips=10.0.0.0/19,10.0.32.0/19,10.0.64.0/19"`,
    );
  expect(Object.keys(outer?.annotations ?? {}).filter((key) => /target-group|healthcheck/.test(key))).toEqual([]);
  expect(outer?.controller).not.toContain('proxyprotocol');
  for (const one of [inner, outer]) expect(one?.controller).not.toMatch(/insecure|forwardedheaders/);
});

test('the health checks of the internal load balancer reach the port that answers them', () => {
  const port = { port: 80, targetPort: 8080, nodePort: 30_080 };
  const spec = { type: 'NodePort', externalTrafficPolicy: 'Local', ports: [expect.objectContaining(port)] };
  expect(find('ingress', 'Service', 'ingress-internal-health')['spec']).toMatchObject(spec);
  const access = { from: [{ cidr: '0.0.0.0/0', ports: [8000, 8443, 8080] }] };
  expect(find('ingress', 'PinterestService', 'ingress-internal', planBoth(true))['spec']).toMatchObject({ access });
});

test('only ingress controllers reach a submission service that trusts the addresses that pods state', () => {
  const { canary, submission, ...others } = makePlatformInput({
    canary: { image: 'registry.example.com/pinion/canary:1.0.0' },
  });
  const service = (input: Partial<PlatformStackInput>) => {
    const object = find(
      'deployments',
      'PinterestService',
      'submission',
      planPlatformStack({ ...others, ...(submission && { submission }), ...input }),
    );
    const { access, config } = object['spec'] as { access?: object; config: { files: Record<string, string> } };
    const settings = JSON.parse(config.files['/etc/pinion/submission.json'] ?? '') as { trustedProxies?: string[] };
    return { access, trusted: settings.trustedProxies };
  };
  expect(service({})).toEqual({ access: { from: [] }, trusted: ['100.64.0.0/10'] });
  expect(service({ ...(canary && { canary }) }).access).toEqual({ from: [{ project: 'pinion-canary' }] });
  const { hosts: _, ...withoutHosts } = submission as NonNullable<typeof submission>;
  const own = { ...withoutHosts, exposure: 'Cluster' as const };
  expect(service({ submission: own })).toEqual({ access: undefined, trusted: undefined });
});

test('on Kubernetes 1.35, its components have version 1.35', () => {
  const older = planPlatformStack(makePlatformInput({ kubernetesVersion: '1.35' }));
  expect(JSON.stringify(find('network', 'DaemonSet', 'kube-proxy', older))).toContain('/kube-proxy:v1.35.');
  expect(JSON.stringify(find('dns', 'Deployment', 'coredns', older))).toContain('/coredns:v1.13.1');
});
