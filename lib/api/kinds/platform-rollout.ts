import * as z from 'zod';
import { label, listOf, objectName, sentence, text } from '../schema/field';
import { withRules } from '../schema/field-facts';
import { commonStatusFields, statusCount, statusTime } from '../fields/status-fields';
import { impactDigestField, rolloutPolicy } from '../fields/rollout-policy';
import { countColumn, dateColumn, textColumn } from '../crd/printer-columns';
import { type ValidationRule } from '../rules/validation-rule';
import { type KindDefinition, type KindSchemas } from './kind-definition';

/** Phases of a rollout. */
export const rolloutPhases = [
  'Pending',
  'Progressing',
  'Paused',
  'Failed',
  'Aborted',
  'RolledBack',
  'Completed',
] as const;

/** Phase of a rollout. */
export type RolloutPhase = (typeof rolloutPhases)[number];

const isFixed = (field: 'revision' | 'project' | 'policy' | 'rollbackOf' | 'returnTo'): ValidationRule => ({
  name: `rollout-${field.toLowerCase()}`,
  cel:
    field !== 'revision' && field !== 'policy'
      ? `has(self.${field}) == has(oldSelf.${field}) && (!has(self.${field}) || self.${field} == oldSelf.${field})`
      : `self.${field} == oldSelf.${field}`,
  fieldPath: [field],
  reason: 'is immutable',
  remedy: 'abort this rollout; the controller creates another one when the Platform changes',
});

/** Schema of `PlatformRollout.spec`: a revision, the policy at its start, and what members of the on-call group decide. */
export const platformRolloutSpec = () =>
  withRules(
    z.strictObject({
      revision: objectName('rev-0a1b2c3d4e').describe(
        'Revision of the Platform or the Project that workloads move to; of a rollback, the one that they leave.',
      ),
      project: label('shop')
        .optional()
        .describe('Project whose change it rolls out to its workloads. Defaults to a rollout of the Platform.'),
      rollbackOf: objectName('rollout-0a1b2c3d4e')
        .optional()
        .describe(
          'Rollout that it rolls back: workloads return to the revisions that they had before, or to `returnTo`.',
        ),
      returnTo: objectName('rev-0a1b2c3d4e')
        .optional()
        .describe(
          'Revision that workloads return to, because the Platform or the Project has it again. Defaults to the former one of each.',
        ),
      policy: rolloutPolicy().prefault({}).describe('Policy of the Platform when the rollout started.'),
      paused: z.boolean().default(false).describe('Whether to release no more workloads until it is false again.'),
      aborted: z.boolean().default(false).describe('Whether to release no more workloads for good.'),
      rollback: z
        .boolean()
        .default(false)
        .describe('Whether workloads that it moved return to their former revisions; it is then aborted, too.'),
      approvedImpact: impactDigestField()
        .optional()
        .describe(
          'Digest of the impact that is approved, as `pinion impact report` prints it; it counts if the policy requires an approval. Defaults to none.',
        ),
      emergency: z
        .strictObject({
          reason: sentence(1024).describe(
            'Reason, which is in the events of the rollout and visible to all who read it.',
          ),
          until: text({
            pattern: /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$/,
            what: 'a time in RFC 3339, in UTC',
            example: '2026-03-01T12:00:00Z',
            max: 20,
          }).describe('Time until which it counts; at most 24 hours ahead.'),
        })
        .optional()
        .describe(
          'Emergency: soak, freezes, the canary and a missing approval do not count; budgets and disruption budgets do. Defaults to none.',
        ),
    }),
    [
      isFixed('revision'),
      isFixed('project'),
      isFixed('policy'),
      isFixed('rollbackOf'),
      isFixed('returnTo'),
      {
        name: 'rollout-return',
        cel: '!has(self.returnTo) || has(self.rollbackOf)',
        fieldPath: ['returnTo'],
        reason: 'is set without rollbackOf',
        remedy: 'name the rollout that it rolls back in rollbackOf, or leave returnTo out',
      },
      {
        name: 'rollout-aborted',
        cel: '(!oldSelf.aborted || self.aborted) && (!oldSelf.rollback || self.rollback)',
        reason: 'has aborted or rollback, which are final',
        remedy: 'delete the rollout; the controller then creates another one for the revision of the Platform',
      },
    ],
  );

/** A wave in the status of a rollout. */
const waveStatus = () =>
  z.strictObject({
    name: z.string().max(63).describe('Name of the wave.'),
    phase: z.enum(['Pending', 'Progressing', 'Soaking', 'Completed']).describe('Phase of the wave.'),
    workloads: statusCount().describe('Number of its workloads.'),
    completed: statusCount().describe('Number of its workloads that are ready at the revision.'),
    started: statusTime().optional().describe('Time of its first release.'),
    soakStarted: statusTime().optional().describe('Time at which its soak began for the first time.'),
    changed: statusTime().optional().describe('Time since which all of its workloads are ready at the revision.'),
    ended: statusTime().optional().describe('Time of its completion.'),
  });

/** A workload that was released and is not ready at its revision yet. */
const transit = () =>
  z.strictObject({
    workload: z.string().max(400).describe('Workload, as kind/project/name.'),
    uid: z.string().max(64).describe('UID of the workload.'),
    revision: z.string().max(253).describe('Revision that it moves to.'),
    wave: z.string().max(63).describe('Its wave.'),
    since: statusTime().describe('Time of its release.'),
  });

/** A workload and why a rollout counts it. */
const finding = () =>
  z.strictObject({
    workload: z.string().max(400).describe('Workload, as kind/project/name.'),
    message: z.string().max(1024).describe('Its state.'),
  });

/** PlatformRollout: Moves the workloads of a cluster to a revision in waves; created by the controller. */
export const platformRolloutKind = {
  plural: 'platformrollouts',
  singular: 'platformrollout',
  shortNames: ['plroll'],
  scope: 'Cluster',
  summary: 'Moves the workloads of a cluster to a revision in waves; created by the controller.',
  columns: [
    textColumn('Phase', '.status.phase'),
    textColumn('Wave', '.status.wave'),
    countColumn('Workloads', '.status.workloads'),
    countColumn('Completed', '.status.completed'),
    textColumn('Revision', '.spec.revision'),
    textColumn('Project', '.spec.project'),
    { ...textColumn('Message', '.status.message'), priority: 1 },
    dateColumn('Age', '.metadata.creationTimestamp'),
  ],
  spec: platformRolloutSpec,
  status: () =>
    z.strictObject({
      ...commonStatusFields(),
      reason: z.string().max(128).optional().describe('Why it is in this phase, in CamelCase.'),
      message: z.string().max(4096).optional().describe('Why it is in this phase, and the next step.'),
      started: statusTime().optional().describe('Time of its start.'),
      ended: statusTime().optional().describe('Time of its end.'),
      impact: z
        .string()
        .max(71)
        .optional()
        .describe('Digest of its impact, if the policy requires an approval; it is final once a wave has started.'),
      wave: z.string().max(63).optional().describe('Current wave.'),
      waves: listOf(waveStatus(), 32).optional().describe('Waves in their order.'),
      workloads: statusCount().optional().describe('Number of workloads that the revision changes.'),
      completed: statusCount().optional().describe('Number of them that are ready at the revision.'),
      transit: listOf(transit(), 128).optional().describe('Workloads that were released and are not ready yet.'),
      unready: listOf(z.string().max(64), 2000)
        .optional()
        .describe('UIDs of workloads that were not ready at the start; they follow last and stop nothing.'),
      failed: listOf(finding(), 32).optional().describe('Workloads that failed after their release.'),
      blocked: listOf(finding(), 32).optional().describe('Workloads that cannot be expanded at the revision.'),
    }),
} as const satisfies KindDefinition & KindSchemas;
