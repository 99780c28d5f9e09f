import * as z from 'zod';
import { findResource } from './find-resource';
import { mapping } from './mapping';
import { removedKeys, tagList, tags, tagsOf } from './tags';

/** `aws.iam.InstanceProfile`. */
export const instanceProfile = mapping({
  shape: z.strictObject({ name: z.string(), role: z.string(), tags }),
  immutable: ['name'],
  async create(aws, { name, role, tags: own }) {
    await aws.call('iam', 'CreateInstanceProfile', { InstanceProfileName: name, Tags: tagList(own) });
    await aws.call('iam', 'AddRoleToInstanceProfile', { InstanceProfileName: name, RoleName: role });
    return name;
  },
  async read(aws, InstanceProfileName) {
    const response = await findResource(aws.call('iam', 'GetInstanceProfile', { InstanceProfileName }));
    const one = response?.part('InstanceProfile');
    return (
      one && {
        ...one.fields('arn'),
        name: one.at('InstanceProfileName'),
        role: one.list('Roles')[0]?.at('RoleName'),
        tags: tagsOf(one),
      }
    );
  },
  async update(aws, InstanceProfileName, { role, tags: own }, before) {
    if (role !== before['role']) {
      const previous = { InstanceProfileName, RoleName: before['role'] };
      await aws.call('iam', 'RemoveRoleFromInstanceProfile', previous);
      await aws.call('iam', 'AddRoleToInstanceProfile', { InstanceProfileName, RoleName: role });
    }
    const removed = removedKeys(before, own);
    if (removed.length > 0) await aws.call('iam', 'UntagInstanceProfile', { InstanceProfileName, TagKeys: removed });
    await aws.call('iam', 'TagInstanceProfile', { InstanceProfileName, Tags: tagList(own) });
  },
  async delete(aws, InstanceProfileName, { role }) {
    await aws.call('iam', 'RemoveRoleFromInstanceProfile', { InstanceProfileName, RoleName: role });
    await aws.call('iam', 'DeleteInstanceProfile', { InstanceProfileName });
  },
});
