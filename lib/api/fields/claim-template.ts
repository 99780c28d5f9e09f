import * as z from 'zod';
import { absolutePath, label, labelKey, labelValue, listOf, mapOf, objectName, quantity } from '../schema/field';
import { withRules } from '../schema/field-facts';
import { reservedPrefix } from '../names';
import { isPositiveSize, positiveSize } from '../rules/positive-size';
import { type ValidationRule } from '../rules/validation-rule';

/** Rule that a volume name does not have the prefix of the platform. */
export const nameNotReserved: ValidationRule = {
  name: 'volume-name-reserved',
  cel: `!self.name.startsWith("${reservedPrefix}")`,
  fieldPath: ['name'],
  reason: `starts with "${reservedPrefix}", which is reserved for the platform`,
  remedy: 'use another name',
  code: 'platform-owned',
};

/** Rules across the fields of a volume claim. */
export const claimRules: readonly ValidationRule[] = [
  {
    name: 'claim-size',
    cel: 'quantity(string(self.size)).isGreaterThan(quantity("0"))',
    where: 'client',
    find: ({ size }) => (isPositiveSize(size) ? [] : [{ path: ['size'], value: String(size) }]),
    ...positiveSize,
  },
  {
    name: 'claim-access-alone',
    cel: '!has(self.accessModes) || !("ReadWriteOncePod" in self.accessModes) || size(self.accessModes) == 1',
    fieldPath: ['accessModes'],
    reason: 'must not combine ReadWriteOncePod with other modes',
    remedy: 'use only ReadWriteOncePod',
    code: 'invalid-combination',
  },
  {
    name: 'claim-sub-path',
    cel: '!has(self.subPath) || !(self.subPath.startsWith("/") || self.subPath.split("/").exists(s, s == ".."))',
    fieldPath: ['subPath'],
    find: ({ subPath }) =>
      typeof subPath === 'string' && (subPath.startsWith('/') || subPath.split('/').includes('..'))
        ? [['subPath']]
        : [],
    reason: 'must not leave the volume',
    remedy: 'write a relative path without "..", such as "main"',
    code: 'bad-format',
  },
];

/** Returns the schema of a volume claim template. */
export const claimTemplate = () =>
  withRules(
    z.strictObject({
      name: label('data').describe('Name of the volume, and prefix of the claim names.'),
      mountPath: absolutePath('/var/lib/data').describe('Mount path in the containers of the app.'),
      subPath: z.string().min(1).max(1024).optional().describe('Path within the volume. Defaults to its root.'),
      size: quantity().describe('Requested storage size; can grow if the storage class allows expansion.'),
      storageClass: objectName('fast').optional().describe('Storage class. Defaults to that of the Platform.'),
      accessModes: listOf(z.enum(['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod']), 4, 1)
        .default(['ReadWriteOnce'])
        .describe('Access modes of the volume.'),
      labels: mapOf(labelKey(), labelValue(), 16)
        .optional()
        .describe('Labels of the claims; keys set by the platform are kept.'),
    }),
    [nameNotReserved, ...claimRules],
  );

/** Returns the schema of the retention policy of claims. */
export const claimRetention = () =>
  z.strictObject({
    whenDeleted: z
      .enum(['Retain', 'Delete'])
      .default('Retain')
      .describe('Policy for claims when the workload is deleted.'),
    whenScaled: z
      .enum(['Retain', 'Delete'])
      .default('Retain')
      .describe('Policy for claims when the workload is scaled down.'),
  });
