import { generateKeyPairSync } from 'node:crypto';
import { apiVersion, metadataKeys, type ManifestInput, type PinionKind } from '../../lib/api';
import { publicKeyText, type ArtifactResource, type Envelope } from '../../lib/artifact';
import { defaultPlatform } from '../../lib/expand';
import { connect, loadKubeConfig, type SentObject } from '../../lib/kube';
import { KubernetesTarget } from '../../lib/submission';
import { contentOf, keyPair, publisher, signedWith } from '../artifact/artifact-fixture';
import { DeployedStage } from '../artifact/workload-fixture';
import { expectStatus } from '../control-plane/api-response';
import { type SendableObject } from '../control-plane/client';
import { podBehavior } from '../control-plane/pod-behavior';
import { realClock } from '../kube/real-clock';
import { ControlledPods } from './controlled-pods';
import { isTrue, type LiveCustomResource, type PinionCluster } from './pinion-suite';

/** Fields of an object. */
export type Fields = Readonly<Record<string, unknown>>;
/** Annotations to set; undefined removes one. */
export type Annotations = Readonly<Record<string, string | undefined>>;

/** The protected project. */
export const project = 'shop';
/** Kind of the workload `cart`. */
export const kind = 'PinterestService';
/** Digest of all images. */
export const digest = `@sha256:${'a'.repeat(64)}`;
/** Returns the image of a version. */
export const imageOf = (version: string): string => `registry.example.com/app:${version}${digest}`;
/** Image that no publisher signed. */
export const evil = imageOf('6.6.6');
const template = (version = '1.0.0') => ({
  metadata: { annotations: { [podBehavior.exitAfter]: 'never' } },
  spec: {
    securityContext: { runAsUser: 65534, runAsGroup: 65534 },
    containers: [{ name: 'app', image: imageOf(version) }],
  },
});
const workload = (kind: string, name: string, spec: Fields = {}): Fields => ({
  apiVersion,
  kind,
  metadata: { name, namespace: project },
  spec: { template: template(), ...spec },
});
/** Workloads of the project: one of each kind but daemons. */
export const documents = [
  workload(kind, 'cart', { replicas: 2 }),
  workload('PinterestStatefulSet', 'ledger', { replicas: 1 }),
  workload('PinterestJobSet', 'reindex', { shards: 2 }),
  workload('PinterestTrainingJob', 'fit', { framework: 'tensorflow', roles: { chief: {}, worker: { replicas: 1 } } }),
  workload('PinterestCronJob', 'nightly', { schedule: '0 3 1 1 *' }),
].map((value) => ({ value }));

/** Key of the submission service. */
export const deploymentKey = generateKeyPairSync('ed25519').privateKey;
/** Key of the CI. */
export const ciKey = keyPair();
/** Publisher with the key of the CI. */
export const trusted = publisher({ keys: [publicKeyText(ciKey)] });
/** The artifact of a version, with all workloads. */
export const artifactOf = (version: string, key = deploymentKey): DeployedStage =>
  new DeployedStage(contentOf({ documents, version, given: { image: imageOf(version) } }), key);
/** Two versions. */
export const [first, second] = [artifactOf('1.0.0'), artifactOf('2.0.0')];

/** What differs from a first deployment of `cart`. */
export interface Changes {
  readonly intent?: 'deploy' | 'rollback';
  readonly name?: string;
  readonly envelope?: Envelope;
}
/** Returns a workload of an artifact as the submission service applies it. */
export function deployed(
  from: DeployedStage,
  sequence: number,
  { name = 'cart', envelope, intent = 'deploy' }: Changes = {},
) {
  const resource = from.stage.resources.find(({ metadata }) => metadata.name === name) as ArtifactResource;
  const signed = { authorization: { sequence, intent }, envelope: envelope ?? signedWith(ciKey, from.prepared) };
  const { uid: _, resourceVersion: __, ...metadata } = from.live(resource, signed).metadata as Fields;
  return { ...resource, metadata } as unknown as Sent;
}
/** A workload as it is sent. */
export type Sent = SendableObject & {
  readonly metadata: { readonly annotations: Annotations; readonly labels: Fields };
  readonly spec: Fields;
};
/** Returns a workload with more annotations. */
export const annotated = (sent: Sent, annotations: Annotations): Sent => ({
  ...sent,
  metadata: { ...sent.metadata, annotations: { ...sent.metadata.annotations, ...annotations } },
});
/** Returns a workload with another image. */
export const withImage = (sent: Sent, image: string): Sent => {
  const { template } = structuredClone(sent.spec) as { template: { spec: { containers: { image: string }[] } } };
  for (const container of template.spec.containers) container.image = image;
  return { ...sent, spec: { ...sent.spec, template } };
};

/** Returns the Platform with deployment keys. */
export const platformWith = (keys: readonly string[]): ManifestInput<'Platform'> => ({
  ...defaultPlatform,
  spec: { ...defaultPlatform.spec, cluster: 'prod-1', deploymentKeys: keys, breakGlass: ['oncall'] },
});
/** The Platform that trusts the key of the submission service. */
export const platform = platformWith([publicKeyText(deploymentKey)]);
/** Who may write workloads by RBAC: members of the on-call team, and others; and who may only scale and restart them. */
export const members = (
  [
    ['oncall', 'edit'],
    ['developers', 'edit'],
    ['operators', 'operate'],
  ] as const
).map(([name, role]) => ({ kind: 'Group' as const, name, role }));
/** Users of these groups. */
export const users = [
  { name: 'rita', groups: ['oncall'] },
  { name: 'mallory', groups: ['developers'] },
  { name: 'oscar', groups: ['operators'] },
];
/** Returns the protected stage with publishers. */
export const stages = (publishers = [trusted]) => [{ name: 'production', clusters: ['prod-1'], publishers }];

/** Returns the workload with a break-glass annotation. */
export const emergency = (sent: Sent, expires: string, user = 'rita'): Sent =>
  annotated(sent, {
    [metadataKeys.breakGlass]: `{"expires":"${expires}","reason":"checkout is down, INC-4711","user":"${user}"}`,
  });
/** Returns a time from now, without a fraction, as the times of the API server. */
export const inSeconds = (seconds: number): string =>
  new Date(Date.now() + seconds * 1000).toISOString().replace(/[.]\d+/, '');

interface Deployment {
  readonly metadata: { readonly uid: string };
  readonly spec: {
    readonly replicas: number;
    readonly template: { readonly spec: { readonly containers: readonly { readonly image: string }[] } };
  };
}

/** Returns what tests do with, and read of, the workloads of the protected project. */
export function verifiedProject(pinion: () => PinionCluster) {
  const kubectl = async (words: readonly string[], input = ''): Promise<string> => {
    const { code, stdout, stderr } = await pinion().cluster.kubectl(words, input);
    if (code !== 0) throw new Error(stderr);
    return stdout;
  };
  const send = async (sent: Sent): Promise<void> =>
    void expectStatus(await pinion().cluster.client.apply(sent), [200, 201]);
  const condition = (live: LiveCustomResource, type = 'Verified') =>
    live.status?.conditions?.find((one) => one.type === type);
  const until = (holds: (live: LiveCustomResource) => boolean, name = 'cart', of: PinionKind = kind) =>
    pinion().until(of, project, name, holds, 90_000);
  const verified = (name = 'cart', of: PinionKind = kind) =>
    until((live) => isTrue(live, 'Ready') && isTrue(live, 'Verified'), name, of);
  const refused = (reason: string, name = 'cart') =>
    until(
      ({ status }) => (status?.conditions ?? []).some((one) => one.type === 'Verified' && one.reason === reason),
      name,
    );
  const read = async <T>(kind: string, name: string, apiVersion = 'apps/v1'): Promise<T | undefined> => {
    const response = await pinion().cluster.client.get({ apiVersion, kind, metadata: { name, namespace: project } });
    return response.status === 200 ? (response.body as T) : undefined;
  };
  const deployment = (name = 'cart') => read<Deployment>('Deployment', name);
  const image = async (name = 'cart') => (await deployment(name))?.spec.template.spec.containers[0]?.image;
  const pods = () => new ControlledPods(pinion().cluster, project, 'cart');
  const uids = async () => (await pods().alive()).map(({ metadata }) => metadata.uid).sort();
  const revisions = `/apis/apps/v1/namespaces/${project}/controllerrevisions`;
  const records = async () => {
    const query = { labelSelector: metadataKeys.verified };
    const { body } = expectStatus(await pinion().cluster.client.request('GET', revisions, undefined, { query }), [200]);
    return (body as { items: readonly { metadata: { name: string }; data: Fields; revision: number }[] }).items;
  };
  /** Deploys as the submission service does. */
  const deployByService = async (sent: Sent): Promise<void> => {
    const settings = loadKubeConfig({ environment: {}, file: pinion().cluster.kubeconfig });
    const client = connect(settings, { clock: realClock, userAgent: 'verified-workloads' });
    const onError = (error: unknown): void => {
      throw error;
    };
    const clients = { reader: client, writer: client };
    const target = new KubernetesTarget({ name: 'main', ...clients, clock: realClock, instance: 'test', onError });
    await target.apply(project, sent as SentObject, { dryRun: true });
    await target.apply(project, sent as SentObject);
  };
  return {
    kubectl,
    send,
    condition,
    until,
    verified,
    refused,
    read,
    deployment,
    image,
    pods,
    uids,
    revisions,
    records,
    deployByService,
  };
}
