import { metadataKeys } from '../../api';
import { hookOf, podTemplateSpecOf } from '../../expand';
import { type Child } from '../observed/child';
import { type PlanStep } from '../plan/plan-step';

/** Hashes of the inputs of an expansion and of its pod templates. */
interface ExpansionHashes {
  readonly inputs: string;
  readonly podTemplates: string;
}

const separator = '/';

/**
 * Adds the record of an expansion to an object with pods that is applied. Its hash does not cover the record, so that a new record
 * alone does not apply it.
 */
export function withExpansionRecord(step: PlanStep, { inputs, podTemplates }: ExpansionHashes): PlanStep {
  if (step.do !== 'apply' || hookOf(step.object) !== undefined || !podTemplateSpecOf(step.object)) return step;
  const { metadata } = step.object;
  const annotations = { ...metadata.annotations, [metadataKeys.expansion]: `${inputs}${separator}${podTemplates}` };
  return { ...step, object: { ...step.object, metadata: { ...metadata, annotations } } };
}

/** Returns the records on the objects of a workload, which older writes may have left different. */
export const recordsOnObjects = (owned: readonly Pick<Child, 'expansion'>[]): readonly ExpansionHashes[] =>
  owned.flatMap(({ expansion = '' }) => {
    const [inputs, podTemplates] = expansion.split(separator);
    return inputs && podTemplates ? [{ inputs, podTemplates }] : [];
  });
