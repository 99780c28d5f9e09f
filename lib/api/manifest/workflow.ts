import * as z from 'zod';
import { duration, keyedList, label, listOf, mapOf, sentence, text } from '../schema/field';
import { leaf, withRules } from '../schema/field-facts';
import { propertyTypeNames, type PropertyValue } from '../schema/property';

/** Kind of the manifest that describes what to publish and where to deploy it; never sent to an API server. */
export const workflowKind = 'Workflow';

const propertyName = () =>
  text({ pattern: /^[A-Za-z][A-Za-z0-9_.-]*$/, what: 'a property name', example: 'image', max: 63 });

/** Value of a property; `safeParseWorkflow` checks it against the property's type. */
const propertyValue = () =>
  leaf<PropertyValue>(
    'text, number or boolean',
    () => ({}),
    (value, report) => {
      if (['string', 'number', 'boolean'].includes(typeof value)) return;
      const remedy = 'use a string, number or boolean';
      report({ code: 'wrong-type', path: [], value, reason: 'must be a scalar', remedy });
    },
  );

const property = () =>
  z.strictObject({
    type: z.enum(propertyTypeNames).describe('Type of its values.'),
    description: sentence(256).optional().describe('Description for publishers.'),
    default: propertyValue().optional().describe('Default value; without one, publishing requires a value.'),
    substitutions: listOf(
      z.strictObject({
        workload: text({
          pattern: /^([A-Z][A-Za-z]*\/)?[a-z]([-a-z0-9]*[a-z0-9])?$/,
          what: 'a workload name',
          example: 'cart',
          max: 300,
        }).describe('Name of the workload, or Kind/name if several share the name.'),
        fieldPath: text({
          pattern: /^(spec|metadata\.(labels|annotations))[.[].*$/,
          what: 'a path below spec, metadata.labels or metadata.annotations',
          example: 'spec.template.spec.containers[app].image',
          max: 1024,
        }).describe('Path of the field to set; list entries by index or by name.'),
      }),
      64,
    )
      .default([])
      .describe('Fields to set to its value; without any, the value is only recorded.'),
  });

const stage = () =>
  z.strictObject({
    name: label('production').describe('Name of the stage; the stages of a Project refer to it.'),
    targets: listOf(label('prod-1'), 64, 1).describe('Names of the clusters, as in their Platform.'),
    properties: mapOf(propertyName(), propertyValue(), 64)
      .optional()
      .describe('Property values in this stage; they override values set when publishing.'),
    promotion: z
      .strictObject({
        when: z
          .enum(['Ready', 'Approved'])
          .default('Ready')
          .describe('Requirement: Ready in the previous stage, or additionally approved.'),
        soak: duration()
          .default('0s')
          .describe('Time that it must have been Ready in the previous stage without interruption.'),
      })
      .prefault({})
      .describe('Condition for entering the stage; ignored for the first stage.'),
    stop: z
      .strictObject({
        timeout: duration().default('15m').describe('Time within which all workloads must become Ready.'),
        onFailure: z
          .enum(['Keep', 'Rollback'])
          .default('Keep')
          .describe('Whether to keep the failed deployment for inspection or to roll back to the previous artifact.'),
      })
      .prefault({})
      .describe('When and how a deployment stops.'),
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
        .describe('Files and folders of workload manifests, relative to the workflow file.'),
      app: z
        .strictObject({
          command: listOf(sentence(1024), 64, 1).describe('Command and arguments of the app.'),
          timeout: duration().default('10m').describe('Timeout of the app.'),
        })
        .optional()
        .describe('cdk8s app that emits workload manifests; runs in the folder of the workflow file.'),
    }),
    [
      {
        name: 'workflow-workloads',
        cel: 'has(self.files) != has(self.app)',
        holds: (self) => (self['files'] === undefined) !== (self['app'] === undefined),
        reason: 'must set exactly one of files and app',
        remedy: 'set either files or app',
        where: 'client',
      },
    ],
  );

/** Returns the schema of `Workflow.spec`: workloads, build properties and stages. */
export const workflowSpec = () =>
  z.strictObject({
    workloads: workloads().describe('Workloads to publish and deploy together.'),
    properties: mapOf(propertyName(), property(), 64)
      .default({})
      .describe('Build properties: values known at build time.'),
    stages: keyedList(stage(), ['name'], 16).min(1).describe('Stages in deployment order.'),
  });
