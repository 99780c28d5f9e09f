import fc from 'fast-check';
import { apiVersion, parseManifest, type ManifestInput, type Workload } from '../../lib/api';
import { defaultPlatform, defaultProfile, expand, expandPlatform, resolvePlatform } from '../../lib/expand';
import { type ApiResponse } from '../control-plane/api-response';
import { type SendableObject } from '../control-plane/client';
import { describeControlPlane } from '../control-plane/suite';
import { anyWorkload, grantsOfAnyWorkload } from '../expand/any-workload';
import { installCrds, applyAll, inParallel, createProject } from './cluster-setup';
import { rejectionOf } from './server-response';

const seed = 20_261_121;
const numRuns = process.env['PINION_E2E'] === 'full' ? 3000 : 300;
/** Only infrastructure projects may run daemons. */
const shop = {
  apiVersion,
  kind: 'Project',
  metadata: { name: 'shop' },
  spec: { team: 'shop', infrastructure: true, ...grantsOfAnyWorkload },
};
const cluster = resolvePlatform([parseManifest(shop as ManifestInput<'Project'>)]);

describeControlPlane(`${numRuns} random workloads (seed ${seed})`, (controlPlane) => {
  const create = (input: ManifestInput): Promise<ApiResponse> =>
    controlPlane().client.create(input as SendableObject, { dryRun: true });

  beforeAll(async () => {
    const { client } = controlPlane();
    await installCrds(client);
    await createProject(client, cluster.project('shop').project, cluster);
  });

  test(
    'the API server accepts every valid workload and all its objects under the policies of the Platform',
    async () => {
      const { client } = controlPlane();
      await applyAll(client, [defaultProfile, defaultPlatform] as unknown as SendableObject[]);
      await applyAll(client, expandPlatform(cluster));
      const [first] = fc.sample(anyWorkload, { seed, numRuns: 1 }) as [ManifestInput<'PinterestService'>];
      const unknownTier = { ...first, spec: { ...first.spec, tier: 'none' } };
      await client.waitFor('the policies to be in force', async () => rejectionOf(await create(unknownTier)));
      const complaints = await inParallel(fc.sample(anyWorkload, { seed, numRuns }), async (input) => {
        const responses = [await create(input)];
        for (const object of expand(parseManifest(input) as unknown as Workload, cluster.project('shop')))
          responses.push(await client.applyDryRun(object as SendableObject));
        const texts = responses.flatMap((response) => [rejectionOf(response) ?? [], response.warnings].flat());
        return texts.length === 0 ? [] : [{ texts, input }];
      });
      expect(complaints.flat().slice(0, 5)).toEqual([]);
    },
    30 * 60_000,
  );
});
