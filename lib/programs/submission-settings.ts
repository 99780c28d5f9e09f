import * as z from 'zod';
import { isPlainObject, schemaProblems, type Problem } from '../api';
import { examineIdentity, type IdentitySettings } from './identity-settings';

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

/** What the service is told; identity apart, which has rules of its own. */
export const submissionSchema = z.strictObject({
  store: place().describe('The artifact store.'),
  witness: place()
    .optional()
    .describe('Where it remembers signatures by tokens that it verified; nobody else may write there.'),
  clusters: z
    .array(
      z.strictObject({
        name: name().describe('Name of the cluster, as stages of workflows call it.'),
        kubeconfig: file()
          .optional()
          .describe('How it is reached; the cluster that the service runs on where left out.'),
      }),
    )
    .min(1)
    .max(64)
    .describe('Clusters that it deploys to.'),
  identity: z.unknown().describe('Who is known to it, and how.'),
  port: port().default(8080).describe('Port of the service.'),
  statusPort: port().default(8081).describe('Port of /livez, /readyz and /metrics.'),
  host: z.string().max(253).default('0.0.0.0').describe('Address that it binds.'),
  origin: z
    .string()
    .regex(/^https?:\/\/[^\s/]+$/, 'is no origin|write one, such as https://deploy.example.com')
    .optional()
    .describe('Origin of the page as browsers see it.'),
  tlsInFront: z.boolean().default(false).describe('Whether whoever stands in front of it speaks TLS.'),
  trustedProxies: z
    .array(z.string().max(64))
    .max(32)
    .default([])
    .describe('Proxies whose X-Forwarded-For is believed.'),
  limits: z.record(z.string(), z.unknown()).default({}).describe('Other limits of the entrance than the usual ones.'),
  quotaNamespace: name()
    .optional()
    .describe('Where the watcher of quotas keeps histories; no forecasts where left out.'),
  breakGlassWebhook: z
    .string()
    .regex(/^https?:\/\/\S+$/, 'is no URL|write one of http or https')
    .optional()
    .describe('Who is told when somebody goes past the publishers of a protected stage.'),
});

/** What the service is told, as a person writes it. */
export type SubmissionInput = z.input<typeof submissionSchema>;
/** What the service is told, complete. */
export type SubmissionSettings = z.output<typeof submissionSchema>;

/** What the service is told and who is known to it, where nothing is wrong; and all problems. */
export interface ExaminedSubmission {
  readonly settings?: SubmissionSettings;
  readonly identity?: IdentitySettings;
  readonly problems: readonly Problem[];
}

/** Reads what the service is told, identity included, or says all that is wrong with it; never throws for what it holds. */
export function examineSubmission(input: unknown): ExaminedSubmission {
  const parsed = submissionSchema.safeParse(input, { reportInput: true });
  const own = parsed.success ? [] : schemaProblems(submissionSchema, input, parsed.error.issues, []);
  const given = isPlainObject(input) ? input['identity'] : undefined;
  const { settings: identity, problems: strange } = examineIdentity(given ?? {});
  const problems = [...own, ...strange.map((one) => ({ ...one, path: ['identity', ...one.path] }))];
  return parsed.success && identity ? { settings: parsed.data, identity, problems } : { problems };
}
