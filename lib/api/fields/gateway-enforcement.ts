import * as z from 'zod';
import { ownProgramProjects } from '../names';
import { label, listOf, text } from '../schema/field';

/** Audiences that API servers accept by default. */
const defaultAudiences = ['https://kubernetes.default.svc.cluster.local', 'https://kubernetes.default.svc'];

/** Returns the fields of `Platform.spec.gateway` about which clients must use it. */
export const gatewayEnforcement = () => ({
  stage: z
    .enum(['Off', 'Observe', 'Enforce'])
    .default('Off')
    .describe(
      'What happens to clients of the API server: nothing (Off), new pods are led to the gateway and direct access is reported (Observe), direct access is refused (Enforce).',
    ),
  force: z.boolean().default(false).describe('Whether to enforce although pods still have a token for the API server.'),
  directProjects: listOf(label('ci'), 64)
    .default(ownProgramProjects)
    .describe('Projects whose pods may have a token for the API server, besides infrastructure projects.'),
  audiences: listOf(
    text({ pattern: /^\S+$/, what: 'an audience', example: 'https://kubernetes.default.svc', max: 256 }),
    8,
    1,
  )
    .default(defaultAudiences)
    .describe('Audiences of tokens that the API server accepts, as in its flag --api-audiences.'),
});
