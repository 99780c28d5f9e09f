import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { dump } from 'js-yaml';
import { isCommandGroup } from '../../lib/cli/command/command';
import { parseCommandLine } from '../../lib/cli/command/parse-command-line';
import { resolveCommand } from '../../lib/cli/command/resolve-command';
import { rootCommand } from '../../lib/cli/command-table';
import { installManifests } from '../../lib/expand';
import { canaryManifests, quotaMonitorManifests, submissionManifests } from '../../lib/programs';
import { planClusterStack } from '../../stacks/plan';
import { motoMissing, startMoto, type Moto } from '../cloud/moto';
import { expectStatus } from '../control-plane/api-response';
import { findBinaries } from '../control-plane/binaries';
import { type SendableObject } from '../control-plane/client';
import { type CommandResult, runCommand } from '../control-plane/command';
import { TestAuthority } from '../kube/certificates';
import { gatewayImageOf } from '../local/install-pinion';
import { platformWithGateway } from '../local/gateway-platform';
import { plainCluster } from '../stacks/plan/make-cluster';
import { type EtcdUnderTest, startEtcd } from './etcd-members';
import { describePinion, smallTemplate, workloadOf } from './pinion-suite';
import { exceptions } from './runbooks/exceptions';
import { runbookCommands } from './runbooks/runbook-commands';
import { machineAddress, SimulatedNode } from './runbooks/simulated-node';
import { leftWords, substituted, type RunbookValues } from './runbooks/substitutions';

const program = join(__dirname, '..', '..', 'build', 'bin', 'pinion.js');
const image = 'registry.example.com/pinion/controller:1.0.0';
const all = runbookCommands();
const exceptionOf = (command: string) => exceptions.find(({ commands }) => commands.test(command));
const withAws = all.filter(({ command }) => command.startsWith('aws '));
const executed = all.filter((each) => exceptionOf(each.command) === undefined && !withAws.includes(each));

/** Exit codes other than 0, and what the command prints then. */
const outcomes: readonly (readonly [pattern: RegExp, code: number, output: RegExp])[] = [
  // It is exported from the first error on.
  [/apiserver_audit_error_total/, 1, /^$/],
  // The installation of the tests has one controller instead of two.
  [/\| kubectl diff --server-side/, 1, /platform-controller-writes/],
  [/^kubectl .*\btop /, 1, /Metrics API not available/],
  // No rollout is in progress.
  [/^pinion rollout /, 1, /rollout/],
];

/** Lists of what only a fault creates, or what the test cluster does not have. */
const mayBeEmpty = /get csr$|reason=FailedCreate|kind=(PlatformRollout|CronJob)|endpointslices -n default/;

const testAws = motoMissing === undefined ? test : test.skip;
const address = machineAddress();
const authority = new TestAuthority();
const documents = platformWithGateway(authority);
const etcdPrograms = findBinaries(['etcd']);

test.each(exceptions)('an exception is needed: $commands', ({ commands }) => {
  expect(all.filter(({ command }) => commands.test(command))).not.toEqual([]);
});

const excepted = all.filter(({ command }) => exceptionOf(command) !== undefined);

test.each(excepted)('a shell parses $command', ({ command }) => {
  expect(spawnSync('bash', ['-n', '-c', command], { encoding: 'utf8' }).stderr).toBe('');
});

test.each(excepted.filter(({ command }) => /(journalctl -u|systemctl \w+) /.test(command)))(
  'the machines of the cluster stack have the unit of $command',
  ({ command }) => {
    const [, unit = ''] = /(?:journalctl -u|systemctl \w+) (\S+)/.exec(command) ?? [];
    const { plan } = planClusterStack({ ...plainCluster, pageCacheReclaim: { mode: 'observe' } });
    const machines = plan.controlPlane.map(({ launchTemplate }) =>
      gunzipSync(Buffer.from(launchTemplate.args.userData, 'base64')).toString('utf8'),
    );
    for (const machine of machines) expect(machine).toContain(`${unit}.service`);
  },
);

test.each(excepted.filter(({ command }) => command.startsWith('pinion ')))('pinion parses $command', ({ command }) => {
  const { path, command: found, rest } = resolveCommand(rootCommand, command.split(' ').slice(1));
  if (isCommandGroup(found)) throw new Error(`${command} names a group`);
  expect(parseCommandLine(path, found, rest, {})).toBeDefined();
});

describe('commands of AWS in the runbooks', () => {
  let moto: Moto | undefined;
  if (motoMissing === undefined) beforeAll(async () => void (moto = await startMoto()), 60_000);
  afterAll(() => moto?.stop());

  testAws.each(withAws)('$command', async ({ command }) => {
    const { region, endpoint = '' } = moto?.options ?? {};
    const result = await runCommand('bash', ['-c', command], '', {
      ...{ PATH: process.env['PATH'], HOME: process.env['HOME'], AWS_DEFAULT_REGION: region },
      ...{ AWS_ENDPOINT_URL: endpoint, AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' },
    });
    expect([result.code, result.stderr]).toEqual([0, '']);
  });
});

if ('skipped' in etcdPrograms || address === undefined)
  test.skip(`commands of the runbooks (skipped: ${'skipped' in etcdPrograms ? etcdPrograms.skipped : 'the machine has only a loopback address'})`, () =>
    undefined);
else
  describePinion(
    'commands of the runbooks',
    (pinion) => {
      const folder = mkdtempSync(join(tmpdir(), 'pinion-runbooks-'));
      let node: SimulatedNode | undefined;
      let etcd: EtcdUnderTest | undefined;
      let values: RunbookValues;

      const apply = async (object: object) =>
        void expectStatus(await pinion().cluster.client.apply(object as SendableObject), [200, 201]);

      /** Returns the labels of the pods that an object of the cluster creates. */
      async function podLabels(
        kind: string,
        namespace: string,
        name: string,
      ): Promise<Readonly<Record<string, string>>> {
        let labels = '';
        await pinion().cluster.client.waitFor(`${kind} ${namespace}/${name}`, async () => {
          const path = kind === 'cronjob' ? '.spec.jobTemplate.spec.template' : '.spec.template';
          const { stdout } = await pinion().cluster.kubectl([
            ...['get', kind, name, '-n', namespace, '-o', `jsonpath={${path}.metadata.labels}`],
          ]);
          return (labels = stdout) !== '';
        });
        return JSON.parse(labels) as Readonly<Record<string, string>>;
      }

      async function installPrograms(): Promise<void> {
        // Pods of the installation run on the node that serves their logs.
        for (const object of installManifests({
          image,
          documents,
          singleController: true,
          clientMonitorImage: image,
          ...gatewayImageOf(documents),
        }))
          if (object.kind === 'Deployment')
            await apply({ ...object, spec: { ...(object['spec'] as object), replicas: 0 } });
          else if (object.kind === 'DaemonSet') await apply(object);
        const settings = { artifactStore: '/artifacts', clusters: [{ name: 'main' }], identity: {} };
        for (const object of [
          ...quotaMonitorManifests({ image }),
          ...canaryManifests({ image }),
          ...submissionManifests({ image, settings }),
        ]) {
          await apply(object);
          if (object.kind === 'Project') await pinion().ready('Project', '', object.metadata.name);
        }
      }

      async function installWorkloads(): Promise<void> {
        const project = await pinion().project('shop', { onCall: '#shop', quota: { pods: '100' } });
        await pinion().apply(
          workloadOf('PinterestCronJob', project, 'report', { schedule: '0 0 1 1 *', template: smallTemplate() }),
        );
        await pinion().apply(
          workloadOf('PinterestService', project, 'report', {
            autoscaling: { minReplicas: 1, maxReplicas: 2 },
            template: smallTemplate(),
          }),
        );
        await pinion().until('PinterestCronJob', project, 'report', ({ status }) => status?.['children'] !== undefined);
        await pinion().cluster.kubectl(['create', 'job', '--from=cronjob/report', 'first', '-n', project]);
      }

      async function runPods(): Promise<void> {
        const run = async (kind: string, namespace: string, name: string): Promise<void> =>
          node?.run(namespace, `${name}-0`, await podLabels(kind, namespace, name));
        await run('deployment', 'pinion-controller', 'pinion-controller');
        await run('deployment', 'pinion-gateway', 'pinion-gateway');
        await run('daemonset', 'kube-system', 'pinion-client-monitor');
        await run('deployment', 'pinion-submission', 'submission');
        await run('cronjob', 'pinion-quota', 'quota-monitor');
        await node?.run('shop', 'report-0', await podLabels('deployment', 'shop', 'report'), ['app', 'pinion-traffic']);
      }

      async function createTargets(): Promise<void> {
        const { key, certificate } = authority.certify('gateway');
        const encoded = (text: string) => Buffer.from(text).toString('base64');
        await apply({
          ...{ apiVersion: 'v1', kind: 'Secret', type: 'kubernetes.io/tls' },
          metadata: { name: 'pinion-gateway-tls', namespace: 'pinion-gateway' },
          data: { 'tls.crt': encoded(certificate), 'tls.key': encoded(key) },
        });
        await apply({
          ...{ apiVersion: 'v1', kind: 'ConfigMap', data: { status: 'autoscalerStatus: Running' } },
          metadata: { name: 'cluster-autoscaler-status', namespace: 'platform-scaling' },
        });
        await apply({
          ...{
            apiVersion: 'apiregistration.k8s.io/v1',
            kind: 'APIService',
            metadata: { name: 'v1.runbook.example.com' },
          },
          spec: {
            ...{ group: 'runbook.example.com', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 },
            ...{ service: { name: 'none', namespace: 'default' }, insecureSkipTLSVerify: true },
          },
        });
        const webhook = {
          ...{
            name: 'runbook.example.com',
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
            failurePolicy: 'Ignore',
          },
          clientConfig: { url: 'https://127.0.0.1:1/' },
          objectSelector: { matchLabels: { hooked: 'yes' } },
          rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
        };
        await apply({
          ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration' },
          ...{ metadata: { name: 'runbook' }, webhooks: [webhook] },
        });
      }

      /** Creates objects until the API server has called the webhook, whose metrics it then has. */
      async function callWebhook(): Promise<void> {
        const { client, kubectl } = {
          client: pinion().cluster.client,
          kubectl: pinion().cluster.kubectl.bind(pinion().cluster),
        };
        const hooked = {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'hooked', namespace: 'default', labels: { hooked: 'yes' } },
        };
        await client.waitFor('the webhook to be called', async () => {
          await client.create(hooked, { dryRun: true });
          return (await kubectl(['get', '--raw', '/metrics'])).stdout.includes('apiserver_admission_webhook');
        });
      }

      async function writeFiles(): Promise<void> {
        const file = (name: string, value: object | string) =>
          writeFileSync(join(folder, name), typeof value === 'string' ? value : dump(value));
        mkdirSync(join(folder, 'bin'));
        file('bin/pinion', `#!/bin/sh\nexec ${process.execPath} ${program} "$@"\n`);
        const kubectl = findBinaries(['kubectl']);
        if (!('skipped' in kubectl)) file('bin/kubectl', `#!/bin/sh\nexec ${kubectl.paths.kubectl} "$@"\n`);
        spawnSync('chmod', ['-R', '+x', join(folder, 'bin')]);
        file('platform.yaml', documents.map((each) => dump(each)).join('---\n'));
        file('projects.yaml', {
          apiVersion: 'pinterest.com/v1',
          kind: 'Project',
          metadata: { name: 'shop' },
          spec: { team: 'shop', quota: { pods: '100' } },
        });
        file('load.yaml', {
          region: 'us-east-1',
          zones: ['us-east-1a', 'us-east-1b', 'us-east-1c'],
          kubernetes: '1.36',
          nodes: 1000,
          pods: 20_000,
        });
        const sample = { nodes: 800, pods: 15_000, requestsPerSecond: 800, etcdBytes: 400_000_000 };
        file('history.yaml', {
          samples: ['2026-01-01', '2026-02-01', '2026-03-01'].map((day) => ({ day, ...sample })),
        });
        mkdirSync(join(folder, 'artifacts'));
      }

      beforeAll(async () => {
        const { cluster, controller } = pinion();
        etcd = await startEtcd(etcdPrograms.paths.etcd, 64 * 1024 * 1024);
        await etcd.members[0]?.endpoint.call('kv/put', { key: 'YQ==', value: 'YQ==' });
        node = await SimulatedNode.start(cluster, address, `http://127.0.0.1:${await controller.port()}`);
        await apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'platform-scaling' } });
        await installPrograms();
        await installWorkloads();
        await runPods();
        await createTargets();
        await callWebhook();
        await writeFiles();
        values = {
          ...{ project: 'shop', workload: 'report', pod: 'report-0', gatewayPod: 'pinion-gateway-0' },
          ...{ metricsPort: node.metricsPort, auditLog: cluster.auditLog },
          etcd: { urls: etcd.members.map(({ endpoint }) => endpoint.url).join(','), ...etcd.tls },
        };
        // Several commands read a snapshot.
        await run(`pinion etcd snapshot --endpoints ${values.etcd.urls.split(',')[0]} first.db`);
      }, 180_000);
      afterAll(async () => {
        node?.stop();
        await etcd?.stop();
        rmSync(folder, { recursive: true, force: true });
      });

      const run = (command: string): Promise<CommandResult> =>
        runCommand('bash', ['-o', 'pipefail', '-c', `cd ${folder}; ${command}`], '', {
          ...{ PATH: `${join(folder, 'bin')}:${process.env['PATH']}`, HOME: folder },
          ...{ KUBECONFIG: pinion().cluster.kubeconfig, PINION_STORE: join(folder, 'artifacts') },
          ...{ ETCDCTL_ENDPOINTS: values.etcd.urls, ETCDCTL_CACERT: values.etcd.ca },
          ...{ ETCDCTL_CERT: values.etcd.cert, ETCDCTL_KEY: values.etcd.key },
        });

      test.each(executed)(
        '$command',
        async ({ command }) => {
          const complete = substituted(command, values);
          expect(leftWords(complete)).toEqual([]);
          const { code, stdout, stderr } = await run(complete);
          const [, expectedCode, output] = outcomes.find(([pattern]) => pattern.test(command)) ?? [/$/, 0, /(?:)/];
          const failure = code === expectedCode ? '' : `${stdout}${stderr}`;
          expect({ command: complete, code, failure }).toEqual({ command: complete, code: expectedCode, failure: '' });
          expect(`${stdout}${stderr}`).toMatch(output);
          if (!mayBeEmpty.test(command)) expect(stderr).not.toContain('No resources found');
        },
        120_000,
      );
    },
    {
      ...{ documents, nodes: 1 },
      controllerManagerFlags: ['--leader-elect=true'],
      schedulerFlags: ['--leader-elect=true'],
    },
  );
