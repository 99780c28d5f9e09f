import * as z from 'zod';
import { claimTemplate } from './claim-template';
import { absolutePath, duration, label, mapOf, objectName, port, quantity, text, whole, withRules } from './field';
import { podTemplate } from './pod-template';
import { completionFields } from './run-to-completion';
import { workloadFields } from './workload-fields';

/** Roles of each framework; the first is the one that leads. */
export const trainingRoles = {
  tensorflow: ['chief', 'worker', 'ps', 'evaluator'],
  pytorch: ['master', 'worker'],
} as const;

/** Members of one role. */
const role = () =>
  z.strictObject({
    replicas: whole(1, 10000).default(1).describe('Number of members.'),
    restart: z
      .enum(['Always', 'OnFailure', 'Never', 'ExitCode'])
      .default('OnFailure')
      .describe('When a member that ended is started again; ExitCode: from 128 on it is, below it fails for good.'),
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
      processesPerNode: whole(1, 64)
        .default(1)
        .describe('Processes per member; with more than one the command starts them with torchrun.'),
      elastic: withRules(
        z.strictObject({
          min: whole(1, 10000).describe('Least number of members.'),
          max: whole(1, 10000).describe('Most members.'),
          maxRestarts: whole(0, 1000).default(3).describe('How often the group may form anew.'),
        }),
        [
          {
            name: 'elastic-range',
            cel: 'self.min <= self.max',
            fieldPath: ['max'],
            reason: 'is less than min',
            remedy: 'give a max of at least min',
            code: 'contradiction',
          },
        ],
      )
        .optional()
        .describe('Range of members that PyTorch can go on with.'),
      success: z.enum(['leader', 'allWorkers']).default('leader').describe('Whose success is the success of the job.'),
      cleanPods: z
        .enum(['all', 'running', 'none'])
        .default('running')
        .describe('Which pods are removed once the job has ended.'),
      gang: z
        .strictObject({
          minAvailable: whole(1, 100000)
            .optional()
            .describe('Members that must fit before any starts; all where left out.'),
          timeout: duration()
            .default('10m')
            .describe('How long members may wait for the rest before all are withdrawn.'),
        })
        .optional()
        .describe('Start of all members together, or of none; needs the controller.'),
      checkpoint: withRules(
        z.strictObject({
          claim: claimTemplate()
            .omit({ name: true, mountPath: true })
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
            code: 'contradiction',
          },
        ],
      )
        .optional()
        .describe('Volume for checkpoints.'),
      sharedMemory: quantity().optional().describe('Size of /dev/shm, which data loaders use.'),
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
          count: whole(1, 64).describe('Number for each member of the roles.'),
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
      ...completionFields(),
      ...workloadFields(),
      template: podTemplate().optional().describe('The pod to run, for roles without one of their own.'),
    }),
    [
      {
        name: 'training-roles',
        cel: 'self.framework == "pytorch" ? self.roles.all(r, r in ["master", "worker"]) : self.roles.all(r, r in ["chief", "worker", "ps", "evaluator"])',
        fieldPath: ['roles'],
        reason: 'names a role that the framework does not have',
        remedy: 'use master and worker for pytorch; chief, worker, ps and evaluator for tensorflow',
        code: 'not-one-of',
      },
      {
        name: 'training-leader',
        cel: '"chief" in self.roles || "master" in self.roles || "worker" in self.roles',
        fieldPath: ['roles'],
        reason: 'has nobody who trains',
        remedy: 'give a worker, or a master or chief',
        code: 'required',
      },
      {
        name: 'training-one-leader',
        cel: '(!("chief" in self.roles) || self.roles["chief"].replicas == 1) && (!("master" in self.roles) || self.roles["master"].replicas == 1)',
        fieldPath: ['roles'],
        reason: 'has more than one chief or master',
        remedy: 'set its replicas to 1',
        code: 'out-of-range',
      },
      {
        name: 'training-template',
        cel: 'has(self.template) || self.roles.all(r, [self.roles[r]].all(m, has(m.template)))',
        fieldPath: ['template'],
        reason: 'is missing, and not every role has a template of its own',
        remedy: 'give template',
        code: 'required',
      },
      {
        name: 'elastic-pytorch',
        cel: '!has(self.elastic) || self.framework == "pytorch"',
        fieldPath: ['elastic'],
        reason: 'is what only pytorch can do',
        remedy: 'leave elastic out',
        code: 'contradiction',
      },
      {
        name: 'processes-pytorch',
        cel: 'self.processesPerNode == 1 || self.framework == "pytorch"',
        fieldPath: ['processesPerNode'],
        reason: 'is what only pytorch can do',
        remedy: 'set it to 1',
        code: 'contradiction',
      },
    ],
  );
