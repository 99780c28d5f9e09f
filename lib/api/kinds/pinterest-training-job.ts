import * as z from 'zod';
import { claimTemplate } from '../fields/claim-template';
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
import { podTemplate } from '../fields/pod-template';
import { completionFields } from '../fields/completion-fields';
import { placement, workloadFields } from '../fields/workload-fields';
import { workloadRules } from '../rules/workload-rules';
import { trainingRules } from '../rules/training-rules';
import { countColumn, lastWorkloadColumns, readyColumn, textColumn } from '../crd/printer-columns';
import { runStatusFields, tallyFields, statusCount } from '../fields/status-fields';
import { type LocatedPodTemplate, type WorkloadKindDefinition } from './kind-definition';

/** Roles of each framework; the first is the one that leads. */
export const trainingRoles = {
  tensorflow: ['chief', 'worker', 'ps', 'evaluator'],
  pytorch: ['master', 'worker'],
} as const;

/** Members of one role. */
const role = () =>
  z.strictObject({
    replicas: integer(1, 10000).default(1).describe('Number of members.'),
    restartPolicy: z
      .enum(['Always', 'OnFailure', 'Never', 'ExitCode'])
      .default('OnFailure')
      .describe(
        'Whether a member that failed is started again: Always, however often; OnFailure, as often as retries say; Never; ExitCode, like OnFailure where the first container ended with 128 or more, while a lower code ends the job.',
      ),
    template: podTemplate().optional().describe("The pod to run, where it differs from the job's template."),
  });

/** Schema of `PinterestTrainingJob.spec`: distributed training with TensorFlow or PyTorch. */
export const trainingJobSpec = () =>
  withRules(
    z.strictObject({
      framework: z.enum(['tensorflow', 'pytorch']).describe('Framework whose rendezvous is set up.'),
      roles: mapOf(
        text({
          pattern: /^(chief|master|ps|worker|evaluator)$/,
          what: 'a role (chief, worker, ps, evaluator for tensorflow; master, worker for pytorch)',
          example: 'worker',
          max: 16,
        }),
        role(),
        5,
      ).describe('Members by role.'),
      port: port().default(23456).describe('Port of the rendezvous.'),
      processesPerNode: integer(1, 64)
        .optional()
        .describe(
          'Processes per member, which torchrun starts where there are several; one for each accelerator where left out.',
        ),
      elastic: withRules(
        z.strictObject({
          minReplicas: integer(1, 10000).describe('Least number of members.'),
          maxReplicas: integer(1, 10000).describe('Most members.'),
          maxRestarts: integer(0, 1000).default(3).describe('How often the group may form anew.'),
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
        .describe('Range of members that PyTorch can go on with.'),
      successPolicy: z
        .enum(['Leader', 'AllWorkers'])
        .default('Leader')
        .describe(
          'Whose success is the success of the job: that of the chief or master, or of worker 0 where there is neither; or that of all who end by themselves.',
        ),
      cleanPodPolicy: z
        .enum(['All', 'Running', 'None'])
        .default('Running')
        .describe(
          'Which pods are removed once the job has succeeded: all; those that still run; or none, so that members run on.',
        ),
      gang: z
        .strictObject({
          minAvailable: integer(1, 100000)
            .optional()
            .describe('Members that must fit before any starts; all where left out.'),
          timeout: duration()
            .default('10m')
            .describe('How long members may wait for the rest before all are withdrawn.'),
        })
        .optional()
        .describe(
          'Start of all members together, or of none; needs the controller where the scheduler knows no gangs.',
        ),
      checkpoint: withRules(
        z.strictObject({
          claim: claimTemplate()
            .omit({ name: true, mountPath: true, accessModes: true })
            .extend({
              accessModes: listOf(z.enum(['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod']), 4, 1)
                .optional()
                .describe('Who may mount it at the same time; ReadWriteMany where left out and members are several.'),
            })
            .optional()
            .describe('Volume to make, shared by all members.'),
          claimName: objectName('checkpoints').optional().describe('Volume claim that exists.'),
          mountPath: absolutePath('/checkpoints')
            .default('/checkpoints')
            .describe('Where the containers see it; CHECKPOINT_DIR names it.'),
        }),
        [
          {
            name: 'checkpoint-volume',
            cel: 'has(self.claim) != has(self.claimName)',
            reason: 'names both a claim to make and one that exists, or neither',
            remedy: 'give claim or claimName',
            code: 'invalid-combination',
          },
        ],
      )
        .optional()
        .describe('Volume for checkpoints.'),
      sharedMemory: quantity()
        .optional()
        .describe('Size of /dev/shm, which data loaders use; what lies in it counts to the memory limit.'),
      accelerators: z
        .strictObject({
          resource: text({
            pattern: /^[a-z0-9.-]+\/[a-z0-9.-]+$/,
            what: 'an extended resource',
            example: 'nvidia.com/gpu',
            max: 253,
          })
            .default('nvidia.com/gpu')
            .describe('Resource to ask for.'),
          count: integer(1, 64).describe('Number for each member of the roles.'),
          roles: z
            .array(label('worker'))
            .min(1)
            .max(5)
            .optional()
            .describe('Roles whose members have them; all but ps and evaluator where left out.'),
        })
        .optional()
        .describe('Accelerators of the first container.'),
      suspend: z.boolean().default(false).describe('Whether it waits.'),
      ...completion(),
      ...workloadFields(),
      placement: trainingPlacement().prefault({}).describe('Where its pods may run.'),
      template: podTemplate().optional().describe('The pod to run, for roles without one of their own.'),
    }),
    [...trainingRules, ...workloadRules],
  );

/** Lists the template of the job, then those of roles, the one that leads first. */
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

/** What ends is never replaced before it is gone: two pods of one index would have one name. */
function completion() {
  const { podReplacementPolicy: _, ...rest } = completionFields();
  return rest;
}

/** Members exchange gradients all the time, so that they are not spread unless somebody says so. */
function trainingPlacement() {
  const rule = () => z.enum(['Required', 'Preferred', 'Off']);
  return placement().extend({
    spread: z
      .strictObject({
        zones: rule().default('Off').describe('Whether members are spread evenly over zones.'),
        hosts: rule().default('Off').describe('Whether members are spread evenly over nodes.'),
        maxSkew: integer(1, 100).default(1).describe('How uneven the spread may be, in pods.'),
      })
      .prefault({})
      .describe('How members are spread; by default they may be close to each other.'),
  });
}

/** PinterestTrainingJob: Distributed training with TensorFlow or PyTorch, its members started together. */
export const pinterestTrainingJobKind = {
  plural: 'pinteresttrainingjobs',
  singular: 'pinteresttrainingjob',
  shortNames: ['ptj'],
  scope: 'Namespaced',
  summary: 'Distributed training with TensorFlow or PyTorch, its members started together.',
  traits: { lifecycle: 'Run', scales: false, serves: false, hasMembers: true, perNode: false },
  podTemplates,
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
        z.strictObject({ ready: statusCount().optional().describe('Those that are ready.'), ...tallyFields() }),
        5,
      )
        .optional()
        .describe('Members by role, by how they stand.'),
      readyMembers: z.string().max(32).optional().describe('Ready members of all, such as 3/4.'),
    }),
} as const satisfies WorkloadKindDefinition;
