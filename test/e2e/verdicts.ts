import fc from 'fast-check';
import {
  apiVersion,
  parseManifest,
  safeParseManifest,
  formatPath,
  type ManifestInput,
  isError,
  isWorkloadKind,
  type PlatformManifest,
  type Problem,
  type Workload,
} from '../../lib/api';
import {
  type PlatformContext,
  defaultPlatform,
  defaultProfile,
  safeExpand,
  expandPlatform,
  resolvePlatform,
} from '../../lib/expand';
import { listPlatformRules } from '../../lib/expand/policies/platform-rules';
import { type Answer, causesOf, messageOf } from '../control-plane/answer';
import { type SendableObject } from '../control-plane/client';
import { describeControlPlane } from '../control-plane/suite';
import { anyWorkload } from '../expand/any-workload';
import { isSeenByUsAlone } from './client-only';
import { admitAllKinds, applyAll, inParallel, openProject } from './cluster-state';
import { goldenCases } from './golden-cases';
import { mutate } from './mutation';
import { platformDocuments } from './platform-documents';
import { firstField, isAround, isWithin, refusalOf } from './verdict';
import { platformRuleCases } from './platform-rule-cases';

/** A Platform that offers some of what generated workloads ask for, and not the rest. */
const pickyPlatform: ManifestInput<'Platform'> = {
  ...defaultPlatform,
  spec: {
    cluster: 'picky',
    domain: 'apps.example.com',
    zones: ['us-east-1a'],
    tiers: [
      { name: 'critical', priority: 1_000_000, requests: 'Required' },
      { name: 'standard', priority: 100_000 },
    ],
    defaultTier: 'standard',
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
    pools: [{ name: 'general' }, { name: 'gpu', accelerators: ['nvidia.com/gpu'] }],
    storage: { classes: ['fast'] },
    ingress: { internal: { ingressClassName: 'internal' } },
    runtime: { profile: defaultProfile.metadata.name },
  },
};
const project = (name: string, spec: object = {}): ManifestInput<'Project'> => ({
  apiVersion,
  kind: 'Project',
  metadata: { name },
  spec: { team: name, ...spec },
});
/** Daemons are for the infrastructure alone, and see of the machine what is allowed there. */
const platform: readonly ManifestInput[] = [
  defaultProfile,
  pickyPlatform,
  project('shop', { infrastructure: true }),
  project('visitors'),
  project('machines', {
    infrastructure: true,
    podSecurity: 'privileged',
    host: { network: true, paths: ['/var/log'] },
  }),
];
const cluster: PlatformContext = resolvePlatform(
  platform.map((document) => parseManifest(document)) as PlatformManifest[],
);

/** Workloads as people write them, right and wrong ones by this Platform. */
const known: readonly ManifestInput[] = [
  ...goldenCases.flatMap(({ inputs }) => inputs),
  ...platformRuleCases.map(({ input }) => input),
];
/** Documents that describe a platform; only their own definitions judge them. */
const describing: readonly ManifestInput[] = [
  ...platformDocuments,
  ...goldenCases.flatMap(({ platformInputs }) => platformInputs),
];
const moved = fc
  .tuple(anyWorkload, fc.constantFrom('shop', 'shop', 'visitors'))
  .map(
    ([input, namespace]): ManifestInput => ({ ...input, metadata: { ...input.metadata, namespace } }) as ManifestInput,
  );
const workload = fc.oneof({ weight: 2, arbitrary: moved }, { weight: 1, arbitrary: fc.constantFrom(...known) });
const document = fc.oneof({ weight: 9, arbitrary: workload }, { weight: 1, arbitrary: fc.constantFrom(...describing) });
const numbers = [fc.nat(), fc.nat(), fc.nat()] as const;

interface Candidate {
  readonly input: ManifestInput;
  readonly change: string;
}
/** One in three as it was made, one with a change by chance, one with two. */
const candidate: fc.Arbitrary<Candidate> = fc.oneof(
  workload.map((input) => ({ input, change: 'as it is' })),
  fc.tuple(document, ...numbers).map((choices) => mutate(...choices)),
  fc.tuple(document, ...numbers, ...numbers).map(([input, a, b, c, d, e, f]) => {
    const first = mutate(input, a, b, c);
    if (typeof first.input.spec !== 'object') return first;
    const second = mutate(first.input, d, e, f);
    return { input: second.input, change: `${first.change}; ${second.change}` };
  }),
);

/** All that `pinion check` has against a document on this Platform, warnings apart. */
function ownProblems(input: ManifestInput): readonly Problem[] {
  const { completed, problems } = safeParseManifest(input);
  if (!completed || !isWorkloadKind(input.kind)) return problems.filter(isError);
  const own = completed as Workload;
  return [...problems, ...safeExpand(own, cluster.project(own.metadata.namespace)).problems].filter(isError);
}

/** How the server and we differ on a document; undefined where we agree. */
function difference({ input }: Candidate, answer: Answer, ours: readonly Problem[]): string | undefined {
  const refusal = isThere(answer) ? undefined : refusalOf(answer);
  const said = ours.map(({ code, path }) => `${code} ${formatPath(path)}`).join(', ');
  const visible = ours.filter((problem) => !isSeenByUsAlone(problem, input.kind));
  if (refusal === undefined) return visible.length > 0 ? `only we refuse: ${said}` : undefined;
  if (ours.length === 0) return `only the server refuses: ${refusal}`;
  // Rules of the Platform are asked once the document is sound: here and there, and here more is looked at.
  if (visible.length === 0 && isOfPolicy(refusal)) return undefined;
  return isAmong(answer, ours) ? undefined : `the server says: ${refusal}; we say: ${said}`;
}

/** Whether the first cause of a refusal is among our problems: the place, and what is wrong there. */
function isAmong(answer: Answer, ours: readonly Problem[]): boolean {
  const message = messageOf(answer);
  if (isOfPolicy(message)) {
    const broken = listPlatformRules().filter((rule) =>
      message.includes(`${['spec', ...rule.field].join('.')}: ${rule.reason}; ${rule.remedy}`),
    );
    return ours.some(({ rule }) => broken.some(({ name }) => name === rule));
  }
  const field = firstField(answer);
  if (field === undefined) return false;
  const near = ours.filter((problem) => isAround(field, [problem]) || isWithin(field, [problem]));
  const there = near.filter((problem) => isAround(field, [problem]) && isWithin(field, [problem]));
  // Where one names the whole and the other a part of it, each says what is wrong there in its own way.
  if (there.length === 0) return near.length > 0;
  const meant = meaningOf(answer);
  return there.some(
    ({ code, reason }) => meant === undefined || meant.codes.includes(code) || meant.text.includes(reason),
  );
}

/** A document of the Platform that is in force has passed everything where only its name is in the way. */
const isThere = ({ status, body }: Answer): boolean =>
  status === 409 && (body as { readonly reason?: string }).reason === 'AlreadyExists';

const isOfPolicy = (message: string): boolean => message.includes('ValidatingAdmissionPolicy');

/** Which codes of ours say what the server says; undefined where it says nothing but that something is wrong. */
function meaningOf(answer: Answer): { readonly codes: readonly string[]; readonly text: string } | undefined {
  const [cause] = causesOf(answer);
  const text = cause?.message ?? messageOf(answer);
  const found = meanings.find(([form]) => form.test(`${cause?.reason ?? ''}: ${text}`));
  return found && { codes: found[1], text };
}

const meanings: readonly (readonly [RegExp, readonly Problem['code'][]])[] = [
  [/(unknown|duplicate) field "/, ['unknown-field', 'platform-owned', 'unsupported-value', 'wrong-type']],
  // On the server a fraction is of a wrong type for a quantity, and so is all but a text for a closed set of texts.
  [/FieldValueTypeInvalid/, ['wrong-type', 'bad-format', 'unsupported-value']],
  [/FieldValueRequired/, ['required']],
  [/FieldValueNotSupported/, ['unsupported-value', 'platform-owned', 'invalid-combination']],
  [/FieldValueDuplicate/, ['duplicate']],
  [/FieldValueForbidden/, ['platform-owned', 'invalid-combination']],
  [/FieldValueTooMany/, ['out-of-range']],
  // A text of the wrong length has not the form of a quantity or a schedule either.
  [/FieldValueTooLong|should be at least \d+ chars long/, ['out-of-range', 'bad-format', 'required']],
  [/should (be (greater|less) than|have at (least|most))/, ['out-of-range', 'required']],
  [/should match '/, ['bad-format', 'unknown-reference', 'required']],
  [/FieldValueInvalid/, []],
];

/**
 * The suite of generated documents: what the API server says, its admission policies included, and what we say.
 *
 * The seed is printed, and the same one gives the same documents again.
 */
export function describeVerdicts(numRuns: number, seed: number): void {
  describeControlPlane(`verdicts on ${numRuns} documents by chance (seed ${seed})`, (controlPlane) => {
    const send = (input: ManifestInput): Promise<Answer> =>
      controlPlane().client.create(input as SendableObject, { dryRun: true });

    beforeAll(async () => {
      const { client } = controlPlane();
      await admitAllKinds(client);
      await applyAll(client, platform as readonly SendableObject[]);
      await applyAll(client, expandPlatform(cluster));
      const namespaces = new Set(
        ['shop', 'visitors', 'machines'].concat(known.flatMap(({ metadata }) => metadata.namespace ?? [])),
      );
      for (const name of namespaces) await openProject(client, cluster.project(name).project, cluster);
      // Policies, the Platform and the namespaces reach admission one by one.
      for (const { rule, input } of platformRuleCases) {
        const refused = ownProblems(input).some((problem) => problem.rule === rule);
        await client.waitFor(
          `${rule} to be in force`,
          async () => (refusalOf(await send(input)) !== undefined) === refused,
        );
      }
    }, 180_000);

    test(
      'the API server and pinion check take the same ones, and the first cause of a refusal is among ours',
      async () => {
        const seen = await inParallel(fc.sample(candidate, { seed, numRuns }), async (one) => {
          const answer = await send(one.input);
          const refusal = refusalOf(answer);
          const found = difference(one, answer, ownProblems(one.input));
          const by = refusal === undefined ? 'taken' : isOfPolicy(refusal) ? 'policy' : 'schema';
          return { by, differing: found && `${one.input.kind} ${one.change}: ${found}` };
        });
        expect(seen.flatMap(({ differing }) => differing ?? [])).toEqual([]);
        // Each verdict is given often enough to mean something.
        for (const verdict of ['taken', 'policy', 'schema'])
          expect(seen.filter(({ by }) => by === verdict).length).toBeGreaterThan(numRuns / 10);
      },
      30 * 60_000,
    );
  });
}
