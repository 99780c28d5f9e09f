import { apiVersion, metadataKeys, type ManifestInput, type WorkloadKind } from '../../../lib/api';
import { defaultPlatform, defaultProfile, type KubernetesObject } from '../../../lib/expand';
import { planPlatformStack } from '../../../stacks/plan';
import { accessObjects } from '../../../stacks/plan/bootstrap/control-plane/access-objects';
import { expectStatus } from '../../control-plane/api-response';
import { type Cluster } from '../../control-plane/cluster';
import { type SendableObject } from '../../control-plane/client';
import { Publishing } from '../../submission/publishing';
import { kubeletRequest } from '../../operations/identity/certificate-requests';
import { makePlatformInput } from '../../stacks/plan/platform/make-platform-input';
import { type PinionCluster, smallTemplate, workloadOf } from '../pinion-suite';
import { groupOf, memberRoles, programAccounts } from './actors';
import { restrictedPod } from './restricted-pod';
import { createStatusTargets } from './status-targets';

/** Platform and profile of the scene. */
export const scenePlatform: readonly [ManifestInput<'Platform'>, ManifestInput<'RuntimeProfile'>] = [
  {
    ...defaultPlatform,
    spec: {
      ...defaultPlatform.spec,
      administrators: ['system:masters', 'platform-administrators'],
      breakGlass: ['oncall'],
      rollouts: {},
    },
  },
  defaultProfile,
];

/** The stage that protects `shop`: its key signs nothing here. */
const production = {
  name: 'production',
  clusters: [defaultPlatform.spec.cluster],
  publishers: [new Publishing('/nonexistent').publisher],
};

/** Projects of the scene: `shop` is protected, `plain` has the same members without protection, `bank` is another team's. */
export const sceneProjects = ['shop', 'plain', 'bank', 'machines'] as const;

const members = memberRoles.map((role) => ({ kind: 'Group' as const, name: groupOf(role), role }));
const projectSpecs: Readonly<Record<(typeof sceneProjects)[number], Partial<ManifestInput<'Project'>['spec']>>> = {
  shop: { members, iamRoles: ['shop-writer'] },
  plain: { members, tiers: ['critical'] },
  bank: { iamRoles: ['bank-ledger'], members: [{ kind: 'Group', name: 'bank-admin', role: 'admin' }] },
  machines: { members, infrastructure: true },
};

/** Workloads that run in each of `shop` and `plain`. */
const cart = (project: string): ManifestInput<'PinterestService'> => {
  const manifest = workloadOf('PinterestService', project, 'cart', {
    replicas: 1,
    loadBalancer: { port: 80, exposure: 'Internal' },
    leaderElection: true,
    config: { files: { '/etc/app/app.yaml': 'currency: EUR\n' } },
    template: smallTemplate(),
  });
  const annotations = { [metadataKeys.deploymentSequence]: '7' };
  return { ...manifest, metadata: { ...manifest.metadata, annotations } };
};

/** The cluster under attack, with pinion, its programs and projects. */
export interface Scene {
  readonly pinion: PinionCluster;
  readonly cluster: Cluster;
  /** Returns the token of a service account. */
  tokenOf(account: { readonly namespace: string; readonly name: string }): Promise<string>;
}

/** Creates the projects, programs and workloads that the attacks aim at. */
export async function createScene(pinion: PinionCluster): Promise<Scene> {
  const { cluster } = pinion;
  for (const name of sceneProjects) await pinion.project(name, projectSpecs[name]);
  await installPrograms(cluster);
  await createTargets(cluster);
  await createStatusTargets(cluster.client);
  for (const project of ['shop', 'plain']) {
    await pinion.apply(cart(project));
    await pinion.ready('PinterestService', project, 'cart');
  }
  // Protected once it runs: afterwards it could not be written without a signature.
  await pinion.project('shop', { ...projectSpecs.shop, stages: [production] });
  const tokens = new Map<string, Promise<string>>();
  return {
    pinion,
    cluster,
    tokenOf({ namespace, name }) {
      const key = `${namespace}/${name}`;
      const token = tokens.get(key) ?? cluster.serviceAccountToken(namespace, name);
      tokens.set(key, token);
      return token;
    },
  };
}

/** Creates the service accounts, roles and bindings of the platform stack's programs, without their workloads. */
async function installPrograms({ client }: Cluster): Promise<void> {
  const planned = planPlatformStack(makePlatformInput()).flatMap(({ objects }) => objects as KubernetesObject[]);
  const access = accessObjects({ issuers: [], administrators: ['platform-administrators'], observers: [] });
  const roles = planned.filter(({ apiVersion: version }) => version.startsWith('rbac.authorization.k8s.io/'));
  const accounts = Object.values(programAccounts);
  const namespaces = [...accounts, ...roles.map(({ metadata }) => metadata)].flatMap(
    ({ namespace }) => namespace ?? [],
  );
  for (const namespace of new Set([...namespaces, 'pinion-gateway'])) await client.ensureNamespace(namespace);
  for (const object of [...accounts.map(accountObject), ...access, ...roles])
    expectStatus(await client.apply(object as SendableObject), [200, 201]);
}

/** Creates a pod that runs in `bank` and beside the controller, and a request for a certificate with the name of a node. */
async function createTargets({ client }: Cluster): Promise<void> {
  for (const namespace of ['bank', programAccounts.controller.namespace]) {
    const metadata = { name: 'target', namespace };
    const objects = [
      { apiVersion: 'v1', kind: 'Pod', metadata, spec: { ...restrictedPod(), nodeName: 'node-1' } },
      { apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [{ port: 80 }] } },
    ];
    for (const object of objects) expectStatus(await client.apply(object), [201]);
  }
  const spec = {
    request: Buffer.from(kubeletRequest('node-1').pem).toString('base64'),
    signerName: 'kubernetes.io/kube-apiserver-client',
    usages: ['digital signature', 'client auth'],
  };
  const version = 'certificates.k8s.io/v1';
  const request = {
    apiVersion: version,
    kind: 'CertificateSigningRequest',
    metadata: { name: 'stolen-identity' },
    spec,
  };
  expectStatus(await client.apply(request), [201]);
}

const accountObject = (metadata: { readonly namespace: string; readonly name: string }): SendableObject => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata,
});

/** Returns a reference to a workload of the scene. */
export const workloadReference = (project: string, kind: WorkloadKind = 'PinterestService', name = 'cart') => ({
  apiVersion,
  kind,
  metadata: { namespace: project, name },
});
