import { compareQuantities, isPlainObject, parseQuantity, type Quantity } from '../../api';
import { type KubernetesObject } from '../../expand';
import { type LiveObject } from '../../client';
import { type Child, type Observed } from '../observed/child';
import { specOf } from './spec-of';

type Fields = Readonly<Record<string, unknown>>;

/** A claim template of a StatefulSet. */
export interface ClaimTemplate {
  readonly metadata: { readonly name: string; readonly labels?: unknown; readonly annotations?: unknown };
  readonly spec: Fields;
}

const fieldsIn = (value: unknown, key: string): Fields => {
  const nested = isPlainObject(value) ? value[key] : undefined;
  return isPlainObject(nested) ? nested : {};
};

/** Returns the claim templates of a StatefulSet. */
export const claimTemplatesOf = (set: KubernetesObject | LiveObject): readonly ClaimTemplate[] =>
  (specOf(set)['volumeClaimTemplates'] ?? []) as readonly ClaimTemplate[];

/** Returns the storage request of a claim or claim template. */
function storageOf(claim: object): Quantity | undefined {
  const storage = fieldsIn(fieldsIn(specOf(claim), 'resources'), 'requests')['storage'];
  return typeof storage === 'string' || typeof storage === 'number' ? parseQuantity(storage) : undefined;
}

/** Compares the storage requests of two claims. */
export function compareStorage(one: object, other: object): -1 | 0 | 1 {
  const [a, b] = [storageOf(one), storageOf(other)];
  return a && b ? compareQuantities(a, b) : 0;
}

/** Returns the claims of a set for one template: `<template>-<set>-<number>`, including those of deleted members. */
export function claimsOfTemplate(
  template: string,
  set: Child | KubernetesObject,
  sets: readonly object[],
  observed: Observed,
): Child[] {
  const name = 'metadata' in set ? set.metadata.name : set.name;
  const endOrdinal = Math.max(...sets.map(endOrdinalOf));
  const claims: Child[] = [];
  for (let index = 0; ; index++) {
    const claim = observed.child('PersistentVolumeClaim', `${template}-${name}-${index}`);
    if (claim) claims.push(claim);
    else if (index >= endOrdinal) return claims;
  }
}

/** Returns the ordinal after the last member. */
function endOrdinalOf(set: object): number {
  const spec = specOf(set);
  return Number(fieldsIn(spec, 'ordinals')['start'] ?? 0) + Number(spec['replicas'] ?? 1);
}

/** Changes of claim templates. */
export interface TemplateChanges {
  /** Templates with a larger size and no other change. */
  readonly grown: readonly ClaimTemplate[];
  /** Names of templates whose claims cannot be kept: smaller, of another class or kind, or removed. */
  readonly lost: readonly string[];
  /** Whether both sides have the same names. */
  readonly sameNames: boolean;
  /** Whether nothing changed. */
  readonly unchanged: boolean;
}

/** Compares desired claim templates with live ones. */
export function templateChanges(desired: readonly ClaimTemplate[], live: readonly ClaimTemplate[]): TemplateChanges {
  const before = new Map(live.map((template) => [template.metadata.name, template]));
  const desiredNames = new Set(desired.map(({ metadata }) => metadata.name));
  const removed = [...before.keys()].filter((name) => !desiredNames.has(name));
  const grown: ClaimTemplate[] = [];
  const lost: string[] = [];
  let unchanged = removed.length === 0 && before.size === desiredNames.size;
  for (const template of desired) {
    const liveTemplate = before.get(template.metadata.name);
    if (liveTemplate === undefined) unchanged = false;
    else {
      const size = compareStorage(template, liveTemplate);
      if (volumeSpecOf(template) !== volumeSpecOf(liveTemplate) || size < 0) lost.push(template.metadata.name);
      else if (size > 0) grown.push(template);
      if (size !== 0 || metadataOf(template) !== metadataOf(liveTemplate)) unchanged = false;
    }
  }
  lost.push(...removed);
  return {
    grown,
    lost,
    sameNames: removed.length === 0 && before.size === desiredNames.size,
    unchanged: unchanged && lost.length === 0,
  };
}

/** Returns the spec of a claim template without its size, as canonical JSON. */
function volumeSpecOf({ spec }: ClaimTemplate): string {
  const { resources: _, volumeMode = 'Filesystem', ...rest } = spec;
  return canonicalJson({ ...rest, volumeMode });
}

const metadataOf = ({ metadata }: ClaimTemplate): string =>
  canonicalJson({ labels: metadata.labels ?? {}, annotations: metadata.annotations ?? {} });

const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    isPlainObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
  );
