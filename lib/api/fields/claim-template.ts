import * as z from 'zod';
import { absolutePath, label, labelKey, labelValue, listOf, mapOf, objectName, quantity } from '../schema/field';
import { withRules } from '../schema/field-facts';
import { reservedPrefix } from '../names';
import { compareQuantities, parseQuantity } from '../values/quantity';
import { type ValidationRule } from '../rules/validation-rule';

/** The rule that a volume's name leaves free what the platform adds. */
export const nameNotReserved: ValidationRule = {
  name: 'volume-name-reserved',
  cel: `!self.name.startsWith("${reservedPrefix}")`,
  fieldPath: ['name'],
  reason: `starts with "${reservedPrefix}", which names what the platform adds`,
  remedy: 'choose another name',
  code: 'platform-owned',
};

/** A volume that every member of a set gets for itself. */
export const claimTemplate = () =>
  withRules(
    z.strictObject({
      name: label('data').describe('Name of the volume, and of the claims before the name of the member.'),
      mountPath: absolutePath('/var/lib/data').describe("Where the app's containers see it."),
      subPath: z.string().min(1).max(1024).optional().describe('Folder within the volume that they see.'),
      size: quantity().describe('Size to ask for; it can grow where the storage class allows it.'),
      storageClass: objectName('fast').optional().describe("Storage class; the Platform's where left out."),
      accessModes: listOf(z.enum(['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod']), 4, 1)
        .default(['ReadWriteOnce'])
        .describe('Who may mount it at the same time.'),
      labels: mapOf(labelKey(), labelValue(), 16)
        .optional()
        .describe("Labels on the claims; the platform's own stay as they are."),
    }),
    [
      nameNotReserved,
      {
        name: 'claim-size',
        cel: 'quantity(string(self.size)).isGreaterThan(quantity("0"))',
        where: 'client',
        find: ({ size }) => (isSize(size) ? [] : [['size']]),
        reason: 'is no size that a volume can have',
        remedy: 'write a size such as "10Gi"',
        code: 'out-of-range',
      },
      {
        name: 'claim-access-alone',
        cel: '!("ReadWriteOncePod" in self.accessModes) || size(self.accessModes) == 1',
        fieldPath: ['accessModes'],
        reason: 'has ReadWriteOncePod beside other modes, which it rules out',
        remedy: 'give ReadWriteOncePod alone',
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
        reason: 'leads out of the volume',
        remedy: 'write a relative path without "..", such as "main"',
        code: 'bad-format',
      },
    ],
  );

/** Whether a claim can ask for a size: whether it is more than nothing. */
function isSize(value: unknown): boolean {
  const size = typeof value === 'string' || typeof value === 'number' ? parseQuantity(value) : undefined;
  const nothing = parseQuantity(0);
  // A value that is no quantity has a problem of its own.
  return !size || !nothing || compareQuantities(size, nothing) > 0;
}

/** What becomes of claims. */
export const claimRetention = () =>
  z.strictObject({
    whenDeleted: z.enum(['Retain', 'Delete']).default('Retain').describe('When the workload is deleted.'),
    whenScaled: z.enum(['Retain', 'Delete']).default('Retain').describe('When a member is removed.'),
  });
