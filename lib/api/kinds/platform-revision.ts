import * as z from 'zod';
import { objectName } from '../schema/field';
import { leaf } from '../schema/field-facts';
import { platformStatusFields } from '../fields/status-fields';
import { countColumn, lastColumns, textColumn } from '../crd/printer-columns';
import { type KindDefinition, type KindSchemas } from './kind-definition';

/** Fields of a spec as they were written, so that any version of the library can read those of another. */
const writtenFields = () =>
  leaf<Readonly<Record<string, unknown>>>(
    'object',
    () => ({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }),
    (value, report) => {
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return;
      report({ code: 'wrong-type', path: [], reason: 'is not an object', remedy: 'let the controller write it' });
    },
  );

/** Schema of `PlatformRevision.spec`: everything that the objects of a workload depend on, except the workload and its Project. */
export const platformRevisionSpec = () =>
  z.strictObject({
    profile: z
      .strictObject({
        name: objectName('default-1').describe('Name of the RuntimeProfile.'),
        spec: writtenFields()
          .optional()
          .describe('Its content as written. Defaults to the profile of that name in the library.'),
      })
      .describe('Runtime profile of the revision.'),
    platform: writtenFields().describe(
      'Fields of spec of the Platform that objects of workloads depend on, as written, without defaults.',
    ),
  });

/** PlatformRevision: What workloads are expanded from, except their own spec and their Project; written by the controller. */
export const platformRevisionKind = {
  plural: 'platformrevisions',
  singular: 'platformrevision',
  shortNames: ['platrev'],
  scope: 'Cluster',
  summary: 'What workloads are expanded from, except their own spec and their Project; written by the controller.',
  columns: [textColumn('Profile', '.spec.profile.name'), countColumn('Workloads', '.status.workloads'), ...lastColumns],
  spec: platformRevisionSpec,
  status: () => z.strictObject(platformStatusFields()),
} as const satisfies KindDefinition & KindSchemas;
