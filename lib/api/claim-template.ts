import * as z from 'zod';
import { absolutePath, label, labelKey, labelValue, listOf, mapOf, objectName, quantity } from './field';

/** A volume that every member of a set gets for itself. */
export const claimTemplate = () =>
  z.strictObject({
    name: label('data').describe('Name of the volume, and of the claims before the name of the member.'),
    mountPath: absolutePath('/var/lib/data').describe("Where the app's containers see it."),
    subPath: z.string().min(1).max(1024).optional().describe('Folder within the volume that they see.'),
    size: quantity().describe('Size to ask for; it can grow where the storage class allows it.'),
    storageClass: objectName('fast').optional().describe("Storage class; the Platform's where left out."),
    accessModes: listOf(z.enum(['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod']), 4, 1)
      .default(['ReadWriteOnce'])
      .describe('Who may mount it at the same time.'),
    labels: mapOf(labelKey(), labelValue(), 16).optional().describe('Labels on the claims.'),
  });

/** What becomes of claims. */
export const claimRetention = () =>
  z.strictObject({
    whenDeleted: z.enum(['Retain', 'Delete']).default('Retain').describe('When the workload is deleted.'),
    whenScaled: z.enum(['Retain', 'Delete']).default('Retain').describe('When a member is removed.'),
  });
