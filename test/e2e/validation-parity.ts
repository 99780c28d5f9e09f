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
import { templatesOfSpec } from '../../lib/api/rules/templates-of-spec';
import { listPlatformRules } from '../../lib/expand/policies/platform-rules';
import { type ApiResponse, causesOf, messageOf } from '../control-plane/api-response';
import { type SendableObject } from '../control-plane/client';
import { describeControlPlane } from '../control-plane/suite';
import { anyWorkload, grantsOfAnyWorkload } from '../expand/any-workload';
import { isClientSideProblem } from './client-side-problems';
import { installCrds, applyAll, inParallel, createProject } from './cluster-setup';
import { goldenCases } from './golden-cases';
import { mutate } from './mutation';
import { platformManifests } from './platform-manifests';
import { firstField, isProblemBelow, isProblemAbove, rejectionOf } from './server-response';
import { platformRuleCases } from './platform-rule-cases';

/** Platform that supports only some features of the generated workloads. */
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
/** Platform manifests, with projects that do and do not allow daemons and host access. */
const platform: readonly ManifestInput[] = [
  defaultProfile,
  pickyPlatform,
  project('shop', { infrastructure: true, ...grantsOfAnyWorkload }),
  project('visitors'),
  project('machines', {
    infrastructure: true,
    podSecurity: 'privileged',
    host: { network: true, paths: ['/var/log'] },
  }),
];
/** Handwritten workloads, valid and invalid on this Platform. */
const known: readonly ManifestInput[] = [
  ...goldenCases.flatMap(({ inputs }) => inputs),
  ...platformRuleCases.map(({ input }) => input),
];
/** Projects of the other namespaces, without which pinion would not check what a Project allows. */
const otherProjects = [...new Set(known.flatMap(({ metadata }) => metadata.namespace ?? []))]
  .filter((namespace) => !platform.some(({ kind, metadata }) => kind === 'Project' && metadata.name === namespace))
  .map((namespace) => project(namespace));
const cluster: PlatformContext = resolvePlatform(
  [...platform, ...otherProjects].map((document) => parseManifest(document)) as PlatformManifest[],
);

/** Platform manifests, which only their CRDs validate. */
const describing: readonly ManifestInput[] = [
  ...platformManifests,
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
/** Pod fields that may repeat the value of the platform. */
const podField = fc.oneof(
  fc.tuple(fc.constantFrom('serviceAccountName', 'serviceAccount'), fc.constantFrom('', 'basket', 'x'.repeat(64), 7)),
  fc.tuple(
    fc.constantFrom('automountServiceAccountToken', 'hostNetwork', 'hostPID', 'hostIPC'),
    fc.constantFrom(true, false, 'false'),
  ),
  fc.tuple(fc.constant('restartPolicy'), fc.constantFrom('Always', 'Never', 'OnFailure', 1)),
  fc.tuple(fc.constant('schedulerName'), fc.constantFrom('default-scheduler', 'volcano')),
  fc.tuple(fc.constant('priorityClassName'), fc.constantFrom('standard', 'critical', 'system-node-critical')),
  fc.tuple(fc.constant('terminationGracePeriodSeconds'), fc.constantFrom(30, 60, 0, -1, '30', 2 ** 53 - 1)),
);
const withPodField = fc
  .tuple(workload, fc.option(podField, { nil: undefined, freq: 4 }))
  .map(([input, field]): Candidate => {
    const [name, value] = field ?? ['serviceAccountName', input.metadata.name];
    return { input: setInPods(input, name, value), change: `${name} = ${JSON.stringify(value)}` };
  });

/** Returns a manifest with a field in the pods of all its templates. */
function setInPods(input: ManifestInput, name: string, value: unknown): ManifestInput {
  const copy = JSON.parse(JSON.stringify(input)) as ManifestInput;
  for (const { pod } of templatesOfSpec(copy.spec as unknown as Record<string, unknown>))
    (pod as Record<string, unknown>)[name] = value;
  return copy;
}

/** Manifests with no, one or two random changes, or another field of the pods, a quarter each. */
const candidate: fc.Arbitrary<Candidate> = fc.oneof(
  withPodField,
  workload.map((input) => ({ input, change: 'unchanged' })),
  fc.tuple(document, ...numbers).map((choices) => mutate(...choices)),
  fc.tuple(document, ...numbers, ...numbers).map(([input, a, b, c, d, e, f]) => {
    const first = mutate(input, a, b, c);
    if (typeof first.input.spec !== 'object') return first;
    const second = mutate(first.input, d, e, f);
    return { input: second.input, change: `${first.change}; ${second.change}` };
  }),
);

/** Returns all problems of `pinion check` with a manifest on this Platform, except warnings. */
function pinionProblems(input: ManifestInput): readonly Problem[] {
  const { manifest, problems } = safeParseManifest(input);
  if (!manifest || !isWorkloadKind(input.kind)) return problems.filter(isError);
  const own = manifest as Workload;
  return [...problems, ...safeExpand(own, cluster.project(own.metadata.namespace)).problems].filter(isError);
}

/** Returns how the server and pinion disagree about a manifest; undefined if they agree. */
function difference({ input }: Candidate, answer: ApiResponse, problems: readonly Problem[]): string | undefined {
  const rejection = isThere(answer) ? undefined : rejectionOf(answer);
  const summary = problems.map(({ code, path }) => `${code} ${formatPath(path)}`).join(', ');
  const visible = problems.filter((problem) => !isClientSideProblem(problem, input.kind));
  if (rejection === undefined) return visible.length > 0 ? `only pinion rejects it: ${summary}` : undefined;
  if (problems.length === 0) return `only the server rejects it: ${rejection}`;
  // Platform rules apply only to a valid manifest; pinion validates more than the server before them.
  if (visible.length === 0 && isOfPolicy(rejection)) return undefined;
  return isAmong(answer, problems) ? undefined : `server: ${rejection}; pinion: ${summary}`;
}

/** Returns whether the first cause of a rejection is among the problems: its path and its meaning. */
function isAmong(answer: ApiResponse, problems: readonly Problem[]): boolean {
  const message = messageOf(answer);
  if (isOfPolicy(message)) {
    const broken = listPlatformRules().filter((rule) =>
      message.includes(`${['spec', ...rule.field].join('.')}: ${rule.reason}; ${rule.remedy}`),
    );
    return problems.some(({ rule }) => broken.some(({ name }) => name === rule));
  }
  const field = firstField(answer);
  if (field === undefined) return false;
  const near = problems.filter((problem) => isProblemBelow(field, [problem]) || isProblemAbove(field, [problem]));
  const there = near.filter((problem) => isProblemBelow(field, [problem]) && isProblemAbove(field, [problem]));
  // If one names a parent of the field that the other names, their messages cannot be compared.
  if (there.length === 0) return near.length > 0;
  const meant = meaningOf(answer);
  return there.some(
    ({ code, reason }) => meant === undefined || meant.codes.includes(code) || meant.text.includes(reason),
  );
}

/** Returns whether only the name conflicts: a platform manifest that exists already has passed validation. */
const isThere = ({ status, body }: ApiResponse): boolean =>
  status === 409 && (body as { readonly reason?: string }).reason === 'AlreadyExists';

const isOfPolicy = (message: string): boolean => message.includes('ValidatingAdmissionPolicy');

/** Returns the problem codes that match the cause of the server; undefined if the cause has no meaning of its own. */
function meaningOf(answer: ApiResponse): { readonly codes: readonly string[]; readonly text: string } | undefined {
  const [cause] = causesOf(answer);
  const text = cause?.message ?? messageOf(answer);
  const found = meanings.find(([form]) => form.test(`${cause?.reason ?? ''}: ${text}`));
  return found && { codes: found[1], text };
}

const meanings: readonly (readonly [RegExp, readonly Problem['code'][]])[] = [
  [/(unknown|duplicate) field "/, ['unknown-field', 'platform-owned', 'unsupported-value', 'wrong-type']],
  // The server reports a wrong type for a fractional quantity, and for an enum value that is not a string.
  [/FieldValueTypeInvalid/, ['wrong-type', 'bad-format', 'unsupported-value', 'platform-owned']],
  [/FieldValueRequired/, ['required']],
  [/FieldValueNotSupported/, ['unsupported-value', 'platform-owned', 'invalid-combination']],
  // Of lists; rules have messages, which the server omits with this reason.
  [/FieldValueDuplicate/, ['duplicate']],
  [/FieldValueForbidden/, ['platform-owned', 'invalid-combination']],
  [/FieldValueTooMany/, ['out-of-range']],
  // A string of the wrong length is not a valid quantity or schedule either.
  [/FieldValueTooLong|should be at least \d+ chars long/, ['out-of-range', 'bad-format', 'required', 'platform-owned']],
  [/should (be (greater|less) than|have at (least|most))/, ['out-of-range', 'required', 'platform-owned']],
  [/should match '/, ['bad-format', 'unknown-reference', 'required']],
  [/FieldValueInvalid/, []],
];

/**
 * Defines a suite that compares the API server, including its admission policies, with `pinion check` on generated manifests.
 *
 * The seed is printed; the same seed generates the same manifests.
 */
export function describeValidationParity(numRuns: number, seed: number): void {
  describeControlPlane(`validation of ${numRuns} random manifests (seed ${seed})`, (controlPlane) => {
    const send = (input: ManifestInput): Promise<ApiResponse> =>
      controlPlane().client.create(input as SendableObject, { dryRun: true });

    beforeAll(async () => {
      const { client } = controlPlane();
      await installCrds(client);
      await applyAll(client, platform as readonly SendableObject[]);
      await applyAll(client, expandPlatform(cluster));
      const namespaces = new Set(
        ['shop', 'visitors', 'machines'].concat(known.flatMap(({ metadata }) => metadata.namespace ?? [])),
      );
      for (const name of namespaces) await createProject(client, cluster.project(name).project, cluster);
      // Policies, the Platform and namespaces become effective one by one.
      for (const { rule, input } of platformRuleCases) {
        const rejected = pinionProblems(input).some((problem) => problem.rule !== undefined);
        await client.waitFor(
          `${rule} to be in force`,
          async () => (rejectionOf(await send(input)) !== undefined) === rejected,
        );
      }
    }, 180_000);

    test(
      'the API server and pinion check accept the same manifests, and pinion reports the first cause of each rejection',
      async () => {
        const observed = await inParallel(fc.sample(candidate, { seed, numRuns }), async (one) => {
          const answer = await send(one.input);
          const rejection = rejectionOf(answer);
          const found = difference(one, answer, pinionProblems(one.input));
          const by = rejection === undefined ? 'accepted' : isOfPolicy(rejection) ? 'policy' : 'schema';
          return { by, differing: found && `${one.input.kind} ${one.change}: ${found}` };
        });
        expect(observed.flatMap(({ differing }) => differing ?? [])).toEqual([]);
        // Each result occurs often enough to be meaningful.
        for (const result of ['accepted', 'policy', 'schema'])
          expect(observed.filter(({ by }) => by === result).length).toBeGreaterThan(numRuns / 10);
      },
      30 * 60_000,
    );
  });
}
