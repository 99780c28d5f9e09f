import * as z from 'zod';
import { isPlainObject, schemaProblems, textForm, type Problem } from '../api';
import { limitsSchema } from './server-limits';
import { safeParseIdentitySettings, type IdentitySettings } from './identity-settings';
import { isWithinLocation } from './is-within-location';
import { containsSecret, isWebhook } from './secure-url';

const name = () =>
  z
    .string()
    .max(63)
    .check(
      textForm(
        /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/,
        'must be a lower-case DNS label',
        'use letters, digits and dashes, such as prod-1',
      ),
    );
const file = () =>
  z.string().check(textForm(/^\/\S+$/, 'must be an absolute path', 'use a path such as /etc/pinion/clusters/prod-2'));
const storeLocation = () =>
  z
    .string()
    .check(
      textForm(
        /^(s3:\/\/[^/\s]+(\/\S*)?|\/\S+)$/,
        'must be a store location',
        'use s3://BUCKET/PREFIX or an absolute path',
      ),
    );
const port = () => z.int().min(0).max(65_535);

/** Returns problem parameters without the value, which could contain a secret. */
const redacted = (reason: string, remedy: string) => ({
  params: { problem: { code: 'bad-format', reason, remedy } satisfies Omit<Problem, 'path'> },
});

/** Trusted proxies, in the notation of the HTTP server. */
const proxy = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6(), z.enum(['loopback', 'linklocal', 'uniquelocal'])]);

/** Schema of the service's settings; `identity` has its own parser. */
export const submissionSchema = z.strictObject({
  artifactStore: storeLocation().describe('Location of the artifact store.'),
  verificationStore: storeLocation()
    .optional()
    .describe('Location for records of verified signatures; only the service may write there.'),
  clusters: z
    .array(
      z.strictObject({
        name: name().describe('Name of the cluster in workflows, as in its Platform.'),
        kubeconfig: file().optional().describe('Kubeconfig file. Defaults to the cluster that the service runs on.'),
      }),
    )
    .min(1)
    .max(64)
    .superRefine(duplicateClusters)
    .describe('Target clusters.'),
  identity: z.unknown().describe('Authentication of callers.'),
  port: port().default(8080).describe('Port of the service.'),
  statusPort: port().default(8081).describe('Port of /livez, /readyz and /metrics.'),
  host: z.string().max(253).default('0.0.0.0').describe('Listen address.'),
  origin: z
    .string()
    .check(textForm(/^https?:\/\/[^\s/]+$/, 'must be an origin', 'use an origin such as https://deploy.example.com'))
    .optional()
    .describe('Public origin of the page.'),
  behindTlsProxy: z.boolean().default(false).describe('Whether a proxy terminates TLS.'),
  trustedProxies: z
    .array(
      z
        .string()
        .max(64)
        .refine(
          (text) => proxy.safeParse(text).success,
          redacted(
            'must be an address or a range',
            'use addresses and ranges such as 10.0.0.0/8, or loopback, linklocal, uniquelocal',
          ),
        ),
    )
    .max(32)
    .default([])
    .describe('Proxies whose X-Forwarded-For header is trusted.'),
  limits: limitsSchema.prefault({}).describe('Limits of the HTTP server; see below.'),
  quotaNamespace: name()
    .optional()
    .describe('Namespace of the quota monitor, and of the history of clients. Defaults to none, without forecasts.'),
  breakGlassWebhook: z
    .string()
    .refine(
      (text) => containsSecret(text) || isWebhook(text),
      redacted('must be an http or https URL', 'use a URL such as https://hooks.example.com/pinion'),
    )
    .refine(
      (text) => !containsSecret(text),
      redacted(
        'contains a secret, which is visible to everyone with access to the ConfigMap',
        'store the URL in a Secret and set breakGlassWebhookFile to its file',
      ),
    )
    .optional()
    .describe('URL to notify of break-glass deployments.'),
  breakGlassWebhookFile: file().optional().describe('File with that URL, if it contains a secret.'),
  deploymentKeyFile: file()
    .optional()
    .describe(
      'File with the private key (PEM) that authorizes workloads of protected stages. Defaults to none; deployments to protected stages are then rejected.',
    ),
});

/** Settings of the service as users write them. */
export type SubmissionInput = z.input<typeof submissionSchema>;
/** Settings of the service with defaults; `identity` is parsed separately. */
export type SubmissionSettings = z.output<typeof submissionSchema>;

/** Parsed settings, if valid, and all problems. */
export interface SubmissionSettingsResult {
  readonly settings?: SubmissionSettings;
  readonly identity?: IdentitySettings;
  readonly problems: readonly Problem[];
}

/** Parses the settings of the service with its identity settings; reports all problems and never throws. */
export function safeParseSubmissionSettings(input: unknown): SubmissionSettingsResult {
  const parsed = submissionSchema.safeParse(input, { reportInput: true });
  const schemaIssues = parsed.success ? [] : schemaProblems(submissionSchema, input, parsed.error.issues, []);
  const identityInput = isPlainObject(input) ? input['identity'] : undefined;
  const { settings: identity, problems: identityProblems } = safeParseIdentitySettings(identityInput ?? {});
  const problems = [
    ...schemaIssues,
    ...(parsed.success ? consistencyProblems(parsed.data) : []),
    ...identityProblems.map((problem) => ({ ...problem, path: ['identity', ...problem.path] })),
  ];
  return parsed.success && identity ? { settings: parsed.data, identity, problems } : { problems };
}

function consistencyProblems({
  breakGlassWebhook,
  breakGlassWebhookFile,
  artifactStore,
  verificationStore,
}: SubmissionSettings): Problem[] {
  const problems: Problem[] = [];
  if (breakGlassWebhook !== undefined && breakGlassWebhookFile !== undefined) {
    const [path, reason] = [['breakGlassWebhookFile'], 'is set together with breakGlassWebhook'];
    problems.push({ code: 'invalid-combination', path, reason, remedy: 'set one of the two' });
  }
  if (verificationStore !== undefined && isWithinLocation(verificationStore, artifactStore)) {
    const reason = 'is in the artifact store, where publishers could forge verification records';
    const remedy = 'use a separate location that only the service may write to';
    problems.push({
      code: 'invalid-combination',
      path: ['verificationStore'],
      value: verificationStore,
      reason,
      remedy,
    });
  }
  return problems;
}

/** Reports clusters with the name or the connection of an earlier one. */
function duplicateClusters(
  clusters: readonly { readonly name: string; readonly kubeconfig?: string | undefined }[],
  context: z.RefinementCtx,
): void {
  const report = (path: (string | number)[], problem: Omit<Problem, 'path'>): void =>
    context.addIssue({ code: 'custom', path, params: { problem } });
  for (const [index, { name: clusterName, kubeconfig }] of clusters.entries()) {
    const earlier = clusters.slice(0, index);
    if (earlier.some((cluster) => cluster.name === clusterName)) {
      const reason = 'is the name of an earlier cluster';
      report([index, 'name'], { code: 'duplicate', value: clusterName, reason, remedy: 'use a unique name' });
    } else if (kubeconfig === undefined && earlier.some((cluster) => cluster.kubeconfig === undefined)) {
      const reason = 'is missing, but an earlier cluster already defaults to the one that the service runs on';
      report([index, 'kubeconfig'], { code: 'required', reason, remedy: 'set the kubeconfig file of this cluster' });
    }
  }
}
