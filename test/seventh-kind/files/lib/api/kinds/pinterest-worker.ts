import * as z from 'zod';
import { lastWorkloadColumns, readyColumn, replicaColumns } from '../crd/printer-columns';
import { continuousPodFields } from '../fields/platform-pod-fields';
import { replicatedStatusFields } from '../fields/status-fields';
import { workloadFields } from '../fields/workload-fields';
import { workloadRulesOf } from '../rules/workload-rules';
import { integer } from '../schema/field';
import { withRules } from '../schema/field-facts';
import { onePodTemplate, type KindSchemas, type WorkloadKindDefinition } from './kind-definition';

/** Schema of `PinterestWorker.spec`. */
export const workerSpec = () =>
  withRules(
    z.strictObject({
      replicas: integer(0, 10000).default(1).describe('Number of pods. Defaults to 1.'),
      ...workloadFields(continuousPodFields),
    }),
    workloadRulesOf(),
  );

/** PinterestWorker: Pods that take work from a queue; no client reaches them. */
export const pinterestWorkerKind = {
  plural: 'pinterestworkers',
  singular: 'pinterestworker',
  shortNames: ['pwk'],
  scope: 'Namespaced',
  summary: 'Pods that take work from a queue; no client reaches them.',
  traits: { lifecycle: 'Continuous', scales: true, serves: false, hasMembers: false, perNode: false },
  podTemplates: onePodTemplate,
  podFields: continuousPodFields,
  columns: [readyColumn, ...replicaColumns, ...lastWorkloadColumns],
  spec: workerSpec,
  status: () => z.strictObject(replicatedStatusFields()),
} as const satisfies WorkloadKindDefinition & KindSchemas;
