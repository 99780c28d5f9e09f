import * as z from 'zod';
import { isPlainObject, schemaProblems, type Problem } from '../api';
import { limitsSchema } from './entrance-limits';
import { examineIdentity, type IdentitySettings } from './identity-settings';
import { liesWithin } from './lies-within';
import { holdsSecret, isWebhook } from './secure-url';

const name = () =>
  z
    .string()
    .max(63)
    .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, 'is no name|write letters, digits and dashes, such as prod-1');
const file = () => z.string().regex(/^\/\S+$/, 'is no absolute path|write one, such as /etc/pinion/clusters/prod-2');
const place = () =>
  z
    .string()
    .regex(/^(s3:\/\/[^/\s]+(\/\S*)?|\/\S+)$/, 'is no place for objects|write s3://BUCKET/PREFIX, or an absolute path');
const port = () => z.int().min(0).max(65_535);

/** A problem of a value that could hold a secret. */
const unshown = (reason: string, remedy: string) => ({
  params: { problem: { code: 'bad-format', reason, remedy } satisfies Omit<Problem, 'path'> },
});

/** Who may stand in front, as the HTTP server reads it. */
const proxy = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6(), z.enum(['loopback', 'linklocal', 'uniquelocal'])]);

/** What the service is told; identity apart, which has rules of its own. */
export const submissionSchema = z.strictObject({
  store: place().describe('The artifact store.'),
  witness: place()
    .optional()
    .describe('Where it remembers verified signatures by tokens; nobody else may write there.'),
  clusters: z
    .array(
      z.strictObject({
        name: name().describe('Name of the cluster in the stages of workflows.'),
        kubeconfig: file()
          .optional()
          .describe('File by which it is reached; without one it is the cluster that the service runs on.'),
      }),
    )
    .min(1)
    .max(64)
    .superRefine(oneTwice)
    .describe('Clusters that it deploys to.'),
  identity: z.unknown().describe('Who may ask, and how they show it.'),
  port: port().default(8080).describe('Port of the service.'),
  statusPort: port().default(8081).describe('Port of /livez, /readyz and /metrics.'),
  host: z.string().max(253).default('0.0.0.0').describe('Address that it listens on.'),
  origin: z
    .string()
    .regex(/^https?:\/\/[^\s/]+$/, 'is no origin|write one, such as https://deploy.example.com')
    .optional()
    .describe('Origin of the page as browsers see it.'),
  tlsInFront: z.boolean().default(false).describe('Whether a proxy in front of it terminates TLS.'),
  trustedProxies: z
    .array(
      z
        .string()
        .max(64)
        .refine(
          (text) => proxy.safeParse(text).success,
          unshown(
            'is no address',
            'write addresses and ranges, such as 10.0.0.0/8, or loopback, linklocal, uniquelocal',
          ),
        ),
    )
    .max(32)
    .default([])
    .describe('Proxies whose X-Forwarded-For header is trusted.'),
  limits: limitsSchema.prefault({}).describe('Limits that differ from the defaults below.'),
  quotaNamespace: name()
    .optional()
    .describe("Namespace of the quota watcher's histories; without it there are no forecasts."),
  breakGlassWebhook: z
    .string()
    .refine(
      (text) => holdsSecret(text) || isWebhook(text),
      unshown('is no URL of http or https', 'write one, such as https://hooks.example.com/pinion'),
    )
    .refine(
      (text) => !holdsSecret(text),
      unshown(
        'holds a secret, and whoever may read the ConfigMap could read it',
        'put the URL into a file of a Secret, and name that by breakGlassWebhookFile',
      ),
    )
    .optional()
    .describe('URL that is called when somebody breaks the glass of a protected stage.'),
  breakGlassWebhookFile: file()
    .optional()
    .describe('File with that URL instead, where its path or a parameter is a secret.'),
});

/** The settings of the service, as a person writes them. */
export type SubmissionInput = z.input<typeof submissionSchema>;
/** The settings of the service with their defaults filled in; `identity` is read apart, by rules of its own. */
export type SubmissionSettings = z.output<typeof submissionSchema>;

/** Settings that were read, if nothing is wrong with them, and all problems. */
export interface ExaminedSubmissionSettings {
  readonly settings?: SubmissionSettings;
  readonly identity?: IdentitySettings;
  readonly problems: readonly Problem[];
}

/** Reads the settings of the service, identity included, or says everything that is wrong with them; never throws because of its input. */
export function examineSubmissionSettings(input: unknown): ExaminedSubmissionSettings {
  const parsed = submissionSchema.safeParse(input, { reportInput: true });
  const own = parsed.success ? [] : schemaProblems(submissionSchema, input, parsed.error.issues, []);
  const given = isPlainObject(input) ? input['identity'] : undefined;
  const { settings: identity, problems: strange } = examineIdentity(given ?? {});
  const problems = [
    ...own,
    ...(parsed.success ? contradictions(parsed.data) : []),
    ...strange.map((one) => ({ ...one, path: ['identity', ...one.path] })),
  ];
  return parsed.success && identity ? { settings: parsed.data, identity, problems } : { problems };
}

function contradictions({ breakGlassWebhook, breakGlassWebhookFile, store, witness }: SubmissionSettings): Problem[] {
  const problems: Problem[] = [];
  if (breakGlassWebhook !== undefined && breakGlassWebhookFile !== undefined) {
    const [path, reason] = [['breakGlassWebhookFile'], 'is given beside breakGlassWebhook'];
    problems.push({ code: 'contradiction', path, reason, remedy: 'give one of the two' });
  }
  if (witness !== undefined && liesWithin(witness, store)) {
    const reason = 'lies in the artifact store, where publishers write: they could attest signatures themselves';
    const remedy = 'give it a place of its own, to which only the service may write';
    problems.push({ code: 'contradiction', path: ['witness'], value: witness, reason, remedy });
  }
  return problems;
}

/** Clusters that cannot be told from an earlier one. */
function oneTwice(
  clusters: readonly { readonly name: string; readonly kubeconfig?: string | undefined }[],
  context: z.RefinementCtx,
): void {
  const tell = (path: (string | number)[], problem: Omit<Problem, 'path'>): void =>
    context.addIssue({ code: 'custom', path, params: { problem } });
  for (const [index, { name: given, kubeconfig }] of clusters.entries()) {
    const earlier = clusters.slice(0, index);
    if (earlier.some((one) => one.name === given)) {
      const reason = 'is the name of an earlier one';
      tell([index, 'name'], { code: 'duplicate', value: given, reason, remedy: 'give each cluster its own' });
    } else if (kubeconfig === undefined && earlier.some((one) => one.kubeconfig === undefined)) {
      const reason = 'is missing: an earlier one is the cluster that the service runs on';
      tell([index, 'kubeconfig'], { code: 'required', reason, remedy: 'name the file by which this one is reached' });
    }
  }
}
