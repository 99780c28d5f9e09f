import * as z from 'zod';
import { type Values } from '../cloud';
import { findResource } from './find-resource';
import { mapping } from './mapping';

const policyKey = ({ role, name }: Values) => ({ RoleName: role, PolicyName: name });

/** `aws.iam.RolePolicy`. */
export const rolePolicy = mapping({
  shape: z.strictObject({ name: z.string(), role: z.string(), policy: z.string().startsWith('{').max(10_240) }),
  immutable: ['name', 'role'],
  async create(aws, inputs) {
    await aws.call('iam', 'PutRolePolicy', { ...policyKey(inputs), PolicyDocument: inputs.policy });
    return `${inputs.role}:${inputs.name}`;
  },
  async read(aws, _id, known) {
    const one = await findResource(aws.call('iam', 'GetRolePolicy', policyKey(known)));
    return one && { name: known['name'], role: known['role'], policy: JSON.stringify(one.at('PolicyDocument')) };
  },
  async update(aws, _id, inputs) {
    await aws.call('iam', 'PutRolePolicy', { ...policyKey(inputs), PolicyDocument: inputs.policy });
  },
  delete: async (aws, _id, known) => void (await aws.call('iam', 'DeleteRolePolicy', policyKey(known))),
});
