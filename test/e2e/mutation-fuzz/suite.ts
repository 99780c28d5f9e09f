import { type ManifestInput } from '../../../lib/api';
import { expandPlatform } from '../../../lib/expand';
import { type ApiResponse } from '../../control-plane/api-response';
import { type SendableObject } from '../../control-plane/client';
import { describeControlPlane } from '../../control-plane/suite';
import { applyAll, createProject, inParallel, installCrds } from '../cluster-setup';
import { rejectionOf } from '../server-response';
import { cluster, workloadInputs } from './fuzz-documents';
import { accept, bases, context, drawMutants, mutated, type Accepted, type Mutant } from './mutants';

/** Returns whether only the name conflicts: an object that exists already has passed validation. */
const isThere = ({ status, body }: ApiResponse): boolean =>
  status === 409 && (body as { readonly reason?: string }).reason === 'AlreadyExists';

/**
 * Defines a suite that changes documents, and requires that the API server, with its admission policies, accepts each one
 * that pinion accepts, and all objects that it expands to.
 *
 * The seed is in the title; the same seed draws the same changes.
 */
export function describeMutationFuzz(count: number, seed: number): void {
  describeControlPlane(`${count} changed documents (seed ${seed})`, (controlPlane) => {
    const rejectionBy = (answer: ApiResponse, what: string): string[] => {
      const rejection = isThere(answer) ? undefined : rejectionOf(answer);
      const forbidden = answer.warnings.filter((text) => text.includes('PodSecurity'));
      return [...(rejection === undefined ? [] : [rejection]), ...forbidden].map((text) => `${what}: ${text}`);
    };
    const create = async (object: object): Promise<string[]> => {
      const sent = object as SendableObject;
      return rejectionBy(
        await controlPlane().client.create(sent, { dryRun: true }),
        `${sent.kind} ${sent.metadata.name}`,
      );
    };
    /** Objects of workloads are applied, as the controller does it; those of a Platform exist already. */
    const check = async (accepted: Accepted): Promise<string[]> => {
      try {
        return await sendAll(accepted);
      } catch (error) {
        return [`${String(error)} (${JSON.stringify(accepted).length} characters)`];
      }
    };
    const sendAll = async ({ input, objects }: Accepted): Promise<string[]> => {
      const found = await create(input);
      for (const object of objects)
        if (input.kind === 'Project' || input.kind === 'Platform') found.push(...(await create(object)));
        else {
          const answer = await controlPlane().client.applyDryRun(object as SendableObject);
          found.push(...rejectionBy(answer, `${object.kind} ${object.metadata.name}`));
        }
      return found;
    };

    beforeAll(async () => {
      const { client } = controlPlane();
      await installCrds(client);
      await applyAll(client, cluster as readonly SendableObject[]);
      await applyAll(client, expandPlatform(context));
      for (const name of ['shop', 'machines']) await createProject(client, context.project(name).project, context);
      const [first] = bases as readonly [ManifestInput];
      const unknownTier = { ...first, spec: { ...first.spec, tier: 'none' } };
      await client.waitFor('the policies to be in force', async () => (await create(unknownTier)).length > 0);
      await client.waitFor('the policies to accept a workload', async () => (await create(first)).length === 0);
    }, 180_000);

    test('the documents are accepted before they are changed', async () => {
      const names = new Set(bases.map(({ kind, metadata }) => `${kind} ${metadata.name}`));
      expect(names.size).toBeGreaterThan(
        0.85 * new Set(workloadInputs.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).size,
      );
      const complaints = await inParallel(bases, async (input) => check(accept(input) as Accepted));
      expect(complaints.flat()).toEqual([]);
    });

    test(
      'the API server accepts each document that pinion accepts, and all its objects',
      async () => {
        const complaints = await inParallel(drawMutants(count, seed), async (mutant) => {
          if ((await check(mutant.accepted)).length === 0) return [];
          return await describeMutant(mutant, check);
        });
        expect(complaints.flat()).toEqual([]);
      },
      60 * 60_000,
    );
  });
}

/** Describes a mutant that the server rejects, by the fewest mutations that suffice. */
async function describeMutant(
  { base, mutations, accepted }: Mutant,
  check: (accepted: Accepted) => Promise<string[]>,
): Promise<readonly string[]> {
  // A busy server can fail to answer once.
  let [fewest, found] = [mutations, await check(accepted)];
  if (found.length === 0) return [];
  for (const mutation of mutations) {
    const alone = accept(mutated(base, [mutation]));
    const rejections = alone && mutations.length > 1 ? await check(alone) : [];
    if (rejections.length > 0) [fewest, found] = [[mutation], rejections];
  }
  const { namespace = '', name } = base.metadata;
  const changes = fewest.map(({ path, value }) => `${path} = ${value}`).join('; ');
  return [`${base.kind} ${namespace}/${name}: ${changes}: ${found.slice(0, 2).join(' | ').slice(0, 600)}`];
}
