import { createHash } from 'node:crypto';
import { type KubernetesObject } from '@pinion-platform/pinion';

interface Templated {
  readonly template?: unknown;
  readonly jobTemplate?: { readonly spec: { readonly template: unknown } };
}

/** Returns the hash of each pod template by kind and name; equal for equal content, because key order does not restart pods. */
export function podTemplateHashes(objects: readonly KubernetesObject[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    objects.flatMap((object) => {
      const spec = (object as { spec?: Templated }).spec;
      const template = spec?.jobTemplate?.spec.template ?? spec?.template;
      if (template === undefined) return [];
      const digest = createHash('sha256').update(JSON.stringify(template, sorted)).digest('hex');
      return [[`${object.kind}/${object.metadata.name}`, digest.slice(0, 16)]];
    }),
  );
}

const sorted = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
