import { text } from '../schema/field';
import { type FieldPath, type Problem } from '../problem';
import { schemaProblems } from '../schema/schema-problems';
import type * as z from 'zod';

/** Image of a platform program; the tag or digest is required to identify what runs. */
export const image = (program: string): z.ZodString =>
  text({
    // A colon before a slash leads to the port of a registry.
    pattern: /^[a-z0-9][^\s]*[:@][^\s/]+$/,
    what: 'an image with its tag or digest',
    example: `registry.example.com/pinion/${program}:1.0.0`,
    max: 1024,
  });

/** Returns the problems of a program's image, with their path. */
export function imageProblems(value: unknown, path: FieldPath, program: string): Problem[] {
  const schema = image(program);
  const { error } = schema.safeParse(value, { reportInput: true });
  return error ? schemaProblems(schema, value, error.issues, path) : [];
}
