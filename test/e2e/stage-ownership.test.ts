import { apiVersion, crdOf, metadataKeys, type ManifestInput } from '../../lib/api';
import { defaultPlatform, defaultProfile } from '../../lib/expand';
import { ProblemResponse } from '../../lib/submission';
import { expectStatus, messageOf } from '../control-plane/api-response';
import { type SendableObject } from '../control-plane/client';
import { waitFor } from '../control-plane/wait-for';
import { Publishing } from '../submission/publishing';
import { describePinion, workloadOf } from './pinion-suite';
import { deploymentPublicKey, EngineInProcess, home, userOf } from './submission-engine';

const [project, open] = ['shop', 'garden'];
const digest = `@sha256:${'a'.repeat(64)}`;
const cart = (image = `registry.example.com/app:1.0.0${digest}`, namespace = project, more: object = {}) =>
  workloadOf('PinterestService', namespace, 'cart', {
    replicas: 1,
    template: {
      spec: { securityContext: { runAsUser: 65534, runAsGroup: 65534 }, containers: [{ name: 'app', image }], ...more },
    },
  });
/** Returns a workload with the label of a stage. */
const inStage = (manifest: ManifestInput<'PinterestService'>, stage: string | undefined): SendableObject =>
  ({
    ...manifest,
    metadata: { ...manifest.metadata, ...(stage !== undefined && { labels: { [metadataKeys.stage]: stage } }) },
  }) as unknown as SendableObject;

const documents = [
  { ...defaultPlatform, spec: { ...defaultPlatform.spec, cluster: 'main', deploymentKeys: [deploymentPublicKey] } },
  defaultProfile,
];

describePinion(
  'stages own their clusters',
  (pinion) => {
    describe('in a protected project', () => {
      let service: EngineInProcess;
      let foreign: Publishing;
      const members = [
        { kind: 'Group', name: 'shop-developers', role: 'edit' },
        { kind: 'Group', name: 'shop-release', role: 'edit' },
      ] as const;
      const [dev, release] = [userOf('ben', 'shop-developers'), userOf('rita', 'shop-release')];
      const stagesOf = () => [
        { name: 'staging' },
        {
          name: 'production',
          clusters: ['main'],
          publishers: [service.publishing.publisher],
          deployers: ['shop-release'],
        },
      ];
      beforeAll(async () => {
        expectStatus(
          await pinion().cluster.client.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: home } }),
          [201],
        );
        service = new EngineInProcess(pinion());
        foreign = new Publishing(service.publishing.folder, 'other/repository');
        await pinion().project(project, { members, stages: stagesOf() as never });
        await pinion().project(open, { members });
        await service.start();
        const marked = await pinion().cluster.client.get({
          apiVersion: 'v1',
          kind: 'Namespace',
          metadata: { name: project },
        });
        expect(marked.body).toMatchObject({
          metadata: {
            labels: { [metadataKeys.protected]: 'true' },
            annotations: { [metadataKeys.stages]: 'production' },
          },
        });
        // Policies take effect some time after they are created.
        await waitFor('the policies', async () => {
          const { status } = await tryOut(inStage(cart(), undefined));
          return status === 403 || status === 422 ? true : undefined;
        });
      }, 180_000);
      afterAll(() => service.stop());

      const tryOut = (object: SendableObject) => pinion().cluster.client.applyDryRun(object);
      const publish = (by: Publishing, version: string, name: string, image?: string) =>
        by.publish(project, version, [cart(image)], [{ name, targets: ['main'] }]);

      test('a foreign artifact does not reach the cluster through an open stage', async () => {
        const trusted = await publish(service.publishing, '1.0.0', 'production');
        expect((await service.deploy(release, trusted, 'production')).deployment.phase).toBe('ready');
        const before = await pinion().read('PinterestService', project, 'cart');
        const artifact = await publish(foreign, '6.6.6', 'staging');
        const error: unknown = await service.deploy(dev, artifact, 'staging').catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(ProblemResponse);
        expect(error).toMatchObject({
          status: 403,
          details: { problems: [{ object: 'Project shop on main', value: 'main' }] },
        });
        expect(await pinion().read('PinterestService', project, 'cart')).toEqual(before);
      }, 120_000);

      test.each([undefined, '', 'staging', 'production2'])(
        'the API server rejects a workload of the stage %p',
        async (stage) => {
          const manifest = cart();
          const other = { ...manifest, metadata: { ...manifest.metadata, name: 'other' } };
          const response = await tryOut(inStage(other, stage));
          expect(response.status).toBe(403);
          expect(messageOf(response)).toContain(
            `metadata.labels["pinterest.com/stage"]: "${stage ?? ''}" is not a stage that owns this cluster in project shop, which is production; deploy the workload with pinion deploy PROJECT/WORKFLOW@VERSION --to STAGE, with a stage that the Project lists for this cluster`,
          );
        },
      );

      test('the API server rejects images without a digest, and names each', async () => {
        const more = { initContainers: [{ name: 'init', image: 'registry.example.com/init:1' }] };
        const response = await tryOut(inStage(cart('registry.example.com/app:1.0.0', project, more), 'production'));
        expect(response.status).toBe(403);
        expect(messageOf(response)).toContain(
          'registry.example.com/app:1.0.0, registry.example.com/init:1 has no digest; a protected stage runs images by digest only',
        );
      });

      test('the API server rejects an image without a digest in a role of a training job', async () => {
        const template = (image: string) => ({
          spec: { securityContext: { runAsUser: 65534, runAsGroup: 65534 }, containers: [{ name: 'app', image }] },
        });
        const job = workloadOf('PinterestTrainingJob', project, 'model', {
          framework: 'pytorch',
          template: template(`registry.example.com/app:1${digest}`),
          roles: { master: {}, worker: { replicas: 2, template: template('registry.example.com/worker:1') } },
        } as never);
        const response = await tryOut(inStage(job as never, 'production'));
        expect(messageOf(response)).toContain('registry.example.com/worker:1 has no digest');
      });

      test('the API server rejects a hook whose own image has no digest', async () => {
        const hooked = (image: string) => {
          const manifest = cart() as unknown as { readonly spec: object };
          const beforeDeployment = [
            { name: 'flags', args: ['set'] },
            { name: 'migrate', image },
          ];
          return { ...manifest, spec: { ...manifest.spec, beforeDeployment } } as never;
        };
        const response = await tryOut(inStage(hooked('registry.example.com/migrate:1'), 'production'));
        expect(messageOf(response)).toContain('registry.example.com/migrate:1 has no digest');
        const pinned = await tryOut(inStage(hooked(`registry.example.com/migrate:1${digest}`), 'production'));
        expectStatus(pinned, [200, 201]);
      });

      test('the owning stage may write, and projects without protected stages are not affected', async () => {
        expectStatus(await tryOut(inStage(cart(), 'production')), [200, 201]);
        expectStatus(await tryOut(inStage(cart('registry.example.com/app:1.0.0', open), undefined)), [200, 201]);
      });
    });

    test('a stored Project whose protected stage has no clusters stays valid until that stage changes', async () => {
      const { client } = pinion().cluster;
      const withoutField = structuredClone(crdOf('Project')) as unknown as {
        spec: { versions: { schema: { openAPIV3Schema: { properties: { spec: Rules } } } }[] };
      };
      interface Rules {
        'x-kubernetes-validations'?: { message: string }[];
        properties: { stages: { items: { 'x-kubernetes-validations'?: unknown[] } } };
      }
      for (const { schema } of withoutField.spec.versions)
        delete schema.openAPIV3Schema.properties.spec.properties.stages.items['x-kubernetes-validations'];
      await client.createCrd(withoutField as unknown as SendableObject);
      const stored = (stages: readonly object[], labels = {}): SendableObject =>
        ({
          apiVersion,
          kind: 'Project',
          metadata: { name: 'former', labels },
          spec: { team: 'commerce', members: [{ name: 'release', role: 'edit' }], stages },
        }) as unknown as SendableObject;
      const former = { name: 'production', deployers: ['release'] };
      await waitFor('the former definition', async () => {
        const { status } = await client.apply(stored([former]));
        return status === 201 || status === 200 ? true : undefined;
      });
      await client.createCrd(crdOf('Project') as unknown as SendableObject);
      await waitFor('the new definition', async () => {
        const other = { ...stored([former]), metadata: { name: 'other' } };
        return (await client.applyDryRun(other)).status === 422 ? true : undefined;
      });
      expectStatus(await client.apply(stored([former], { division: 'food' })), [200]);
      expectStatus(await client.apply(stored([{ name: 'staging' }, former])), [200]);
      const changed = await client.apply(
        stored([{ ...former, breakGlass: [], publishers: [], deployers: ['release', 'release'] }]),
      );
      expect(changed.status).toBe(422);
      expect(messageOf(changed)).toContain('a stage with publishers or deployers owns its clusters');
      expectStatus(await client.apply(stored([{ ...former, clusters: ['main'] }])), [200]);
    }, 60_000);
  },
  { documents },
);
