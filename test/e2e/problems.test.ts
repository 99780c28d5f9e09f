import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { safeParseManifest, formatPath, isError } from '../../lib/api';
import { messageOf } from '../control-plane/api-response';
import { type SendableObject } from '../control-plane/client';
import { describeControlPlane } from '../control-plane/suite';
import { type ProblemCase } from '../problems/problem-case';
import { installCrds } from './cluster-setup';
import { firstField, isProblemBelow, rejectionOf, isAccepted } from './server-response';

const folder = join(__dirname, '..', 'problems');
const cases = readdirSync(folder)
  .filter((name) => name.endsWith('.cases.ts'))
  .flatMap((name) => jest.requireActual<{ cases: readonly ProblemCase[] }>(join(folder, name)).cases);
const namespaces = new Set(
  cases.flatMap(({ input }) => (input as { metadata?: { namespace?: string } }).metadata?.namespace ?? []),
);

describeControlPlane('validation problem cases on the API server', (controlPlane) => {
  beforeAll(async () => {
    const { client } = controlPlane();
    await installCrds(client);
    for (const name of namespaces) await client.ensureNamespace(name);
  });
  const send = (input: unknown) => controlPlane().client.create(input as SendableObject, { dryRun: true });

  test.each(cases.filter(({ crdRejects }) => crdRejects))(
    '$title: the server rejects it and names a field that pinion names',
    async ({ input }) => {
      const response = await send(input);
      const problems = safeParseManifest(input).problems.filter(isError);
      const field = firstField(response);
      const pinionFields = problems.map(({ path }) => formatPath(path));
      const isSameField = field !== undefined && isProblemBelow(field, problems);
      const comparison = {
        accepted: isAccepted(response),
        isSameField,
        message: messageOf(response),
        field,
        pinionFields,
      };
      expect(comparison).toMatchObject({ accepted: false, isSameField: true });
    },
  );

  test.each(cases.filter(({ crdRejects }) => !crdRejects))('$title: the server accepts it', async ({ input }) => {
    expect(rejectionOf(await send(input))).toBeUndefined();
  });
});
