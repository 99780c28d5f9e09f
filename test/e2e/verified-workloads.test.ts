import { generateKeyPairSync } from 'node:crypto';
import { apiVersion, metadataKeys, type PinionKind } from '../../lib/api';
import { publicKeyText, type ArtifactResource } from '../../lib/artifact';
import { defaultProfile } from '../../lib/expand';
import { keyPair, publisher, signedWith } from '../artifact/artifact-fixture';
import { DeployedStage } from '../artifact/workload-fixture';
import { expectStatus, messageOf } from '../control-plane/api-response';
import { type SendableObject } from '../control-plane/client';
import { waitFor } from '../control-plane/wait-for';
import { runWithRestarts } from './controller-restarts';
import { ImageWatch } from './image-watch';
import { controllerUser, describePinion, isTrue } from './pinion-suite';
import { RestartStory } from './restart-story';
import {
  annotated,
  type Changes,
  ciKey,
  deployed,
  digest,
  documents,
  emergency,
  evil,
  type Fields,
  first,
  imageOf,
  inSeconds,
  kind,
  members,
  platform,
  platformWith,
  project,
  second,
  type Sent,
  stages,
  trusted,
  users,
  verifiedProject,
  withImage,
} from './verified-project';

jest.setTimeout(240_000);

describePinion(
  'workloads of protected projects',
  (pinion) => {
    const {
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
    } = verifiedProject(pinion);
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
      // The status is that of the spec, which is the same as before: the record may follow.
      const recorded = await waitFor('one record of each workload, and that of this deployment', async () => {
        const all = await names();
        const isRecorded = JSON.stringify(await records()).includes(`"sequence":${sequence}`);
        return isRecorded && new Set(all.map((name) => name.replace(/-\d+$/, ''))).size === all.length && all;
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

    test('nothing unproven is carried out while the controller is killed', async () => {
      await deploy(first);
      const watch = await ImageWatch.start(pinion().cluster.kubeconfig, project);
      const scene = { pinion: pinion(), project: verifiedProject(pinion), watch };
      const { deployments } = new RestartStory({ ...scene, nextSequence: () => (sequence += 1) });
      try {
        await runWithRestarts(deployments, { ...scene, seed: Number(process.env['PINION_SEED'] ?? 1), kills: 1 });
      } finally {
        await watch.stop();
      }
      await deploy(second);
      const owner = await pinion().read(kind, project, 'cart');
      const own = (await records()).filter(({ metadata }) => metadata.name.includes(owner?.metadata.uid ?? '?'));
      expect(own).toMatchObject([{ data: { deployment: { authorization: { sequence } } } }]);
    });

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
      const sendAs = (user: string, sent: Sent) => pinion().cluster.as(user).apply(sent);
      const refusedAs = async (user: string, sent: Sent, reason: RegExp): Promise<void> => {
        const response = await sendAs(user, sent);
        expect([response.status, messageOf(response)]).toEqual([403, expect.stringMatching(reason)]);
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
