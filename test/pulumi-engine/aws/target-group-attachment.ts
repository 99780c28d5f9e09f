import * as z from 'zod';
import { type Values } from '../cloud';
import { findResource } from './find-resource';
import { mapping } from './mapping';

const attachment = ({ targetGroupArn, targetId, port }: Values) => ({
  TargetGroupArn: targetGroupArn,
  Targets: [{ Id: targetId, Port: port }],
});

/** `aws.lb.TargetGroupAttachment`. */
export const targetGroupAttachment = mapping({
  shape: z.strictObject({ targetGroupArn: z.string(), targetId: z.ipv4(), port: z.int() }),
  immutable: ['targetGroupArn', 'targetId', 'port'],
  async create(aws, inputs) {
    await aws.call('elbv2', 'RegisterTargets', attachment(inputs));
    return `${inputs.targetGroupArn}-${inputs.targetId}`;
  },
  async read(aws, _id, known) {
    const parameters = { TargetGroupArn: known['targetGroupArn'] };
    const response = await findResource(aws.call('elbv2', 'DescribeTargetHealth', parameters));
    const targets = response?.list('TargetHealthDescriptions').map((one) => one.part('Target')) ?? [];
    const one = targets.find((target) => target.at('Id') === known['targetId'] && target.at('Port') === known['port']);
    return one && { ...one.fields('port'), targetGroupArn: known['targetGroupArn'], targetId: one.at('Id') };
  },
  delete: async (aws, _id, known) => void (await aws.call('elbv2', 'DeregisterTargets', attachment(known))),
});
