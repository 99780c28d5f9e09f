import { generateKeyPairSync } from 'node:crypto';
import { apiVersion, metadataKeys, type ManifestInput, type PinionKind } from '../../lib/api';
import { publicKeyText, type ArtifactResource, type Envelope } from '../../lib/artifact';
import { defaultPlatform, defaultProfile } from '../../lib/expand';
import { connect, loadKubeConfig, type SentObject } from '../../lib/kube';
import { KubernetesTarget } from '../../lib/submission';
import { contentOf, keyPair, publisher, signedWith } from '../artifact/artifact-fixture';
import { DeployedStage } from '../artifact/workload-fixture';
import { expectStatus, messageOf } from '../control-plane/api-response';
import { type SendableObject } from '../control-plane/client';
import { podBehavior } from '../control-plane/pod-behavior';
import { waitFor } from '../control-plane/wait-for';
import { realClock } from '../kube/real-clock';
import { ControlledPods } from './controlled-pods';
import { controllerUser, describePinion, isTrue, type LiveCustomResource } from './pinion-suite';

type Fields = Readonly<Record<string, unknown>>;
type Annotations = Readonly<Record<string, string | undefined>>;

const project = 'shop';
const kind = 'PinterestService';
const digest = `@sha256:${'a'.repeat(64)}`;
const imageOf = (version: string): string => `registry.example.com/app:${version}${digest}`;
const evil = imageOf('6.6.6');
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
const documents = [
  workload(kind, 'cart', { replicas: 2 }),
  workload('PinterestStatefulSet', 'ledger', { replicas: 1 }),
  workload('PinterestJobSet', 'reindex', { shards: 2 }),
  workload('PinterestTrainingJob', 'fit', { framework: 'tensorflow', roles: { chief: {}, worker: { replicas: 1 } } }),
  workload('PinterestCronJob', 'nightly', { schedule: '0 3 1 1 *' }),
].map((value) => ({ value }));

const deploymentKey = generateKeyPairSync('ed25519').privateKey;
const ciKey = keyPair();
const trusted = publisher({ keys: [publicKeyText(ciKey)] });
/** The artifact of a version, with all workloads. */
const artifactOf = (version: string): DeployedStage =>
  new DeployedStage(contentOf({ documents, version, given: { image: imageOf(version) } }), deploymentKey);
const [first, second] = [artifactOf('1.0.0'), artifactOf('2.0.0')];

interface Changes {
  readonly intent?: 'deploy' | 'rollback';
  readonly name?: string;
  readonly envelope?: Envelope;
}
/** Returns a workload of an artifact as the submission service applies it. */
function deployed(from: DeployedStage, sequence: number, { name = 'cart', envelope, intent = 'deploy' }: Changes = {}) {
  const resource = from.stage.resources.find(({ metadata }) => metadata.name === name) as ArtifactResource;
  const signed = { authorization: { sequence, intent }, envelope: envelope ?? signedWith(ciKey, from.prepared) };
  const { uid: _, resourceVersion: __, ...metadata } = from.live(resource, signed).metadata as Fields;
  return { ...resource, metadata } as unknown as Sent;
}
type Sent = SendableObject & {
  readonly metadata: { readonly annotations: Annotations; readonly labels: Fields };
  readonly spec: Fields;
};
const annotated = (sent: Sent, annotations: Annotations): Sent => ({
  ...sent,
  metadata: { ...sent.metadata, annotations: { ...sent.metadata.annotations, ...annotations } },
});
const withImage = (sent: Sent, image: string): Sent => {
  const { template } = structuredClone(sent.spec) as { template: { spec: { containers: { image: string }[] } } };
  for (const container of template.spec.containers) container.image = image;
  return { ...sent, spec: { ...sent.spec, template } };
};

const platformWith = (keys: readonly string[]): ManifestInput<'Platform'> => ({
  ...defaultPlatform,
  spec: { ...defaultPlatform.spec, cluster: 'prod-1', deploymentKeys: keys, breakGlass: ['oncall'] },
});
const platform = platformWith([publicKeyText(deploymentKey)]);
/** Who may write workloads by RBAC: members of the on-call team, and others. */
const members = ['oncall', 'developers'].map((name) => ({ kind: 'Group' as const, name, role: 'edit' as const }));
const users = [
  { name: 'rita', groups: ['oncall'] },
  { name: 'mallory', groups: ['developers'] },
];
const stages = (publishers = [trusted]) => [{ name: 'production', clusters: ['prod-1'], publishers }];

jest.setTimeout(240_000);

describePinion(
  'workloads of protected projects',
  (pinion) => {
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
    interface Deployment {
      readonly metadata: { readonly uid: string };
      readonly spec: {
        readonly replicas: number;
        readonly template: { readonly spec: { readonly containers: readonly { readonly image: string }[] } };
      };
    }
    const deployment = (name = 'cart') => read<Deployment>('Deployment', name);
    const image = async (name = 'cart') => (await deployment(name))?.spec.template.spec.containers[0]?.image;
    const pods = () => new ControlledPods(pinion().cluster, project, 'cart');
    const uids = async () => (await pods().alive()).map(({ metadata }) => metadata.uid).sort();
    const revisions = `/apis/apps/v1/namespaces/${project}/controllerrevisions`;
    const records = async () => {
      const query = { labelSelector: metadataKeys.verified };
      const { body } = expectStatus(
        await pinion().cluster.client.request('GET', revisions, undefined, { query }),
        [200],
      );
      return (body as { items: readonly { metadata: { name: string }; data: Fields; revision: number }[] }).items;
    };
    let sequence = 10;
    const deploy = async (from = first, changes: Changes = {}): Promise<void> => {
      sequence += 1;
      await send(deployed(from, sequence, changes));
      // A deployment of the same spec does not change the generation.
      await until(
        (live) => isTrue(live, 'Ready') && condition(live)?.message.startsWith(`Deployment ${sequence} of `) === true,
        changes.name,
      );
    };

    beforeAll(async () => {
      await pinion().project(project, { stages: stages(), members });
    }, 60_000);

    test('honest workloads of all kinds become ready, each with one record', async () => {
      for (const { value } of documents) {
        const { kind, metadata } = value as unknown as { kind: PinionKind; metadata: { name: string } };
        await send(deployed(first, 7, { name: metadata.name }));
        await verified(metadata.name, kind);
      }
      expect(await image()).toBe(imageOf('1.0.0'));
      expect(await records()).toHaveLength(documents.length);
    });

    test.each<[string, (sent: Sent) => Sent, string]>([
      ['an edited image', (sent) => withImage(sent, evil), 'OtherWorkload'],
      ['a field besides the proof', (sent) => ({ ...sent, spec: { ...sent.spec, adopt: true } }), 'ProofInvalid'],
      ['a forged artifact', (sent) => annotated(sent, { [metadataKeys.artifact]: 'shop/web@9.9.9' }), 'ProofInvalid'],
      [
        'a forged digest',
        (sent) => annotated(sent, { [metadataKeys.artifactDigest]: digest.slice(1) }),
        'ProofInvalid',
      ],
      ['no proof', (sent) => annotated(sent, { [metadataKeys.proof]: undefined }), 'ProofMissing'],
      ['no authorization', (sent) => annotated(sent, { [metadataKeys.authorization]: undefined }), 'ProofMissing'],
      [
        'the authorization of an unknown key',
        ({ metadata: { annotations } }) => {
          const stranger = new DeployedStage(second.content);
          const { resources } = stranger.stage;
          const live = stranger.live(resources[0] as ArtifactResource, {
            authorization: { sequence: 8 },
            envelope: signedWith(ciKey, second.prepared),
          });
          expect(annotations).toBeDefined();
          const { uid: _, resourceVersion: __, ...metadata } = live.metadata as Fields;
          return { ...resources[0], metadata } as unknown as Sent;
        },
        'AuthorizationInvalid',
      ],
      [
        'an artifact that an unknown publisher signed',
        () => deployed(second, 8, { envelope: signedWith(keyPair(), second.prepared) }),
        'UntrustedPublisher',
      ],
    ])('%s is not carried out: the pods stay, and the status says why', async (_, forge, reason) => {
      await send(deployed(first, 7));
      await verified();
      const before = { pods: await uids(), template: (await deployment())?.spec.template };
      await send(forge(deployed(first, 7)));
      const live = await refused(reason);
      expect(condition(live)).toMatchObject({
        status: 'False',
        message: expect.stringContaining('deployment 7') as string,
      });
      expect(condition(live, 'Ready')).toMatchObject({ status: 'False', reason: 'Unverified' });
      expect(live.status?.cause).toMatchObject({ reason: 'Unverified' });
      expect({ pods: await uids(), template: (await deployment())?.spec.template }).toEqual(before);
      // Objects heal while the spec is refused.
      expectStatus(
        await pinion().cluster.client.delete({
          apiVersion: 'policy/v1',
          kind: 'PodDisruptionBudget',
          metadata: { name: 'cart', namespace: project },
        }),
        [200],
      );
      await waitFor('the object to be restored', () => read('PodDisruptionBudget', 'cart', 'policy/v1'));
      // The order of deployments does not allow to take an annotation back.
      await send(annotated(deployed(first, 7), { [metadataKeys.deploymentSequence]: undefined }));
    });

    test('a copy to another name or project creates nothing', async () => {
      const cart = deployed(first, 7);
      await send({ ...cart, metadata: { ...cart.metadata, name: 'till' } });
      expect(condition(await refused('OtherWorkload', 'till'))?.message).toContain(
        'is authorized for name cart, not till',
      );
      expect(await deployment('till')).toBeUndefined();
      const other = await pinion().project('garden', { stages: stages() });
      await send({ ...cart, metadata: { ...cart.metadata, namespace: other } });
      const live = await pinion().until(kind, other, 'cart', (one) => condition(one)?.reason === 'OtherWorkload');
      expect(condition(live)?.message).toContain('is authorized for project shop, not garden');
      for (const [namespace, name] of [
        [project, 'till'],
        [other, 'cart'],
      ] as const) {
        expectStatus(await pinion().cluster.client.delete({ apiVersion, kind, metadata: { name, namespace } }), [200]);
        await waitFor('the workload to be deleted', async () =>
          (await pinion().read(kind, namespace, name)) ? undefined : true,
        );
      }
    });

    test('a replay is refused, and a rollback with a new sequence number is carried out', async () => {
      await deploy(first);
      const old = deployed(first, sequence);
      await deploy(second);
      expect(await image()).toBe(imageOf('2.0.0'));
      // Admission rejects a decreasing number, but not its removal.
      await send(annotated(old, { [metadataKeys.deploymentSequence]: undefined }));
      await send(old);
      expect(condition(await refused('Superseded'))?.message).toContain(`deployment ${sequence} was accepted before`);
      expect(await image()).toBe(imageOf('2.0.0'));
      await deploy(first, { intent: 'rollback' });
      expect(await image()).toBe(imageOf('1.0.0'));
    });

    test('scaling and restarting need no deployment', async () => {
      await deploy();
      const names = async () => (await records()).map(({ metadata }) => metadata.name).sort();
      // The record of the deployment before is removed after the one of this deployment was created.
      const recorded = await waitFor('one record of each workload', async () => {
        const all = await names();
        return all.length === documents.length ? all : undefined;
      });
      const before = await uids();
      await kubectl(['scale', 'psvc/cart', '--replicas=3', '-n', project]);
      await pods().running(3);
      await kubectl([
        'annotate',
        'psvc/cart',
        '-n',
        project,
        '--overwrite',
        `${metadataKeys.restart}=2026-11-23T12:00:00Z`,
      ]);
      await waitFor(
        'new pods',
        async () => {
          const now = await uids();
          return now.length === 3 && !now.some((uid) => before.includes(uid)) ? true : undefined;
        },
        { timeout: 90_000 },
      );
      await verified();
      expect(await names()).toEqual(recorded);
    });

    test('lost trust freezes: objects heal and scale, and only a new spec is refused', async () => {
      await deploy();
      await pinion().project(project, { members, stages: stages([publisher({ keys: [publicKeyText(keyPair())] })]) });
      await pinion().apply(platformWith([publicKeyText(generateKeyPairSync('ed25519').privateKey)]));
      await pinion().replaceController();
      const { uid } = (await deployment())?.metadata ?? {};
      expectStatus(
        await pinion().cluster.client.delete({
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { name: 'cart', namespace: project },
        }),
        [200],
      );
      await waitFor('the Deployment to be restored', async () => {
        const restored = await deployment();
        return restored && restored.metadata.uid !== uid ? restored : undefined;
      });
      await kubectl(['scale', 'psvc/cart', '--replicas=4', '-n', project]);
      await pods().running(4);
      await verified();
      sequence += 1;
      await send(deployed(second, sequence));
      await refused('AuthorizationInvalid');
      await pinion().apply(platform);
      await refused('UntrustedPublisher');
      expect(await image()).toBe(imageOf('1.0.0'));
      // The number of replicas needs no proof.
      expect((await deployment())?.spec.replicas).toBe(12);
      await pinion().project(project, { stages: stages(), members });
      await verified();
      expect(await image()).toBe(imageOf('2.0.0'));
    });

    test('without deployment keys, accepted workloads stay verified and new specs are refused', async () => {
      await deploy();
      await pinion().apply(platformWith([]));
      await pinion().replaceController();
      await pods().running(12);
      await verified();
      await send(deployed(second, (sequence += 1)));
      expect((await refused('DeploymentKeysMissing')).status?.cause).toMatchObject({
        owner: 'platform',
        message: expect.stringContaining('spec.deploymentKeys of the Platform is empty') as string,
      });
      expect(await image()).toBe(imageOf('1.0.0'));
      await pinion().apply(platform);
      await verified();
      expect(await image()).toBe(imageOf('2.0.0'));
    });

    test('a missing or changed admission policy stops new specs, and objects heal and scale', async () => {
      await deploy(first);
      const { client } = pinion().cluster;
      const name = 'image-digests.pinterest.com';
      const binding = {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicyBinding',
        metadata: { name },
      };
      const installed = await read<SendableObject>(binding.kind, name, binding.apiVersion);
      const path = `/apis/${binding.apiVersion}/validatingadmissionpolicybindings/${name}`;
      const metadata = { name, labels: { 'app.kubernetes.io/managed-by': 'pinion' } };
      const weakened = { ...binding, metadata, spec: { policyName: name, validationActions: ['Audit'] } };
      for (const attack of [() => client.request('DELETE', path), () => client.apply(weakened as SendableObject)]) {
        expectStatus(await attack(), [200]);
        await waitFor('the controller to see it', async () =>
          (await pinion().controller.get('/metrics')).text.includes(`name="${name}"`),
        );
        await send(deployed(second, (sequence += 1)));
        expect((await refused('PoliciesChanged')).status?.cause).toMatchObject({
          owner: 'platform',
          message: expect.stringMatching(/Binding image-digests[.]pinterest[.]com is (missing|changed)/) as string,
        });
        expect(await image()).toBe(imageOf('1.0.0'));
        await kubectl(['scale', 'psvc/cart', '--replicas=5', '-n', project]);
        await pods().running(5);
        await kubectl(['delete', 'deployment', 'cart', '-n', project]);
        await waitFor('the Deployment to be restored', () => deployment());
        const { spec } = installed as unknown as { readonly spec: object };
        expectStatus(await client.apply({ ...binding, metadata, spec } as SendableObject), [200, 201]);
        await verified();
        expect(await image()).toBe(imageOf('2.0.0'));
        await deploy(first);
      }
      await kubectl(['scale', 'psvc/cart', '--replicas=12', '-n', project]);
    });

    test('an issuer that does not respond delays no other workload', async () => {
      const byToken = publisher();
      await pinion().project(project, { members, stages: stages([byToken, trusted]) });
      sequence += 1;
      await send(deployed(second, sequence, { name: 'ledger', envelope: second.ci.sign(second.prepared) }));
      const live = await until(
        (one) => condition(one)?.reason === 'IssuerUnreachable',
        'ledger',
        'PinterestStatefulSet',
      );
      expect(live.status?.cause).toMatchObject({ owner: 'platform', reason: 'Unverified' });
      await deploy(second);
      await pinion().project(project, { stages: stages(), members });
    });

    test('the controller restarts 20 times between any two steps', async () => {
      await deploy(first);
      let accepted = imageOf('1.0.0');
      const honest = (from: DeployedStage, version: string) => async () => {
        sequence += 1;
        accepted = imageOf(version);
        await send(deployed(from, sequence));
      };
      const steps: readonly (() => Promise<void>)[] = [
        honest(second, '2.0.0'),
        () => send(withImage(deployed(second, sequence), evil)),
        () => send(annotated(deployed(second, sequence), { [metadataKeys.deploymentSequence]: undefined })),
        () => send(deployed(first, 7)),
        honest(first, '1.0.0'),
      ];
      for (let restart = 0; restart < 20; restart++) {
        await steps[restart % steps.length]?.();
        // Killed at different times: before, while and after it records, applies and reports.
        await new Promise((resolve) => setTimeout(resolve, restart * 20));
        await pinion().replaceController();
        await waitFor(`the accepted image after restart ${restart}`, async () =>
          (await image()) === accepted ? true : undefined,
        );
        expect(JSON.stringify(await records())).not.toContain(evil);
      }
      await deploy(second);
      const { items } = JSON.parse(await kubectl(['get', 'replicasets', '-n', project, '-o', 'json'])) as {
        readonly items: readonly unknown[];
      };
      expect(JSON.stringify(items)).not.toContain(evil);
      const owner = await pinion().read(kind, project, 'cart');
      const own = (await records()).filter(({ metadata }) => metadata.name.includes(owner?.metadata.uid ?? '?'));
      expect(own).toMatchObject([{ data: { deployment: { authorization: { sequence } } } }]);
    }, 600_000);

    test('only the controller writes records, and it writes no other ControllerRevisions', async () => {
      const { client } = pinion().cluster;
      const revision = (labels: Fields) => ({
        apiVersion: 'apps/v1',
        kind: 'ControllerRevision',
        metadata: { name: 'forged', namespace: project, labels },
        data: {},
        revision: 99,
      });
      const forged = await client.create(revision({ [metadataKeys.verified]: 'any' }) as SendableObject, {
        dryRun: true,
      });
      expect(forged.status).toBe(403);
      expect(messageOf(forged)).toContain("only pinion's controller writes ControllerRevisions with the label");
      const [record] = await records();
      const target = {
        apiVersion: 'apps/v1',
        kind: 'ControllerRevision',
        metadata: { name: record?.metadata.name ?? '', namespace: project },
      };
      expect((await client.delete(target)).status).toBe(403);
      await expect(
        kubectl(['label', 'controllerrevision', target.metadata.name, '-n', project, `${metadataKeys.verified}-`]),
      ).rejects.toThrow(/only pinion's controller/);
      const asController = await client.request('POST', revisions, revision({}), { query: { dryRun: 'All' } });
      expect(asController.status).toBe(201);
      const text = JSON.stringify(revision({}));
      await expect(kubectl(['create', '--dry-run=server', `--as=${controllerUser}`, '-f', '-'], text)).rejects.toThrow(
        /writes no ControllerRevisions but its records/,
      );
    });

    describe('break-glass', () => {
      const emergency = (sent: Sent, expires: string, user = 'rita'): Sent =>
        annotated(sent, {
          [metadataKeys.breakGlass]: `{"expires":"${expires}","reason":"checkout is down, INC-4711","user":"${user}"}`,
        });
      /** Without a fraction, as the times of the API server. */
      const inSeconds = (seconds: number): string =>
        new Date(Date.now() + seconds * 1000).toISOString().replace(/[.]\d+/, '');
      const sendAs = (user: string, sent: Sent) => pinion().cluster.as(user).apply(sent);
      const refusedAs = async (user: string, sent: Sent, reason: RegExp): Promise<void> => {
        const response = await sendAs(user, sent);
        expect([response.status, messageOf(response)]).toEqual([403, expect.stringMatching(reason)]);
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

      test('bypasses the proof without the service until it expires, and then freezes the spec', async () => {
        await deploy(first);
        const changed = withImage(deployed(first, sequence), evil);
        await refusedAs('mallory', emergency(changed, inSeconds(60), 'mallory'), /break-glass|are protected/);
        await refusedAs('admin', emergency(changed, inSeconds(60), 'admin'), /in none of the groups that may set it/);
        await refusedAs('rita', changed, /are protected/);
        const expires = inSeconds(20);
        expectStatus(await sendAs('rita', emergency(changed, expires)), [200]);
        const live = await until((one) => isTrue(one, 'BreakGlass') && isTrue(one, 'Ready'));
        expect(condition(live, 'BreakGlass')?.message).toMatch(
          /^rita bypasses the proof until .*: checkout is down, INC-4711$/,
        );
        expect(condition(live)).toMatchObject({ status: 'False', reason: 'BreakGlass' });
        expect(await image()).toBe(evil);
        expect(JSON.stringify(await records())).toContain('checkout is down, INC-4711');
        await pinion().replaceController();
        await refused('BreakGlassExpired');
        expect(await image()).toBe(evil);
        const late = withImage(deployed(first, sequence), imageOf('7.7.7'));
        await refusedAs('rita', emergency(late, expires), /expires must be in the future/);
        expect(await image()).toBe(evil);
      });

      test('a deployment by the service ends it, before and after it expired', async () => {
        const own = (image: string) => emergency(withImage(deployed(second, sequence), image), inSeconds(3600));
        await deployByService(deployed(second, (sequence += 1)));
        await verified();
        expect(await image()).toBe(imageOf('2.0.0'));
        expectStatus(await sendAs('rita', own(imageOf('7.7.7'))), [200]);
        await until((one) => isTrue(one, 'BreakGlass') && isTrue(one, 'Ready'));
        expect(await image()).toBe(imageOf('7.7.7'));
        await deployByService(deployed(first, (sequence += 1)));
        const live = await verified();
        expect(condition(live, 'BreakGlass')).toBeUndefined();
        expect(live).toHaveProperty(['metadata', 'annotations', metadataKeys.breakGlass], '');
        expect(await image()).toBe(imageOf('1.0.0'));
        await deployByService(deployed(second, (sequence += 1)));
        expect(await verified()).not.toHaveProperty(['metadata', 'annotations', metadataKeys.breakGlass]);
      });
    });

    test('a deleted workload is deleted with its objects and its record', async () => {
      await send(withImage(deployed(second, sequence), evil));
      const { metadata } = await refused('OtherWorkload');
      expectStatus(
        await pinion().cluster.client.delete({ apiVersion, kind, metadata: { name: 'cart', namespace: project } }),
        [200],
      );
      await waitFor(
        'the objects to be deleted',
        async () => {
          const own = (await records()).filter(({ metadata: { name } }) => name.includes(metadata.uid));
          return own.length === 0 && !(await deployment()) ? true : undefined;
        },
        { timeout: 60_000 },
      );
    });
  },
  { documents: [platform, defaultProfile], users },
);
