import * as z from 'zod';
import { toPascalCase } from './aws-response';
import { type Aws } from './aws';
import { findResource } from './find-resource';
import { mapping } from './mapping';

const shape = z.strictObject({
  name: z.string(),
  autoscalingGroupName: z.string(),
  lifecycleTransition: z.enum(['autoscaling:EC2_INSTANCE_TERMINATING', 'autoscaling:EC2_INSTANCE_LAUNCHING']),
  heartbeatTimeout: z.int().min(30).max(7200),
  defaultResult: z.enum(['CONTINUE', 'ABANDON']),
  notificationTargetArn: z.string().startsWith('arn:'),
  roleArn: z.string().startsWith('arn:'),
});
const bodyOf = ({ name, autoscalingGroupName, roleArn, notificationTargetArn, ...rest }: z.output<typeof shape>) => ({
  LifecycleHookName: name,
  AutoScalingGroupName: autoscalingGroupName,
  RoleARN: roleArn,
  NotificationTargetARN: notificationTargetArn,
  ...toPascalCase(rest),
});

/** Sends the test message that Auto Scaling sends with the hook's role and the emulation does not send. */
async function sendTestMessage(
  aws: Aws,
  { name, autoscalingGroupName, ...inputs }: z.output<typeof shape>,
): Promise<void> {
  const { notificationTargetArn, roleArn } = inputs;
  await aws.call('iam', 'GetRole', { RoleName: roleArn.split('/').at(-1) });
  const { values } = await aws.call('sqs', 'GetQueueUrl', { QueueName: notificationTargetArn.split(':').at(-1) });
  const notice = {
    Event: 'autoscaling:TEST_NOTIFICATION',
    LifecycleHookName: name,
    AutoScalingGroupName: autoscalingGroupName,
  };
  await aws.call('sqs', 'SendMessage', { ...values, MessageBody: JSON.stringify(notice) });
}

/** `aws.autoscaling.LifecycleHook`. */
export const lifecycleHook = mapping({
  shape,
  immutable: ['name', 'autoscalingGroupName'],
  dropped: {
    notificationTargetArn: 'the emulation returns the queue of an example',
    roleArn: 'the emulation returns the role of an example',
  },
  async create(aws, inputs) {
    await sendTestMessage(aws, inputs);
    await aws.call('autoscaling', 'PutLifecycleHook', bodyOf(inputs));
    return inputs.name;
  },
  async read(aws, _id, { name, autoscalingGroupName }) {
    const parameters = { AutoScalingGroupName: autoscalingGroupName, LifecycleHookNames: [name] };
    const one = (await findResource(aws.call('autoscaling', 'DescribeLifecycleHooks', parameters)))?.list(
      'LifecycleHooks',
    )[0];
    return (
      one && {
        ...one.fields('lifecycleTransition', 'heartbeatTimeout', 'defaultResult'),
        name: one.at('LifecycleHookName'),
        autoscalingGroupName: one.at('AutoScalingGroupName'),
        notificationTargetArn: one.at('NotificationTargetARN'),
        roleArn: one.at('RoleARN'),
      }
    );
  },
  async update(aws, _id, inputs) {
    await aws.call('autoscaling', 'PutLifecycleHook', bodyOf(inputs));
  },
  async delete(aws, _id, { name, autoscalingGroupName }) {
    const parameters = { LifecycleHookName: name, AutoScalingGroupName: autoscalingGroupName };
    await aws.call('autoscaling', 'DeleteLifecycleHook', parameters);
  },
});
