import * as z from 'zod';
import { readCanonicalJson } from './canonical-json';

/** Change of a workload that bypasses its proof in an emergency. */
export interface BreakGlassWrite {
  /** User name of who made it. */
  readonly user: string;
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly expires: number;
}

const schema = z.strictObject({
  user: z.string().min(1),
  reason: z.string().refine((reason) => /^.{10,500}$/su.test(reason)),
  expires: z.iso.datetime({ offset: true }),
});

/** Decodes the text of a break-glass annotation; undefined if it is malformed or empty. Admission has checked who wrote it. */
export function readBreakGlassWrite(text: string): BreakGlassWrite | undefined {
  const { data } = schema.safeParse(readCanonicalJson(Buffer.from(text)));
  return data && { ...data, expires: Date.parse(data.expires) };
}
