import * as z from 'zod';
import { mapping } from './mapping';

/** `aws.kms.Alias`. */
export const keyAlias = mapping({
  shape: z.strictObject({ name: z.string().startsWith('alias/'), targetKeyId: z.string() }),
  immutable: ['name'],
  async create(aws, { name, targetKeyId }) {
    await aws.call('kms', 'CreateAlias', { AliasName: name, TargetKeyId: targetKeyId });
    return name;
  },
  async read(aws, name) {
    const response = await aws.call('kms', 'ListAliases');
    const one = response.list('Aliases').find((alias) => alias.at('AliasName') === name);
    return one && { name, ...one.fields('targetKeyId'), arn: one.at('AliasArn') };
  },
  async update(aws, name, { targetKeyId }) {
    await aws.call('kms', 'UpdateAlias', { AliasName: name, TargetKeyId: targetKeyId });
  },
  delete: async (aws, name) => void (await aws.call('kms', 'DeleteAlias', { AliasName: name })),
});
