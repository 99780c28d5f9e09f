import fc from 'fast-check';
import {
  apiVersion,
  complete,
  examine,
  formatPath,
  type Input,
  isError,
  type Problem,
  type Workload,
} from '../../lib/api';
import { defaultPlatform, defaultProfile, expand, expandPlatform, resolve } from '../../lib/expand';
import { type Answer } from '../control-plane/answer';
import { type SendableObject } from '../control-plane/client';
import { describeControlPlane } from '../control-plane/suite';
import { anyWorkload } from '../expand/any-workload';
import { goldenCases } from './golden-cases';
import { platformDocuments } from './platform-documents';
import { isSeenByUsAlone } from './client-only';
import { admitAllKinds, applyAll, inParallel, openProject } from './cluster-state';
import { mutate } from './mutation';
import { firstField, isAround, isWithin, refusalOf } from './verdict';

const seed = 20_261_121;
const numRuns = process.env['PINION_E2E'] === 'full' ? 3000 : 300;
/** Daemons are for the infrastructure alone. */
const shop = { apiVersion, kind: 'Project', metadata: { name: 'shop' }, spec: { team: 'shop', infrastructure: true } };
const cluster = resolve([complete(shop as Input<'Project'>)]);
const documents = [...platformDocuments, ...goldenCases.flatMap((one) => [...one.platformInputs, ...one.inputs])];
const anyMutation = fc
  .tuple(fc.oneof(fc.constantFrom(...documents), anyWorkload), fc.nat(), fc.nat(), fc.nat())
  .map((choices) => mutate(...choices));

/** How the server and we differ on a document; undefined where we agree. */
function difference(input: Input, answer: Answer, ours: readonly Problem[]): string | undefined {
  const refusal = refusalOf(answer);
  const said = ours.map(({ path }) => formatPath(path)).join(', ');
  if (refusal === undefined)
    return ours.some((problem) => !isSeenByUsAlone(problem, input.kind)) ? `only we refuse ${said}` : undefined;
  if (ours.length === 0) return `only the server refuses: ${refusal}`;
  const field = firstField(answer);
  const agreed = field !== undefined && (isAround(field, ours) || isWithin(field, ours));
  return agreed ? undefined : `the server says: ${refusal}; we name ${said}`;
}

describeControlPlane(`${numRuns} workloads by chance (seed ${seed})`, (controlPlane) => {
  const create = (input: Input): Promise<Answer> =>
    controlPlane().client.create(input as SendableObject, { dryRun: true });

  beforeAll(async () => {
    const { client } = controlPlane();
    await admitAllKinds(client);
    const namespaces = new Set(documents.flatMap(({ metadata }) => metadata.namespace ?? []));
    for (const name of namespaces) await client.ensureNamespace(name);
    await openProject(client, cluster.project('shop').project, cluster);
  });

  test(
    "of a valid document with a change by chance the server's schema and ours say the same",
    async () => {
      const mutations = fc.sample(anyMutation, { seed, numRuns });
      const seen = await inParallel(mutations, async ({ input, change }) => {
        const answer = await create(input);
        const found = difference(input, answer, examine(input).problems.filter(isError));
        return { refused: refusalOf(answer) !== undefined, differing: found && `${input.kind} ${change}: ${found}` };
      });
      expect(seen.flatMap(({ differing }) => differing ?? [])).toEqual([]);
      const refused = seen.filter((one) => one.refused).length;
      expect(refused).toBeGreaterThan(numRuns / 3);
      expect(refused).toBeLessThan(numRuns);
    },
    10 * 60_000,
  );

  test(
    'the server takes every valid one and all that it becomes, under the policies of the Platform',
    async () => {
      const { client } = controlPlane();
      await applyAll(client, [defaultProfile, defaultPlatform] as unknown as SendableObject[]);
      await applyAll(client, expandPlatform(cluster));
      const [first] = fc.sample(anyWorkload, { seed, numRuns: 1 }) as [Input<'PinterestService'>];
      const unknownTier = { ...first, spec: { ...first.spec, tier: 'none' } };
      await client.waitFor('the policies to be in force', async () => refusalOf(await create(unknownTier)));
      const complaints = await inParallel(fc.sample(anyWorkload, { seed, numRuns }), async (input) => {
        const answers = [await create(input)];
        for (const object of expand(complete(input) as unknown as Workload, cluster.project('shop')))
          answers.push(await client.applyDryRun(object as SendableObject));
        const texts = answers.flatMap((answer) => [refusalOf(answer) ?? [], answer.warnings].flat());
        return texts.length === 0 ? [] : [{ texts, input }];
      });
      expect(complaints.flat().slice(0, 5)).toEqual([]);
    },
    30 * 60_000,
  );
});
