import * as z from 'zod';
import { findResource } from './find-resource';
import { mapping } from './mapping';
import { removedKeys, tagList, tags, tagsOf } from './tags';

/** `aws.iam.Role`. */
export const role = mapping({
  shape: z.strictObject({
    name: z.string().max(64),
    description: z.string().max(1000),
    assumeRolePolicy: z.string().startsWith('{'),
    tags,
  }),
  immutable: ['name'],
  async create(aws, { name, description, assumeRolePolicy, tags: own }) {
    const parameters = { RoleName: name, Description: description, AssumeRolePolicyDocument: assumeRolePolicy };
    await aws.call('iam', 'CreateRole', { ...parameters, Tags: tagList(own) });
    return name;
  },
  async read(aws, RoleName) {
    const one = (await findResource(aws.call('iam', 'GetRole', { RoleName })))?.part('Role');
    return (
      one && {
        ...one.fields('description', 'arn'),
        name: one.at('RoleName'),
        assumeRolePolicy: JSON.stringify(one.at('AssumeRolePolicyDocument')),
        tags: tagsOf(one),
      }
    );
  },
  async update(aws, RoleName, inputs, before) {
    await aws.call('iam', 'UpdateRole', { RoleName, Description: inputs.description });
    await aws.call('iam', 'UpdateAssumeRolePolicy', { RoleName, PolicyDocument: inputs.assumeRolePolicy });
    const removed = removedKeys(before, inputs.tags);
    if (removed.length > 0) await aws.call('iam', 'UntagRole', { RoleName, TagKeys: removed });
    await aws.call('iam', 'TagRole', { RoleName, Tags: tagList(inputs.tags) });
  },
  delete: async (aws, RoleName) => void (await aws.call('iam', 'DeleteRole', { RoleName })),
});
