import * as z from 'zod';
import { absolutePath, keyedList, label, labelKey, listOf, mapOf, sentence, text, variableName } from '../schema/field';
import { leaf, withFacts, withRules } from '../schema/field-facts';
import { workloadKinds, type WorkloadKind } from './workload-kinds';
import { checkNative, nativeSchema, type Container, type EnvVar, type Volume, type VolumeMount } from '../native';
import { nativeLeaf } from '../schema/native-leaf';
import { countColumn, lastColumns, readyColumn, textColumn } from '../crd/printer-columns';
import { platformStatusFields } from '../fields/status-fields';
import { type KindDefinition, type KindSchemas } from './kind-definition';

const kindNames = Object.keys(workloadKinds) as [WorkloadKind, ...WorkloadKind[]];

/** A container of a part; its image is optional if the Platform names it. */
export type PartContainer = Omit<Container, 'image'> & { readonly image?: string | undefined };

/** Native containers of a part; their image is optional. */
const partContainers = () =>
  leaf<readonly PartContainer[]>(
    'Container[]',
    () => {
      const { required, ...schema } = nativeSchema('Container') as { readonly required?: readonly string[] };
      return {
        type: 'array',
        maxItems: 8,
        items: { ...schema, required: required?.filter((field) => field !== 'image') },
      };
    },
    (value, report) => {
      if (!Array.isArray(value) || value.length > 8) {
        return report({
          code: Array.isArray(value) ? 'out-of-range' : 'wrong-type',
          path: [],
          reason: 'must be a list of at most 8 containers',
          remedy: 'use a list of at most 8 containers',
        });
      }
      value.forEach((container: Partial<Container> | undefined, index) => {
        const withImage =
          typeof container === 'object' && container.image === undefined
            ? { ...container, image: 'named-by-the-platform' }
            : container;
        checkNative('Container', withImage, [index], report);
      });
    },
  );

/** A setting of a part, set by workloads in `sidecars.<part>.config`. */
const setting = () =>
  z.strictObject({
    type: z.enum(['string', 'integer', 'boolean']).default('string').describe('Type of the values.'),
    values: listOf(z.string().max(256), 64, 1).optional().describe('Allowed values. Defaults to any.'),
    default: z
      .union([z.string().max(4096), z.number(), z.boolean()])
      .optional()
      .describe('Default value. Defaults to leaving the variable unset.'),
    env: variableName().optional().describe("Environment variable of the part's containers that holds the value."),
    summary: sentence(256).describe('Description of the setting.'),
  });

/** What a part adds to a pod. */
const podPart = () =>
  z.strictObject({
    initContainers: partContainers().optional().describe('Init containers, which finish before the app starts.'),
    sidecars: partContainers().optional().describe('Sidecar containers, which start before the app and stop after it.'),
    env: nativeLeaf<readonly EnvVar[]>('EnvVar', 64)
      .optional()
      .describe("Environment variables of the app's containers."),
    volumes: nativeLeaf<readonly Volume[]>('Volume', 16).optional().describe('Volumes of the pod.'),
    volumeMounts: nativeLeaf<readonly VolumeMount[]>('VolumeMount', 16)
      .optional()
      .describe("Volume mounts of the app's containers."),
    labels: mapOf(labelKey(), z.string().max(63), 16).optional().describe('Labels of the pod.'),
    annotations: mapOf(labelKey(), z.string().max(4096), 16).optional().describe('Annotations of the pod.'),
    files: withFacts(mapOf(absolutePath(), z.string().max(65536), 16), {})
      .optional()
      .describe("Files of the part's containers, kept in a ConfigMap of the workload."),
    configFile: absolutePath('/etc/pinion/logs/config.json')
      .optional()
      .describe('Path of a file with the settings as JSON.'),
  });

/** What a part adds to a machine, through its user data. */
const machinePart = () =>
  z.strictObject({
    units: mapOf(
      text({
        pattern: /^[A-Za-z0-9:_.@-]+\.(service|timer|socket|mount|path|slice)$/,
        what: 'a systemd unit',
        example: 'chrony.service',
        max: 128,
      }),
      z.string().max(16384),
      8,
    )
      .optional()
      .describe('Systemd units, by name.'),
    files: mapOf(absolutePath(), z.string().max(16384), 16).optional().describe('Files by path.'),
    packages: listOf(text({ pattern: /^[a-z0-9][a-z0-9+.-]+$/, what: 'a package', example: 'chrony', max: 128 }), 16)
      .optional()
      .describe('Operating system packages.'),
  });

/** What a part adds to every node: the spec of a PinterestDaemon. */
const nodePart = () =>
  z.strictObject({
    daemon: withFacts(z.record(z.string(), z.unknown()), {
      crd: () => ({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }),
      typeName: 'PinterestDaemonSpec',
    }).describe('Spec of the generated PinterestDaemon.'),
  });

/** A part of the runtime profile. */
const part = () =>
  withRules(
    z.strictObject({
      name: label('logs').describe('Name of the part, as in `sidecars` of workloads.'),
      summary: sentence(512).describe('Description of the part.'),
      injection: z
        .enum(['Required', 'OptOut', 'OptIn'])
        .default('Required')
        .describe(
          'Injection: Required for every workload, OptOut unless the workload disables it, OptIn only if the workload enables it.',
        ),
      kinds: listOf(z.enum(kindNames), 6, 1)
        .optional()
        .describe('Kinds that the part applies to. Defaults to all kinds.'),
      tiers: listOf(label('standard'), 16, 1)
        .optional()
        .describe('Tiers that the part applies to. Defaults to all tiers.'),
      requires: listOf(label('identity'), 16).default([]).describe('Parts that it depends on, which start before it.'),
      after: listOf(label('network'), 16).default([]).describe('Parts that start before it if present.'),
      needsImage: z
        .boolean()
        .default(false)
        .describe("Whether to disable the part until the Platform's runtime.images names its image."),
      needsValues: listOf(
        text({ pattern: /^[a-z][A-Za-z0-9]*$/, what: 'the name of a value', example: 'zookeeper', max: 63 }),
        16,
      )
        .default([])
        .describe("Names of the Platform's runtime.values that the part needs; it is disabled without them."),
      settings: mapOf(label('level'), setting(), 32).default({}).describe('Settings that workloads can change.'),
      valueEnv: mapOf(
        variableName(),
        text({ pattern: /^[a-z][A-Za-z0-9]*$/, what: 'the name of a value', example: 'zookeeper', max: 63 }),
        16,
      )
        .default({})
        .describe("Environment variables of the part's containers, set to values from the Platform's runtime.values."),
      pod: podPart().optional().describe('What the part adds to every pod.'),
      node: nodePart().optional().describe('PinterestDaemon to run on every node.'),
      machine: machinePart()
        .optional()
        .describe('Files, packages and systemd units to install on every machine through user data.'),
    }),
    [
      {
        name: 'part-level',
        cel: 'has(self.pod) || has(self.node) || has(self.machine)',
        reason: 'must set at least one of pod, node and machine',
        remedy: 'set pod, node or machine',
        code: 'required',
      },
    ],
  );

/** Schema of `RuntimeProfile.spec`: immutable additions to workloads, nodes and machines. */
export const runtimeProfileSpec = () =>
  withRules(
    z.strictObject({
      version: text({ pattern: /^[0-9]+(\.[0-9]+){0,2}$/, what: 'a version', example: '1.0.0', max: 32 }).describe(
        'Version of the profile.',
      ),
      summary: sentence(1024).optional().describe('Description of the profile and its changes.'),
      env: nativeLeaf<readonly EnvVar[]>('EnvVar', 64)
        .optional()
        .describe('Environment variables of every container of the app.'),
      parts: keyedList(part(), ['name'], 64).describe('Parts in startup order, as far as dependencies allow.'),
    }),
    [
      {
        name: 'profile-immutable',
        cel: 'self == oldSelf',
        reason: 'is immutable',
        remedy: 'create a RuntimeProfile with a new name and use that in the Platform',
        code: 'invalid-combination',
      },
    ],
  );

/** RuntimeProfile: Runtime support that the platform adds to workloads, nodes and machines; immutable. */
export const runtimeProfileKind = {
  plural: 'runtimeprofiles',
  singular: 'runtimeprofile',
  shortNames: ['rtp'],
  scope: 'Cluster',
  summary: 'Runtime support that the platform adds to workloads, nodes and machines; immutable.',
  columns: [
    readyColumn,
    textColumn('Version', '.spec.version'),
    countColumn('Workloads', '.status.workloads'),
    ...lastColumns,
  ],
  spec: runtimeProfileSpec,
  status: () => z.strictObject(platformStatusFields()),
} as const satisfies KindDefinition & KindSchemas;
