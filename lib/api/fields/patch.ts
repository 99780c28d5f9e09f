import * as z from 'zod';
import { objectName, text } from '../schema/field';
import { withFacts, withRules } from '../schema/field-facts';

const anything = () =>
  withFacts(z.unknown(), { crd: () => ({ 'x-kubernetes-preserve-unknown-fields': true }), typeName: 'any' });

/** A change to one kind of finished object: a list of JSON Patch operations or a JSON merge patch. */
export const patch = () =>
  withRules(
    z.strictObject({
      kind: text({ pattern: /^[A-Z][A-Za-z]*$/, what: 'a kind', example: 'Deployment', max: 63 }).describe(
        'Kind of the objects to change.',
      ),
      name: objectName().optional().describe('Name of the object; all of the kind where left out.'),
      merge: withFacts(z.record(z.string(), z.unknown()), {
        crd: () => ({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }),
        typeName: 'object',
      })
        .optional()
        .describe('JSON merge patch (RFC 7386): null removes, lists are replaced.'),
      operations: z
        .array(
          z.strictObject({
            op: z.enum(['add', 'remove', 'replace', 'test']).describe('What to do at the path.'),
            path: text({
              pattern: /^(\/[^/]*)+$/,
              what: 'a JSON pointer',
              example: '/spec/replicas',
              max: 1024,
            }).describe('JSON pointer into the object.'),
            value: anything().optional().describe('New or expected value.'),
          }),
        )
        .min(1)
        .max(64)
        .optional()
        .describe('JSON Patch (RFC 6902).'),
    }),
    [
      {
        name: 'patch-form',
        cel: 'has(self.merge) != has(self.operations)',
        reason: 'has both merge and operations, or neither',
        remedy: 'give one of the two',
        code: 'invalid-combination',
      },
    ],
  );
