import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { apiVersion, platformKinds, type ManifestInput } from '../../lib/api';
import { publicKeyText } from '../../lib/artifact';
import { submissionManifests, submissionName, submissionProject, type SubmissionInput } from '../../lib/programs';
import { expectStatus } from '../control-plane/api-response';
import { type Cluster } from '../control-plane/cluster';
import { type SendableObject } from '../control-plane/client';
import { waitFor } from '../control-plane/wait-for';
import { Publishing } from '../submission/publishing';
import { LocalIssuer } from './issuer/local-issuer';
import { CustomResources } from './custom-resources';
import { SubmissionProcess } from './submission-process';

/** Client ids of the service, the page and the command at the local issuer. */
const audience = 'pinion';
/** Name of the only cluster. */
export const localTarget = 'local';
const project = 'storefront';

/**
 * The submission service on a local cluster: an issuer with demo users, a project of theirs, published versions, and
 * the page.
 */
export class LocalSubmission {
  private constructor(
    readonly url: string,
    /** Token of a user who may deploy, for the command line. */
    readonly tokenFile: string,
    /** Options of `pinion publish` for versions that the stage accepts, signed with the key of its publisher. */
    readonly publishOptions: readonly string[],
    private readonly issuer: LocalIssuer,
    private readonly service: SubmissionProcess,
  ) {}

  static async start(cluster: Cluster): Promise<LocalSubmission> {
    const folder = join(cluster.folder, 'submission');
    const store = join(folder, 'artifacts');
    mkdirSync(folder, { recursive: true });
    const issuer = await LocalIssuer.start();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    issuer.registerClient({ id: audience, redirectUri: `${url}/login/callback` });
    const keysFile = join(folder, 'session-keys');
    writeFileSync(keysFile, `${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')}\n`, {
      mode: 0o600,
    });
    const deploymentKeyFile = join(folder, 'deployment-key');
    writeFileSync(deploymentKeyFile, await createDeploymentKey(cluster), { mode: 0o600 });
    const settings: SubmissionInput = {
      artifactStore: store,
      deploymentKeyFile,
      clusters: [{ name: localTarget }],
      port,
      origin: url,
      identity: {
        issuers: [{ issuer: issuer.url, audience, usernamePrefix: '-', groupsClaim: 'groups' }],
        session: { issuer: issuer.url, clientId: audience, publicUrl: url, keysFile },
      },
    };
    await install(cluster, settings);
    const publishing = new Publishing(store);
    await describeProject(cluster, publishing);
    const kubeconfig = cluster.kubeconfigFor({
      token: await cluster.serviceAccountToken(submissionProject, submissionName),
    });
    const service = SubmissionProcess.start({ kubeconfig, folder, settings, namespace: submissionProject });
    await service.waitUntilLogged('leading');
    const tokenFile = join(folder, 'token-of-ben');
    const claims = { sub: 'ben', name: 'Ben', groups: ['shop-developers'] };
    writeFileSync(tokenFile, await issuer.createToken(claims, { audience, lifetime: 12 * 3600 }), { mode: 0o600 });
    const publisherKeyFile = join(folder, 'publisher-key');
    writeFileSync(publisherKeyFile, publishing.privateKey, { mode: 0o600 });
    const options = publishOptions(publishing, publisherKeyFile);
    return new LocalSubmission(await service.url(), tokenFile, options, issuer, service);
  }

  get logFile(): string {
    return this.service.logFile;
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.issuer.stop();
  }
}

const publishOptions = ({ folder, publisher }: Publishing, keyFile: string): readonly string[] => [
  ...['--store', folder, '--key', keyFile, '--issuer', publisher.issuer],
  ...['--repository', publisher.repository, '--ref', publisher.ref],
];

/** Creates the key of the service in PEM, which the Platform trusts from then on. */
async function createDeploymentKey({ client }: Cluster): Promise<string> {
  const { privateKey } = generateKeyPairSync('ed25519');
  const path = `/apis/${apiVersion}/${platformKinds.Platform.plural}/cluster`;
  const body = { spec: { deploymentKeys: [publicKeyText(privateKey)] } };
  expectStatus(await client.request('PATCH', path, body, { contentType: 'application/merge-patch+json' }), [200]);
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
}

/** Applies the manifests of the platform; its pods are simulated, and the service itself runs beside them. */
async function install(cluster: Cluster, settings: SubmissionInput): Promise<void> {
  const documents = new CustomResources(cluster.client);
  for (const object of submissionManifests({ image: 'registry.example.com/pinion/submission:0.2.0', settings })) {
    expectStatus(await cluster.client.apply(object as SendableObject), [200, 201]);
    if (object.kind === 'Project') await documents.ready('Project', '', object.metadata.name);
  }
  const account = {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: submissionName, namespace: submissionProject },
  };
  await waitFor(
    'the service account of the service',
    async () => (await cluster.client.get(account)).status === 200 || undefined,
  );
}

/**
 * Creates a project of the demo users, and three versions of its workflow: the last one requests more than the quota
 * allows.
 */
async function describeProject(cluster: Cluster, publishing: Publishing): Promise<void> {
  await new CustomResources(cluster.client).project(project, {
    team: 'commerce',
    onCall: '#storefront-oncall',
    links: { runbook: 'https://runbooks.example.com/storefront', graphs: 'https://grafana.example.com/d/storefront' },
    members: [
      { kind: 'Group', name: 'shop-admins', role: 'admin' },
      { kind: 'Group', name: 'shop-developers', role: 'edit' },
      { kind: 'Group', name: 'shop-viewers', role: 'view' },
    ],
    stages: [
      {
        name: 'production',
        clusters: [localTarget],
        publishers: [publishing.publisher],
        breakGlass: ['shop-oncall'],
      },
    ],
    quota: { pods: '20', 'requests.cpu': '16', 'requests.memory': '32Gi' },
  });
  for (const [version, replicas] of [
    ['1.0.0', 2],
    ['1.1.0', 3],
    ['2.0.0', 40],
  ] as const) {
    const stop = { timeout: '2m', onFailure: 'Rollback' } as const;
    const stages = [{ name: 'production', targets: [localTarget], stop }];
    await publishing.publish(
      project,
      version,
      [service('cart', version, replicas), service('checkout', version, 2)],
      stages,
    );
  }
}

const service = (name: string, version: string, replicas: number): ManifestInput<'PinterestService'> => ({
  apiVersion,
  kind: 'PinterestService',
  metadata: { name, namespace: project },
  spec: {
    replicas,
    loadBalancer: { port: 80, targetPort: 8080 },
    template: {
      spec: {
        securityContext: { runAsUser: 65534, runAsGroup: 65534 },
        containers: [
          {
            name: 'app',
            image: `registry.example.com/storefront/${name}:${version}@sha256:${'a'.repeat(64)}`,
            resources: { requests: { cpu: '250m', memory: '256Mi' }, limits: { memory: '256Mi' } },
          },
        ],
      },
    },
  },
});

/** Returns a free port of the loopback address. */
const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
