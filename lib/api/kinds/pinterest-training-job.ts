import * as z from 'zod';
import { claimRules, claimTemplate } from '../fields/claim-template';
import {
  absolutePath,
  duration,
  label,
  listOf,
  mapOf,
  objectName,
  port,
  quantity,
  text,
  integer,
} from '../schema/field';
import { withRules } from '../schema/field-facts';
import { runPodFields } from '../fields/platform-pod-fields';
import { podTemplate } from '../fields/pod-template';
import { completionFields } from '../fields/completion-fields';
import { placement, workloadFields } from '../fields/workload-fields';
import { failurePolicyRules } from '../rules/completion-rules';
import { workloadRulesOf } from '../rules/workload-rules';
import { trainingRules } from '../rules/training-rules';
import { countColumn, lastWorkloadColumns, readyColumn, textColumn } from '../crd/printer-columns';
import { runStatusFields, tallyFields, statusCount } from '../fields/status-fields';
import { type LocatedPodTemplate, type WorkloadKindDefinition, type KindSchemas } from './kind-definition';

/** Roles of each framework, the leader first. */
export const trainingRoles = {
  tensorflow: ['chief', 'worker', 'ps', 'evaluator'],
  pytorch: ['master', 'worker'],
  jax: ['worker'],
} as const;

/** Members of one role. */
const role = () =>
  z.strictObject({
    replicas: integer(1, 10000).default(1).describe('Number of members.'),
    restartPolicy: z
      .enum(['Always', 'OnFailure', 'Never', 'ExitCode'])
      .default('OnFailure')
      .describe(
        'Restart policy of failed members: Always, without limit; OnFailure, up to `retries` times; Never; ExitCode, like OnFailure for exit codes of 128 or more of the first container, while lower codes fail the job.',
      ),
    template: podTemplate(runPodFields).optional().describe('Pod template. Defaults to that of the job.'),
  });

/** Schema of `PinterestTrainingJob.spec`: distributed training with TensorFlow, PyTorch or JAX. */
export const trainingJobSpec = () =>
  withRules(
    z.strictObject({
      framework: z
        .enum(['tensorflow', 'pytorch', 'jax'])
        .describe('Training framework; the platform configures its rendezvous.'),
      roles: mapOf(
        text({
          pattern: /^(chief|master|ps|worker|evaluator)$/,
          what: 'a role (chief, worker, ps, evaluator for tensorflow; worker, "master" for pytorch; worker for jax)',
          example: 'worker',
          max: 16,
        }),
        role(),
        5,
      ).describe('Members by role.'),
      port: port().default(23456).describe('Port of the rendezvous.'),
      processesPerNode: integer(1, 64)
        .optional()
        .describe('Processes per member, started by torchrun if more than one. Defaults to one per accelerator.'),
      elastic: withRules(
        z.strictObject({
          minReplicas: integer(1, 10000).describe('Minimum number of members.'),
          maxReplicas: integer(1, 10000).describe('Maximum number of members.'),
          maxRestarts: integer(0, 1000).default(3).describe('Maximum number of worker group restarts.'),
        }),
        [
          {
            name: 'elastic-range',
            cel: 'self.minReplicas <= self.maxReplicas',
            fieldPath: ['maxReplicas'],
            reason: 'is less than minReplicas',
            remedy: 'set maxReplicas to at least minReplicas',
            code: 'invalid-combination',
          },
        ],
      )
        .optional()
        .describe('Range of the number of members for elastic training; PyTorch only.'),
      successPolicy: z
        .enum(['Leader', 'AllWorkers'])
        .default('Leader')
        .describe(
          'When the job succeeds: Leader, when the chief or master role succeeds, or worker 0 if the job has neither; AllWorkers, when all members that are expected to complete succeed.',
        ),
      cleanPodPolicy: z
        .enum(['All', 'Running', 'None'])
        .default('Running')
        .describe('Pods to delete after success: All, Running or None.'),
      gang: z
        .strictObject({
          minAvailable: integer(1, 100000)
            .optional()
            .describe('Minimum number of members that must be schedulable before any starts. Defaults to all members.'),
          timeout: duration()
            .default('10m')
            .describe('Maximum time that members wait for the others before the attempt is abandoned.'),
        })
        .optional()
        .describe(
          'Gang scheduling: all members start together or none; needs the controller if the scheduler does not support gangs.',
        ),
      checkpoint: withRules(
        z.strictObject({
          claim: checkpointClaim().optional().describe('Volume claim to create, shared by all members.'),
          claimName: objectName('checkpoints').optional().describe('Name of an existing volume claim.'),
          mountPath: absolutePath('/checkpoints')
            .default('/checkpoints')
            .describe('Mount path in the containers, also set as CHECKPOINT_DIR.'),
        }),
        [
          {
            name: 'checkpoint-volume',
            cel: 'has(self.claim) != has(self.claimName)',
            reason: 'must set exactly one of claim and claimName',
            remedy: 'set claim or claimName',
            code: 'invalid-combination',
          },
        ],
      )
        .optional()
        .describe('Volume for checkpoints.'),
      sharedMemory: quantity()
        .optional()
        .describe('Size of /dev/shm for data loaders; its contents count towards the memory limit.'),
      accelerators: z
        .strictObject({
          resource: text({
            pattern: /^[a-z0-9.-]+\/[a-z0-9.-]+$/,
            what: 'an extended resource',
            example: 'nvidia.com/gpu',
            max: 253,
          })
            .default('nvidia.com/gpu')
            .describe('Name of the extended resource.'),
          count: integer(1, 64).describe('Number of accelerators per member.'),
          roles: z
            .array(label('worker'))
            .min(1)
            .max(5)
            .optional()
            .describe('Roles with accelerators. Defaults to all except ps and evaluator.'),
        })
        .optional()
        .describe('Accelerators of the first container.'),
      suspend: z.boolean().default(false).describe('Whether to suspend it; running pods are terminated.'),
      ...completion(),
      ...workloadFields(runPodFields),
      placement: trainingPlacement().prefault({}).describe('Scheduling of the pods.'),
      template: podTemplate(runPodFields).optional().describe('Pod template of roles without their own.'),
    }),
    [...trainingRules, ...failurePolicyRules, ...workloadRulesOf(['checkpoint'])],
  );

const checkpointClaim = () =>
  withRules(
    claimTemplate()
      .omit({ name: true, mountPath: true, accessModes: true })
      .extend({
        accessModes: listOf(z.enum(['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod']), 4, 1)
          .optional()
          .describe('Access mode of the volume. Defaults to ReadWriteMany for multiple members.'),
      }),
    claimRules,
  );

/** Lists the template of the job, then those of roles, the leader first. */
function podTemplates({
  framework,
  roles,
  template,
}: z.output<ReturnType<typeof trainingJobSpec>>): readonly LocatedPodTemplate[] {
  const ofRoles = trainingRoles[framework].flatMap((name) => {
    const own = roles[name]?.template;
    return own ? [{ template: own, path: ['spec', 'roles', name, 'template'] }] : [];
  });
  return [...(template ? [{ template, path: ['spec', 'template'] }] : []), ...ofRoles];
}

/** No podReplacementPolicy: replacing a terminating pod would need two pods with the same name. */
function completion() {
  const { podReplacementPolicy: _, ...rest } = completionFields();
  return rest;
}

/** Topology spread, off by default because members exchange gradients all the time. */
function trainingPlacement() {
  const rule = () => z.enum(['Required', 'Preferred', 'Off']);
  return placement().extend({
    spread: z
      .strictObject({
        zones: rule().default('Off').describe('Spread of members across zones: Required, Preferred or Off.'),
        hosts: rule().default('Off').describe('Spread of members across nodes: Required, Preferred or Off.'),
        maxSkew: integer(1, 100)
          .default(1)
          .describe('Maximum difference in the number of members between zones or nodes.'),
      })
      .prefault({})
      .describe('Topology spread of the members. Defaults to none.'),
  });
}

/** PinterestTrainingJob: Distributed training with TensorFlow, PyTorch or JAX whose members start together. */
export const pinterestTrainingJobKind = {
  plural: 'pinteresttrainingjobs',
  singular: 'pinteresttrainingjob',
  shortNames: ['ptj'],
  scope: 'Namespaced',
  summary: 'Distributed training with TensorFlow, PyTorch or JAX whose members start together.',
  traits: { lifecycle: 'Run', scales: false, serves: false, hasMembers: true, perNode: false },
  podTemplates,
  podFields: runPodFields,
  columns: [
    readyColumn,
    textColumn('Phase', '.status.phase'),
    textColumn('Framework', '.spec.framework'),
    textColumn('Members', '.status.readyMembers'),
    countColumn('Restarts', '.status.restarts'),
    ...lastWorkloadColumns,
  ],
  spec: trainingJobSpec,
  status: () =>
    z.strictObject({
      ...runStatusFields(),
      roles: mapOf(
        z.string().max(16),
        z.strictObject({ ready: statusCount().optional().describe('Number of ready members.'), ...tallyFields() }),
        5,
      )
        .optional()
        .describe('Number of members by role and state.'),
      readyMembers: z.string().max(32).optional().describe('Ready members out of all members, such as 3/4.'),
    }),
} as const satisfies WorkloadKindDefinition & KindSchemas;
