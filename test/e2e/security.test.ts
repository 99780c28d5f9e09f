import { apiVersion, type ManifestInput, isWorkloadKind, type WorkloadKind } from '../../lib/api';
import { controllerName, controllerRules, defaultPlatform, defaultProfile, leaseRules } from '../../lib/expand';
import { expectStatus } from '../control-plane/api-response';
import { type AuditEvent } from '../control-plane/audit';
import { type SendableObject } from '../control-plane/client';
import { podBehavior } from '../control-plane/pod-behavior';
import { waitFor } from '../control-plane/wait-for';
import { examplesInput } from '../local/examples-input';
import {
  controllerUser,
  describePinion,
  isTrue,
  type LiveCustomResource,
  smallTemplate,
  workloadOf,
} from './pinion-suite';
import { permissionsOf, usedPermissions } from './used-permissions';

const longRunning = smallTemplate({ [podBehavior.exitAfter]: 'never' });
const config = { files: { '/etc/app/app.yaml': 'currency: EUR\n' } };
const claim = { name: 'data', mountPath: '/data', size: '1Gi' };

/** Each kind with many of its features, and the same workload with almost none. */
const workloadPairs: readonly (readonly [full: ManifestInput<WorkloadKind>, minimal: ManifestInput<WorkloadKind>])[] = [
  [
    workloadOf('PinterestService', 'shop', 'cart', {
      autoscaling: { minReplicas: 2, maxReplicas: 4, cpu: 60 },
      loadBalancer: { port: 80, exposure: 'Internal' },
      leaderElection: true,
      config,
      access: { from: [{ project: 'shop' }] },
      template: smallTemplate(),
    }),
    workloadOf('PinterestService', 'shop', 'cart', { replicas: 1, template: smallTemplate() }),
  ],
  [
    workloadOf('PinterestStatefulSet', 'shop', 'ledger', {
      replicas: 2,
      volumeClaimTemplates: [claim],
      config,
      template: smallTemplate(),
    }),
    workloadOf('PinterestStatefulSet', 'shop', 'ledger', {
      replicas: 1,
      volumeClaimTemplates: [{ ...claim, size: '2Gi' }],
      template: smallTemplate(),
    }),
  ],
  [
    workloadOf('PinterestJobSet', 'shop', 'index', { shards: 3, volumeClaimTemplates: [claim], template: longRunning }),
    workloadOf('PinterestJobSet', 'shop', 'index', {
      shards: 1,
      volumeClaimTemplates: [claim],
      claimRetention: 'Delete',
      allowLoss: ['Claims', 'Progress'],
      template: longRunning,
    }),
  ],
  [
    workloadOf('PinterestCronJob', 'shop', 'report', { schedule: '0 3 * * *', config, template: smallTemplate() }),
    workloadOf('PinterestCronJob', 'shop', 'report', { schedule: '@daily', suspend: true, template: smallTemplate() }),
  ],
  [
    workloadOf('PinterestTrainingJob', 'shop', 'model', {
      framework: 'pytorch',
      roles: { worker: { replicas: 2 } },
      template: longRunning,
    }),
    workloadOf('PinterestTrainingJob', 'shop', 'model', {
      framework: 'pytorch',
      roles: { worker: { replicas: 1 } },
      allowLoss: ['Progress'],
      template: longRunning,
    }),
  ],
  [
    workloadOf('PinterestDaemon', 'machines', 'agent', {
      config,
      template: smallTemplate(),
    }),
    workloadOf('PinterestDaemon', 'machines', 'agent', { template: smallTemplate() }),
  ],
];

/** Runs to completion and is deleted when its TTL expires. */
const shortJobSet = workloadOf('PinterestJobSet', 'shop', 'brief', {
  shards: 1,
  ttlAfterFinished: '1s',
  template: smallTemplate(),
});
const shortTrainingJob = workloadOf('PinterestTrainingJob', 'shop', 'brief', {
  framework: 'pytorch',
  roles: { worker: { replicas: 1 } },
  ttlAfterFinished: '2s',
  cleanPodPolicy: 'All',
  template: smallTemplate(),
});
/** A profile without node-level parts. */
const lean: ManifestInput<'RuntimeProfile'> = {
  ...defaultProfile,
  metadata: { name: 'lean' },
  spec: {
    ...defaultProfile.spec,
    parts: defaultProfile.spec.parts.filter(({ node, requires = [] }) => !node && requires.length === 0),
  },
};

/** Permissions that this suite does not use, each with the reason why the controller needs it. */
const unused: readonly (readonly [RegExp, string])[] = [
  [/\/finalizers update$/, 'checked within other requests, where blockOwnerDeletion is enforced'],
  [/^rbac\.authorization\.k8s\.io\/clusterroles bind$/, 'checked when roles and bindings are created'],
  [/^coordination\.k8s\.io\/leases (create|get|patch|update)$/, 'granted to services that elect a leader'],
  [/^\/events list$/, 'streamed by a watch, and read in pages where a server refuses that'],
  [/^apps\/controllerrevisions (create|delete)$/, 'records of workloads in protected projects: verified-workloads'],
  [/^pinterest\.com\/platform(revisions|rollouts)(\/status update| create| delete)$/, 'rollouts: platform-rollout'],
  [/ get$/, 'read in full before adoption, or before the leftovers of an earlier object of that name are removed'],
  [
    /\/(limitranges|serviceaccounts|deployments|daemonsets|cronjobs) delete$/,
    'every workload, project or Platform has one; an upgrade removes those of older versions',
  ],
];

/** Markers that must appear only in the objects that contain them. */
const secretMarkers = ['sesame-variable', 'sesame-setting', 'sesame-file', 'sesame-argument', 'sesame-patch'];

describePinion(
  'security',
  (pinion) => {
    const requests = (): readonly AuditEvent[] => pinion().cluster.audit.since({ offset: 0 }, { user: controllerUser });
    const isReconciled = ({ status, metadata }: LiveCustomResource) =>
      status?.observedGeneration === metadata.generation && status.phase !== 'Pending';
    const apply = async (document: ManifestInput): Promise<void> => {
      await pinion().apply(document);
      await pinion().until(
        document.kind,
        document.metadata.namespace ?? '',
        document.metadata.name,
        isReconciled,
        120_000,
      );
    };
    const platformOf = (spec: Partial<ManifestInput<'Platform'>['spec']>): ManifestInput<'Platform'> => ({
      ...defaultPlatform,
      spec: { ...defaultPlatform.spec, ...spec },
    });

    describe('the examples, in projects with the restricted Pod Security level', () => {
      const examples = examplesInput();

      test('are accepted without a warning, like every pod', async () => {
        const warnings: string[] = [];
        for (const document of examples)
          await waitFor(
            `the namespace of ${document.kind} ${document.metadata.name}`,
            async () => {
              const response = await pinion().cluster.client.apply(document as SendableObject);
              if (response.status === 404 || response.status === 403) return undefined;
              warnings.push(...expectStatus(response, [200, 201]).warnings);
              return response;
            },
            { timeout: 120_000 },
          );
        expect(warnings).toEqual([]);
        for (const { kind, metadata } of examples.filter((document) => isWorkloadKind(document.kind)))
          await pinion().until(kind, metadata.namespace ?? '', metadata.name, running, 240_000);
        const found = pinion().cluster.audit.since({ offset: 0 }).flatMap(violations);
        expect([...new Set(found)]).toEqual([]);
      }, 600_000);

      test('only infrastructure projects have another level', async () => {
        const { stdout } = await pinion().cluster.kubectl(['get', 'namespaces', '-o', 'json']);
        const { items } = JSON.parse(stdout) as { items: readonly Namespace[] };
        const levels = items.filter(({ metadata }) => metadata.labels['app.kubernetes.io/managed-by'] === 'pinion');
        expect(levels.length).toBeGreaterThan(2);
        const unrestricted = levels.filter(({ metadata }) => metadata.labels[enforce] !== 'restricted');
        for (const { metadata } of unrestricted)
          expect(metadata.labels).toHaveProperty(['pinterest.com/infrastructure'], 'true');
      });
    });

    describe('the RBAC permissions of the controller', () => {
      beforeAll(async () => {
        const members = [
          { name: 'commerce', role: 'edit' },
          { name: 'audit', role: 'view' },
        ] as const;
        await pinion().project('shop', { members });
        await pinion().project('machines', { infrastructure: true });
        for (const [full] of workloadPairs) await apply(full);
        for (const [, minimal] of workloadPairs) await apply(minimal);
        for (const document of [shortJobSet, shortTrainingJob]) await pinion().apply(document);
        for (const { kind, metadata } of [shortJobSet, shortTrainingJob])
          await waitFor(`${kind} brief to be gone`, async () => !(await pinion().read(kind, 'shop', metadata.name)), {
            timeout: 120_000,
          });
        const tiers = [...defaultPlatform.spec.tiers, { name: 'passing', priority: 5 }];
        const { defaultQuota: _, ...withoutQuota } = defaultPlatform.spec;
        await apply(platformOf({ tiers }));
        await apply({ ...defaultPlatform, spec: withoutQuota });
        await apply({ apiVersion, kind: 'Project', metadata: { name: 'shop' }, spec: { team: 'shop' } });
        await pinion().apply(lean);
        await apply(platformOf({ runtime: { profile: 'lean' } }));
        await waitFor(
          'the node-level parts to be gone',
          async () => !(await pinion().read('PinterestDaemon', 'pinion-system', 'node-metrics')),
          { timeout: 120_000 },
        );
        await apply(platformOf({}));
        for (const [, { kind, metadata }] of workloadPairs) {
          const object = { apiVersion, kind, metadata: { name: metadata.name, namespace: metadata.namespace } };
          expectStatus(await pinion().cluster.client.delete(object as SendableObject), [200]);
        }
        await waitFor(
          'the workloads to be gone',
          async () => {
            const { stdout } = await pinion().cluster.kubectl([
              'get',
              'deployment,statefulset,job,cronjob,pod',
              '-n',
              'shop',
              '-o',
              'name',
            ]);
            return stdout.trim() === '';
          },
          { timeout: 120_000 },
        );
      }, 600_000);

      test('are sufficient: no request was forbidden', () => {
        const rejected = requests().filter(({ responseStatus }) => [401, 403].includes(responseStatus?.code ?? 0));
        // The system project is removed last; until then it is protected like any other.
        const unexpected = rejected.filter(
          ({ responseStatus }) => !responseStatus?.message?.includes("'in-use.pinterest.com'"),
        );
        expect(unexpected.map(({ verb, requestURI, responseStatus }) => [verb, requestURI, responseStatus])).toEqual(
          [],
        );
      });

      test('are minimal: each one is used or has a reason', () => {
        const used = usedPermissions(requests());
        const granted = permissionsOf([...controllerRules(), ...leaseRules(controllerName)]);
        const unusedPermissions = [...granted].filter(
          (one) => !used.has(one) && !unused.some(([pattern]) => pattern.test(one)),
        );
        expect(unusedPermissions).toEqual([]);
      });
    });

    describe('a member of a project', () => {
      const canI = async (user: readonly string[], action: string): Promise<string> => {
        const args = ['auth', 'can-i', ...action.split(' '), ...user, '--as-group=system:authenticated'];
        return (await pinion().cluster.kubectl(args)).stdout.trim();
      };
      const editor = ['--as=ana', '--as-group=commerce'];
      const viewer = ['--as=olga', '--as-group=audit'];
      const services = 'pinterestservices.pinterest.com';

      beforeAll(async () => {
        const members = [
          { name: 'commerce', role: 'edit' },
          { name: 'audit', role: 'view' },
        ] as const;
        await pinion().project('shop', { members });
        await pinion().project('bank');
        await waitFor(
          'the role to be known',
          async () => (await canI(editor, `create ${services} -n shop`)) === 'yes',
          {
            timeout: 60_000,
          },
        );
      }, 120_000);

      test('an editor applies, scales, deletes and reads workloads', async () => {
        const cart = workloadOf('PinterestService', 'shop', 'cart', { replicas: 1, template: smallTemplate() });
        const asEditor = ['--as=ana', '--as-group=commerce', '--as-group=system:authenticated', '-n', 'shop'];
        const kubectl = async (args: readonly string[], text?: string) => {
          const { code, stderr } = await pinion().cluster.kubectl([...args, ...asEditor], text);
          expect([args, code, stderr]).toEqual([args, 0, '']);
        };
        await kubectl(['apply', '--server-side', '-f', '-'], JSON.stringify(cart));
        await kubectl(['scale', 'psvc', 'cart', '--replicas=2']);
        await kubectl(['get', 'psvc,deployment,pod,event']);
        await kubectl(['delete', 'psvc', 'cart']);
      });

      test.each([
        `create ${services} -n bank`,
        `get ${services} -n bank`,
        `delete ${services} -n bank`,
        `update ${services} --subresource=status -n shop`,
        'update resourcequotas -n shop',
        'create rolebindings -n shop',
        'patch namespaces -n shop',
        'patch projects.pinterest.com',
        'patch platforms.pinterest.com',
        'create runtimeprofiles.pinterest.com',
        `get secrets -n ${controllerName}`,
        'impersonate users',
      ])('an editor may not %s', async (what) => {
        expect(await canI(editor, what)).toBe('no');
      });

      test('a viewer may read but not write', async () => {
        expect(await canI(viewer, `list ${services} -n shop`)).toBe('yes');
        for (const verb of ['create', 'patch', 'update', 'delete'])
          expect([verb, await canI(viewer, `${verb} ${services} -n shop`)]).toEqual([verb, 'no']);
      });
    });

    describe('secrets in variables, settings, arguments and files', () => {
      const [variable, setting, file, argument, patch] = secretMarkers as [string, string, string, string, string];
      const withSecrets = {
        config: { env: { SETTING: setting }, files: { '/etc/app/app.yaml': `key: ${file}\n` } },
        template: {
          spec: {
            ...smallTemplate().spec,
            containers: [
              {
                name: 'app',
                image: 'registry.example.com/app:1.0.0',
                args: [`--key=${argument}`],
                env: [{ name: 'TOKEN', value: variable }],
              },
            ],
          },
        },
      };

      test('appear in no log, status, event or metric, even if a rejection quotes them', async () => {
        await pinion().project('quiet');
        const policy = { name: 'quoting.example.com' };
        const quote = (kind: string) => ({
          apiVersion: 'admissionregistration.k8s.io/v1',
          kind,
          metadata: policy,
        });
        await pinion().cluster.client.apply({
          ...quote('ValidatingAdmissionPolicy'),
          spec: {
            matchConstraints: {
              resourceRules: [
                {
                  apiGroups: ['apps'],
                  apiVersions: ['v1'],
                  operations: ['CREATE', 'UPDATE'],
                  resources: ['deployments'],
                },
              ],
            },
            validations: [
              {
                expression: '!object.metadata.name.startsWith("refused")',
                messageExpression:
                  '"refuses " + object.spec.template.spec.containers.filter(c, c.name == "app").map(c, c.args.join(" ") + " " + c.env.filter(e, e.name == "TOKEN").map(e, e.value).join(" ")).join(" ")',
              },
            ],
          },
        } as SendableObject);
        await pinion().cluster.client.apply({
          ...quote('ValidatingAdmissionPolicyBinding'),
          spec: { policyName: policy.name, validationActions: ['Deny'] },
        } as SendableObject);
        const template = (fields: object) =>
          ({ ...withSecrets, ...fields }) as ManifestInput<'PinterestService'>['spec'];
        await apply(workloadOf('PinterestService', 'quiet', 'well', template({})));
        const patches = [
          {
            kind: 'Deployment',
            operations: [{ op: 'replace', path: '/spec/template/spec/dnsConfig/nowhere/at/all', value: patch }],
          },
        ];
        await apply(workloadOf('PinterestService', 'quiet', 'misfit', template({ patches })));
        await pinion().cluster.client.waitFor('the policy to be in force', async () => {
          const deployment = workloadDeployment('refused-probe');
          return (await pinion().cluster.client.applyDryRun(deployment)).status >= 400;
        });
        await apply(workloadOf('PinterestService', 'quiet', 'refused', template({})));
        const rejected = await pinion().until(
          'PinterestService',
          'quiet',
          'refused',
          ({ status }) => status?.cause !== undefined,
          120_000,
        );
        expect(rejected.status?.cause?.message).toContain('refuses (not shown) (not shown)');
        const misfit = await pinion().read('PinterestService', 'quiet', 'misfit');
        expect(misfit?.status?.cause?.message).toContain('spec.patches');
        const events = await pinion().cluster.kubectl(['get', 'events', '-A', '-o', 'json']);
        const metrics = await pinion().controller.get('/metrics');
        const all = await pinion().cluster.kubectl(['get', 'psvc', '-n', 'quiet', '-o', 'json']);
        const statuses = (JSON.parse(all.stdout) as { items: readonly LiveCustomResource[] }).items.map(
          ({ status }) => status,
        );
        const log = JSON.stringify(pinion().controller.lines());
        expect(statuses).toHaveLength(3);
        for (const text of [events.stdout, metrics.text, JSON.stringify(statuses), log])
          expect(secretMarkers.filter((mark) => text.includes(mark))).toEqual([]);
      }, 180_000);

      const workloadDeployment = (name: string): SendableObject =>
        ({
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { name, namespace: 'quiet' },
          spec: {
            selector: { matchLabels: { app: name } },
            template: {
              metadata: { labels: { app: name } },
              spec: {
                containers: [{ name: 'app', image: 'app', args: ['none'], env: [{ name: 'TOKEN', value: 'none' }] }],
              },
            },
          },
        }) as SendableObject;
    });
  },
  {
    nodes: 7,
    nodeShape: (index) =>
      index < 3
        ? { zone: `zone-${'abc'[index]}` }
        : {
            zone: `zone-${'abca'[index - 3]}`,
            labels: { 'node.example.com/pool': 'gpu' },
            capacity: { 'nvidia.com/gpu': '8' },
            taints: [{ key: 'nvidia.com/gpu', value: 'present', effect: 'NoSchedule' }],
          },
  },
);

const enforce = 'pod-security.kubernetes.io/enforce';

interface Namespace {
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
}

/** Returns whether a workload is Ready, runs, has succeeded or is suspended. */
const running = (document: LiveCustomResource): boolean =>
  isTrue(document, 'Ready') || ['Running', 'Succeeded', 'Complete', 'Suspended'].includes(document.status?.phase ?? '');

/** Returns the Pod Security annotations of a request. */
const violations = ({ annotations = {}, requestURI }: AuditEvent): readonly string[] =>
  Object.entries(annotations).flatMap(([key, value]) =>
    key.startsWith('pod-security.kubernetes.io/') && !key.endsWith('/enforce-policy') && !key.endsWith('/exempt')
      ? [`${requestURI}: ${key} ${value}`]
      : [],
  );
