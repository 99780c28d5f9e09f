import * as z from 'zod';
import { autoscaling } from './autoscaling';
import { resources, variables } from './workload-fields';
import { variantRules } from '../rules/variant-rules';
import { integer, label, labelValue, listOf, text } from '../schema/field';
import { withRules } from '../schema/field-facts';

/** Maximum number of variants of a workload. */
export const maxVariants = 8;

/** Returns the schema of a variant: what it overrides of the template, and its own number of pods. */
export const variant = () =>
  withRules(
    z.strictObject({
      name: label('v2').describe('Name of the variant, appended to the name of its Deployment.'),
      image: text({
        pattern: /^\S+$/,
        what: 'an image without spaces',
        example: 'registry.example.com/cart:1.4.2',
        max: 1024,
      })
        .optional()
        .describe("Image of the first container. Defaults to the template's."),
      version: labelValue()
        .optional()
        .describe(
          'Version of the build. Defaults to the tag of its image, or to that of the workload without an image.',
        ),
      replicas: integer(0, 10000).optional().describe('Number of pods. Defaults to 1 without autoscaling.'),
      autoscaling: autoscaling().optional().describe('Autoscaling of the number of pods, instead of replicas.'),
      env: variables()
        .optional()
        .describe("Environment variables of every container of the app; they win over the template's."),
      args: listOf(z.string().max(4096), 128)
        .optional()
        .describe("Arguments of the first container. Defaults to the template's."),
      resources: resources().optional().describe("CPU and memory of the first container. Defaults to the template's."),
      pool: label('highmem').optional().describe('Node pool. Defaults to that of the placement.'),
    }),
    variantRules,
  );
