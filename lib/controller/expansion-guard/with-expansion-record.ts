import { metadataKeys } from '../../api';
import { expansionAnnotation, hookOf, podTemplateSpecOf, type ExpansionHashes } from '../../expand';
import { type PlanStep } from '../plan/plan-step';

/**
 * Adds the record of an expansion to an object with pods that is applied; without a new one, it keeps that which it has. Its hash does
 * not cover the record, so that a new record alone does not apply it.
 */
export function withExpansionRecord(step: PlanStep, hashes: ExpansionHashes | undefined): PlanStep {
  if (step.do !== 'apply' || hookOf(step.object) !== undefined || !podTemplateSpecOf(step.object)) return step;
  const record = hashes ? expansionAnnotation(hashes) : step.current?.expansion;
  if (record === undefined) return step;
  const { metadata } = step.object;
  const annotations = { ...metadata.annotations, [metadataKeys.expansion]: record };
  return { ...step, object: { ...step.object, metadata: { ...metadata, annotations } } };
}
