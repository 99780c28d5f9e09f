import * as z from 'zod';
import { duration, integer, keyedList, label } from '../schema/field';
import { withRules } from '../schema/field-facts';
import { hookRules } from '../rules/hook-rules';
import { resources, variables } from './workload-fields';

/** Maximum number of hooks of a workload. */
const maxHooks = 4;

const argumentsOf = () => z.array(z.string().max(8192)).max(64);

/** Returns the schema of a hook: a container that must succeed before pods change. */
const hook = () =>
  withRules(
    z.strictObject({
      name: label('migrate').max(30).describe('Name of the hook and of its container.'),
      image: z
        .string()
        .min(1)
        .max(1024)
        .optional()
        .describe('Image of its container. Defaults to that of the first container of the template.'),
      command: argumentsOf().optional().describe('Command, instead of the entrypoint of the image.'),
      args: argumentsOf().optional().describe('Arguments of the command.'),
      env: variables(50)
        .optional()
        .describe('Environment variables, besides those of the first container of the template; these win.'),
      resources: resources()
        .optional()
        .describe('CPU and memory. Defaults to those of the first container of the template.'),
      retries: integer(0, 10).default(0).describe('Number of times that a failed pod is replaced.'),
      deadline: duration().default('30m').describe('Maximum duration, with retries, after which the hook fails.'),
    }),
    hookRules,
  );

/** Returns the schema of `beforeDeployment`. */
export const beforeDeployment = () => keyedList(hook(), ['name'], maxHooks);

/** Description of `beforeDeployment`. */
export const beforeDeploymentText =
  'Hooks, such as a migration: containers that run one after another, once for each deployed spec, before its pods start; if one fails, the pods stay as they are.';

/** Hook before a deployment, with defaults. */
export type DeploymentHook = z.output<ReturnType<typeof hook>>;

/** Returns the hooks of a workload in the order in which they run. */
export const hooksOf = ({ spec }: { readonly spec: object }): readonly DeploymentHook[] =>
  (spec as { readonly beforeDeployment?: readonly DeploymentHook[] }).beforeDeployment ?? [];
