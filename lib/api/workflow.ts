import * as z from 'zod';
import { duration, keyedList, label, listOf, mapOf, sentence, text } from './field';
import { leaf, withRules } from './field-facts';
import { propertyTypeNames, type PropertyValue } from './property';

/** Kind of the file that says what is published together and where it goes; it is read by us and never sent to an API server. */
export const workflowKind = 'Workflow';

const propertyName = () =>
  text({ pattern: /^[A-Za-z][A-Za-z0-9_.-]*$/, what: 'the name of a property', example: 'image', max: 63 });

/** Whether a value is of its property's type is seen where both are known. */
const propertyValue = () =>
  leaf<PropertyValue>(
    'text, number or boolean',
    () => ({}),
    (value, report) => {
      if (['string', 'number', 'boolean'].includes(typeof value)) return;
      const remedy = 'write one text, number or boolean';
      report({ code: 'wrong-type', path: [], value, reason: 'is not one value', remedy });
    },
  );

const property = () =>
  z.strictObject({
    type: z.enum(propertyTypeNames).describe('What its values look like.'),
    description: sentence(256).optional().describe('What it is, for who publishes.'),
    default: propertyValue().optional().describe('Value where none is given; it must be given where this is left out.'),
    fills: listOf(
      z.strictObject({
        workload: text({
          pattern: /^([A-Z][A-Za-z]*\/)?[a-z]([-a-z0-9]*[a-z0-9])?$/,
          what: 'the name of a workload',
          example: 'cart',
          max: 300,
        }).describe('Name of the workload; with its kind before a slash where several have that name.'),
        path: text({
          pattern: /^(spec|metadata\.(labels|annotations))[.[].*$/,
          what: 'a path below spec, metadata.labels or metadata.annotations',
          example: 'spec.template.spec.containers[app].image',
          max: 1024,
        }).describe('The one place that it fills; an entry of a list is called by its index or by its name.'),
      }),
      64,
    )
      .default([])
      .describe('The places that it fills, and no others; without any it is only recorded.'),
  });

const stage = () =>
  z.strictObject({
    name: label('production').describe('Name of the stage; Projects say by it what the stage accepts.'),
    targets: listOf(label('prod-1'), 64, 1).describe(
      'Clusters of the stage, by the name that their Platform gives them.',
    ),
    properties: mapOf(propertyName(), propertyValue(), 64)
      .optional()
      .describe('Values of properties in this stage, before what is given when it is published.'),
    promotion: z
      .strictObject({
        when: z
          .enum(['ready', 'approved'])
          .default('ready')
          .describe(
            'What lets it begin: all workloads of the stage before are Ready, or somebody approved it besides.',
          ),
        soak: duration().default('0s').describe('How long they must have been Ready without a break.'),
      })
      .prefault({})
      .describe('Condition on the stage before; the first stage has none.'),
    stop: z
      .strictObject({
        after: duration().default('15m').describe('Time in which all workloads must be Ready.'),
        action: z
          .enum(['hold', 'rollBack'])
          .default('hold')
          .describe('What is left in place: what was deployed, for people to look at, or the artifact before it.'),
      })
      .prefault({})
      .describe('When the deployment stops by itself and no further stage begins.'),
  });

const workloads = () =>
  withRules(
    z.strictObject({
      files: listOf(
        text({ pattern: /^[^/\\\s][^\\]*$/, what: 'a relative path', example: 'deploy/cart.yaml', max: 1024 }),
        256,
        1,
      )
        .optional()
        .describe('Files and folders of custom resources, relative to the workflow file.'),
      app: z
        .strictObject({
          command: listOf(sentence(1024), 64, 1).describe('Program of the app and its arguments, as a list of words.'),
          timeout: duration().default('10m').describe('How long it may run.'),
        })
        .optional()
        .describe('A cdk8s app that is run beside the workflow file and emits custom resources.'),
    }),
    [
      {
        name: 'workflow-workloads',
        cel: 'has(self.files) != has(self.app)',
        holds: (self) => (self['files'] === undefined) !== (self['app'] === undefined),
        reason: 'must say where the workloads come from in one way',
        remedy: 'give files or app',
        where: 'client',
      },
    ],
  );

/** Schema of `Workflow.spec`: what is published together, what fills it, and the stages that it passes. */
export const workflowSpec = () =>
  z.strictObject({
    workloads: workloads().describe('The workloads that are published and deployed together.'),
    properties: mapOf(propertyName(), property(), 64)
      .default({})
      .describe('Build properties: values that are known only when it is built.'),
    stages: keyedList(stage(), ['name'], 16).min(1).describe('Stages in the order in which they are passed.'),
  });
