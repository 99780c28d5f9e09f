import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PolicyRule } from '../../lib/expand';
import { type LiveObject } from '../../lib/kube';
import { nodeSigners, type NodeCertificate } from '../../lib/operations';
import { planPlatformStack } from '../../stacks/plan';
import { accessObjects } from '../../stacks/plan/bootstrap/control-plane/access-objects';
import { type Moto, motoMissing, startMoto } from '../cloud/moto';
import { expectStatus } from '../control-plane/api-response';
import { type SendableObject } from '../control-plane/client';
import { describeCluster } from '../control-plane/cluster-suite';
import { waitFor } from '../control-plane/wait-for';
import { kubeletRequest } from '../operations/identity/certificate-requests';
import { makePlatformInput } from '../stacks/plan/platform/make-platform-input';
import { CloudProxy } from './cloud-proxy';
import { MachinesProcess } from './machines-process';
import { permissionsOf, usedPermissions } from './used-permissions';

const account = { namespace: 'kube-system', name: 'node-approver' };
const user = `system:serviceaccount:${account.namespace}:${account.name}`;
const objects = planPlatformStack(makePlatformInput())
  .flatMap((stage) => [...stage.objects])
  .filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/name'] === account.name);
const rules = objects.flatMap((object) => ('rules' in object ? (object['rules'] as PolicyRule[]) : []));
/** Allows a user to create requests, so that a denial does not come from missing RBAC permissions. */
const userMayRequest = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: 'ana' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:node-bootstrapper' },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'ana' }],
};
const bootstrapUser = 'system:bootstrap:abcdef';

/** Creates a certificate authority that the control plane signs with and trusts. */
function createAuthority(): { folder: string; certificate: string; key: string } {
  const folder = mkdtempSync(join(tmpdir(), 'pinion-authority-'));
  const [certificate, key] = [join(folder, 'ca.crt'), join(folder, 'ca.key')];
  const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=kubernetes'];
  execFileSync('openssl', [...args, '-keyout', key, '-out', certificate], { stdio: 'pipe' });
  return { folder, certificate, key };
}

/** Returns the environment that the plan sets, except variables that locate the API server and the IAM role in a pod. */
function plannedVariables(): Record<string, string> {
  const deployment = objects.find(({ kind }) => kind === 'Deployment') as unknown as {
    spec: { template: { spec: { containers: [{ args: string[]; env: { name: string; value: string }[] }] } } };
  };
  const [{ args, env }] = deployment.spec.template.spec.containers;
  expect(args).toEqual(['node-approver']);
  const own = env.filter(({ name }) => !/^(KUBERNETES_SERVICE_|AWS_ROLE_ARN|AWS_WEB_IDENTITY)/.test(name));
  return Object.fromEntries(own.map(({ name, value }) => [name, value]));
}

interface SigningRequest extends LiveObject {
  readonly status: {
    readonly certificate?: string;
    readonly conditions?: readonly { readonly type: string; readonly reason: string; readonly message: string }[];
  };
}

if (motoMissing !== undefined) test.skip(`node certificates: ${motoMissing}`, () => undefined);
else {
  const authority = createAuthority();
  describeCluster(
    'node certificates',
    (cluster) => {
      let moto: Moto;
      let awsProxy: CloudProxy;
      let variables: Record<string, string>;
      const approvers: MachinesProcess[] = [];
      let count = 0;

      const startApprover = (): MachinesProcess => {
        const logFile = join(cluster().folder, 'logs', `approver-${approvers.length}.log`);
        const approver = new MachinesProcess('node-approver', variables, logFile);
        approvers.push(approver);
        return approver;
      };

      /** Starts an instance with the tags of its launch template; returns its ID, private DNS name and address. */
      async function startInstance(
        part = 'nodes',
        clusterName = 'shop',
      ): Promise<{ id: string; name: string; address: string }> {
        const { Images = [] } = await moto.ec2.describeImages({ Owners: ['amazon'] });
        const { Instances = [] } = await moto.ec2.runInstances({
          ImageId: Images[0]?.ImageId ?? '',
          InstanceType: 'm6i.large',
          MinCount: 1,
          MaxCount: 1,
          TagSpecifications: [
            {
              ResourceType: 'instance',
              Tags: [
                { Key: 'pinion/cluster', Value: clusterName },
                { Key: 'pinion/part', Value: part },
              ],
            },
          ],
        });
        const { InstanceId: id = '', PrivateDnsName: name = '', PrivateIpAddress: address = '' } = Instances[0] ?? {};
        return { id, name, address };
      }

      /** Creates a certificate signing request as the user of a kubeconfig; returns its name. */
      async function createRequest(certificate: NodeCertificate, pem: string, kubeconfig: string): Promise<string> {
        const name = `csr-${(count += 1)}`;
        const request = {
          apiVersion: 'certificates.k8s.io/v1',
          kind: 'CertificateSigningRequest',
          metadata: { name },
          spec: {
            request: Buffer.from(pem).toString('base64'),
            signerName: nodeSigners[certificate],
            usages: ['digital signature', certificate === 'client' ? 'client auth' : 'server auth'],
          },
        };
        const result = await cluster().kubectl(
          ['create', '--validate=false', '-f', '-'],
          JSON.stringify(request),
          kubeconfig,
        );
        expect([result.code, result.stderr]).toEqual([0, '']);
        return name;
      }

      const read = async (name: string): Promise<SigningRequest> => {
        const path = `/apis/certificates.k8s.io/v1/certificatesigningrequests/${name}`;
        return expectStatus(await cluster().client.request('GET', path), [200]).body as SigningRequest;
      };
      const untilDecided = (name: string) =>
        waitFor(`${name} to be decided`, async () => (await read(name)).status.conditions?.[0], { timeout: 60_000 });
      const untilSigned = (name: string): Promise<string> =>
        waitFor(
          `${name} to be signed`,
          async () => {
            const { certificate } = (await read(name)).status;
            return certificate === undefined ? undefined : Buffer.from(certificate, 'base64').toString();
          },
          { timeout: 60_000 },
        );

      const asBootstrap = (): string => cluster().kubeconfigFor({ user: bootstrapUser });

      /** Writes a kubeconfig that authenticates with a client certificate. */
      function asNode(certificate: string, key: string): string {
        const file = join(authority.folder, `kubeconfig-${(count += 1)}`);
        const config = JSON.parse(readFileSync(asBootstrap(), 'utf8')) as { users: [{ name: string; user: object }] };
        const data = (text: string): string => Buffer.from(text).toString('base64');
        config.users[0].user = { 'client-certificate-data': data(certificate), 'client-key-data': data(key) };
        writeFileSync(file, JSON.stringify(config));
        return file;
      }

      beforeAll(async () => {
        moto = await startMoto();
        awsProxy = new CloudProxy(moto.options.endpoint ?? '');
        const endpoint = await awsProxy.start();
        const oidc = { issuers: [], administrators: [], observers: [] };
        const planned = objects.filter(({ kind }) => kind !== 'Deployment');
        for (const object of [...accessObjects(oidc), userMayRequest, ...planned])
          expectStatus(await cluster().client.apply(object as SendableObject), [200, 201]);
        const token = await cluster().serviceAccountToken(account.namespace, account.name);
        variables = {
          ...plannedVariables(),
          INSTANCE_LOOKUP_TIMEOUT: '5s',
          KUBECONFIG: cluster().kubeconfigFor({ token }),
          AWS_ENDPOINT_URL: endpoint,
          AWS_ACCESS_KEY_ID: 'test',
          AWS_SECRET_ACCESS_KEY: 'test',
        };
        const first = startApprover();
        await waitFor('an approver to lead', () => Promise.resolve(first.logs().includes('"leading"')), {
          timeout: 60_000,
        });
        startApprover();
      }, 180_000);
      afterAll(async () => {
        await Promise.all(approvers.map((approver) => approver.stop('SIGKILL')));
        await moto.stop();
        awsProxy.stop();
        rmSync(authority.folder, { recursive: true });
      }, 60_000);

      test('an instance of the cluster joins as a node and serves under its own name and address', async () => {
        const { id, name, address } = await startInstance();
        const joins = kubeletRequest(name);
        const first = await createRequest('client', joins.pem, asBootstrap());
        expect(await untilDecided(first)).toMatchObject({ type: 'Approved', reason: 'InstanceVerified' });
        const certificate = await untilSigned(first);
        expect(new X509Certificate(certificate).subject).toBe(`O=system:nodes\nCN=system:node:${name}`);
        await cluster().nodes.add(1, { name, providerId: `aws:///us-east-1a/${id}` });

        const serves = kubeletRequest(name, [address]);
        const second = await createRequest('serving', serves.pem, asNode(certificate, joins.key));
        expect((await read(second))['spec']).toMatchObject({ username: `system:node:${name}` });
        expect(await untilDecided(second)).toMatchObject({ type: 'Approved', reason: 'InstanceVerified' });
        expect(new X509Certificate(await untilSigned(second)).subjectAltName).toBe(
          `DNS:${name}, IP Address:${address}`,
        );

        const wider = kubeletRequest(name, [address, '10.0.0.1']);
        const third = await createRequest('serving', wider.pem, asNode(certificate, joins.key));
        expect(await untilDecided(third)).toMatchObject({ type: 'Denied', reason: 'InvalidNames' });

        const again = await createRequest('client', kubeletRequest(name).pem, asBootstrap());
        expect(await untilDecided(again)).toMatchObject({ type: 'Denied', reason: 'AlreadyJoined' });
        const events = await cluster().kubectl([
          'get',
          'events',
          '-o',
          'json',
          '--field-selector',
          `involvedObject.name=${again}`,
        ]);
        expect((JSON.parse(events.stdout) as { items: object[] }).items).toMatchObject([
          { reason: 'AlreadyJoined', type: 'Warning' },
        ]);
      }, 120_000);

      test('an instance gets one certificate, also for concurrent requests and while its Node is not Ready', async () => {
        const { id, name } = await startInstance();
        const names = await Promise.all(
          Array.from({ length: 4 }, () => createRequest('client', kubeletRequest(name).pem, asBootstrap())),
        );
        const decisions = await Promise.all(names.map(untilDecided));
        expect(decisions.map(({ type, reason }) => `${type} ${reason}`).sort()).toEqual([
          'Approved InstanceVerified',
          ...Array.from({ length: 3 }, () => 'Denied AlreadyIssued'),
        ]);
        await cluster().nodes.add(1, { name, providerId: `aws:///us-east-1a/${id}` });
        await cluster().nodes.setReady(name, false);
        const later = await createRequest('client', kubeletRequest(name).pem, asBootstrap());
        expect(await untilDecided(later)).toMatchObject({ type: 'Denied', reason: 'AlreadyJoined' });
      }, 120_000);

      test('a platform administrator permits another certificate by removing the record of the instance', async () => {
        const { id, name } = await startInstance();
        const request = () => createRequest('client', kubeletRequest(name).pem, asBootstrap());
        expect(await untilDecided(await request())).toMatchObject({ type: 'Approved' });
        expect(await untilDecided(await request())).toMatchObject({ type: 'Denied', reason: 'AlreadyIssued' });
        const patch = JSON.stringify([{ op: 'remove', path: `/data/${id}` }]);
        const args = [
          '-n',
          'kube-system',
          'patch',
          'configmap',
          'pinion-node-certificates',
          '--type=json',
          '-p',
          patch,
        ];
        expect((await cluster().kubectl(args)).code).toBe(0);
        expect(await untilDecided(await request())).toMatchObject({ type: 'Approved' });
      }, 120_000);

      test('denies instances that AWS does not know and instances of another cluster', async () => {
        const otherCluster = await startInstance('nodes', 'other');
        for (const name of ['ip-10-9-9-9.ec2.internal', otherCluster.name]) {
          const request = await createRequest('client', kubeletRequest(name).pem, asBootstrap());
          expect(await untilDecided(request)).toMatchObject({ type: 'Denied', reason: 'InstanceNotFound' });
          expect((await read(request)).status.certificate).toBeUndefined();
        }
      }, 120_000);

      test('denies a control plane instance with a bootstrap token, and a user who requests a node certificate', async () => {
        const [controlPlane, worker] = [await startInstance('control-plane'), await startInstance()];
        const asControlPlane = await createRequest('client', kubeletRequest(controlPlane.name).pem, asBootstrap());
        expect(await untilDecided(asControlPlane)).toMatchObject({ type: 'Denied', reason: 'NotPoolInstance' });
        const ana = cluster().kubeconfigFor({ user: 'ana' });
        const asUser = await createRequest('client', kubeletRequest(worker.name).pem, ana);
        expect(await untilDecided(asUser)).toMatchObject({ type: 'Denied', reason: 'InvalidRequester' });
        const serving = await createRequest('serving', kubeletRequest(worker.name, [worker.address]).pem, ana);
        expect(await untilDecided(serving)).toMatchObject({ type: 'Denied', reason: 'InvalidRequester' });
      }, 120_000);

      test('leaves requests pending with an event while AWS does not respond, then decides them', async () => {
        const { name } = await startInstance();
        awsProxy.isUnreachable = true;
        const request = await createRequest('client', kubeletRequest(name).pem, asBootstrap());
        await waitFor(
          'two lookups to be reported in events',
          async () => {
            const { stdout } = await cluster().kubectl([
              'get',
              'events',
              '-o',
              'json',
              '--field-selector',
              `involvedObject.name=${request}`,
            ]);
            const { items } = JSON.parse(stdout) as { items: readonly { reason: string; count: number }[] };
            return items.some(({ reason, count: times }) => reason === 'CloudUnavailable' && times > 1);
          },
          { timeout: 90_000 },
        );
        expect((await read(request)).status.conditions).toBeUndefined();
        awsProxy.isUnreachable = false;
        expect(await untilDecided(request)).toMatchObject({ type: 'Approved' });
      }, 180_000);

      test('a second process takes over when the leader stops', async () => {
        const [first, second] = approvers;
        expect(second?.logs()).not.toContain('"leading"');
        expect(await first?.stop()).toBe(0);
        const request = await createRequest('client', kubeletRequest((await startInstance()).name).pem, asBootstrap());
        expect(await untilDecided(request)).toMatchObject({ type: 'Approved' });
        expect(second?.logs()).toContain('"leading"');
      }, 120_000);

      test('its RBAC permissions are sufficient, and each is used', () => {
        const requests = cluster().audit.since({ offset: 0 }, { user });
        const rejected = requests.filter(({ responseStatus }) => [401, 403].includes(responseStatus?.code ?? 0));
        expect(rejected.map(({ verb, requestURI }) => [verb, requestURI])).toEqual([]);
        // No request targets a signer: the server checks that permission of the approver itself; see the next test.
        const granted = [...permissionsOf(rules)].filter(
          (permission) => permission !== 'certificates.k8s.io/signers approve',
        );
        expect([...usedPermissions(requests)].sort()).toEqual(granted.sort());
      });

      test('it may approve requests for these two signers only', async () => {
        const isAllowed = async (name: string): Promise<boolean> => {
          const resourceAttributes = { verb: 'approve', group: 'certificates.k8s.io', resource: 'signers', name };
          const spec = { user, resourceAttributes };
          const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec };
          const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
          const { body } = expectStatus(await cluster().client.request('POST', path, review), [201]);
          return (body as { status: { allowed: boolean } }).status.allowed;
        };
        for (const signer of Object.values(nodeSigners))
          expect([signer, await isAllowed(signer)]).toEqual([signer, true]);
        for (const signer of ['kubernetes.io/kube-apiserver-client', 'kubernetes.io/legacy-unknown', 'example.com/any'])
          expect([signer, await isAllowed(signer)]).toEqual([signer, false]);
      });

      test('exits on SIGTERM', async () => {
        expect(await approvers[1]?.stop()).toBe(0);
      }, 60_000);
    },
    {
      nodes: 0,
      users: [
        { name: bootstrapUser, groups: ['system:bootstrappers', 'system:bootstrappers:pinion'] },
        { name: 'ana' },
      ],
      apiServerFlags: [
        `--client-ca-file=${authority.certificate}`,
        // In addition to RBAC.
        '--authorization-mode=Node',
        '--enable-admission-plugins=NodeRestriction',
      ],
      controllerManagerFlags: [
        `--cluster-signing-cert-file=${authority.certificate}`,
        `--cluster-signing-key-file=${authority.key}`,
      ],
    },
  );
}
