import * as z from 'zod';
import { objectName, text } from '../schema/field';
import { patchableKinds } from './patchable-fields';
import { withFacts, withRules } from '../schema/field-facts';

const anything = () =>
  withFacts(z.unknown(), { crd: () => ({ 'x-kubernetes-preserve-unknown-fields': true }), typeName: 'any' });

/** Returns the schema of a patch of generated objects: JSON Patch operations or a JSON merge patch. */
export const patch = () =>
  withRules(
    z.strictObject({
      kind: z.enum(patchableKinds).describe('Kind of the objects to patch.'),
      name: objectName().optional().describe('Name of the object. Defaults to all objects of the kind.'),
      merge: withFacts(z.record(z.string(), z.unknown()), {
        crd: () => ({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }),
        typeName: 'object',
      })
        .optional()
        .describe('JSON merge patch (RFC 7386): null removes a field, lists are replaced.'),
      operations: z
        .array(
          z.strictObject({
            op: z.enum(['add', 'remove', 'replace', 'test']).describe('Operation at the path.'),
            path: text({
              pattern: /^(\/[^/]*)+$/,
              what: 'a JSON pointer',
              example: '/spec/replicas',
              max: 1024,
            }).describe('JSON Pointer of the field.'),
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
        reason: 'must set exactly one of merge and operations',
        remedy: 'set only one of them',
        code: 'invalid-combination',
      },
    ],
  );
