import { AutoScaling } from '@aws-sdk/client-auto-scaling';
import { SQS } from '@aws-sdk/client-sqs';
import { textAt } from '../api';
import { type TerminationNotice, type DrainQueue } from '../operations';
import { type AwsOptions } from './aws-clients';

/** Visibility timeout: seconds after which a received notice is redelivered. */
const visibilitySeconds = 15;

/** Long polling time of SQS, the maximum. */
const waitSeconds = 20;

/** SQS queue of lifecycle hook notices and spot interruption warnings. */
export class AwsDrainQueue implements DrainQueue {
  private readonly sqs: SQS;
  private readonly autoScaling: AutoScaling;
  private readonly closing = new AbortController();
  private url: string | undefined;

  constructor(
    private readonly name: string,
    options: AwsOptions,
    private readonly wait = waitSeconds,
  ) {
    this.sqs = new SQS({ ...options, maxAttempts: 5 });
    this.autoScaling = new AutoScaling({ ...options, maxAttempts: 5 });
  }

  async receive(): Promise<readonly TerminationNotice[]> {
    const { Messages = [] } = await this.sqs.receiveMessage(
      {
        QueueUrl: await this.queueUrl(),
        MaxNumberOfMessages: 10,
        WaitTimeSeconds: this.wait,
        VisibilityTimeout: visibilitySeconds,
      },
      { abortSignal: this.closing.signal },
    );
    const notices: TerminationNotice[] = [];
    for (const { Body = '', ReceiptHandle = '' } of Messages) {
      const notice = parseNotice(Body, ReceiptHandle);
      if (notice) notices.push(notice);
      // AWS test notifications and unparseable messages would otherwise be redelivered for hours.
      else await this.deleteMessage(ReceiptHandle);
    }
    return notices;
  }

  async extend(notice: TerminationNotice): Promise<void> {
    if (notice.hook) await this.autoScaling.recordLifecycleActionHeartbeat(actionOf(notice, notice.hook));
    await this.sqs.changeMessageVisibility({
      QueueUrl: await this.queueUrl(),
      ReceiptHandle: notice.receipt,
      VisibilityTimeout: visibilitySeconds,
    });
  }

  async complete(notice: TerminationNotice): Promise<void> {
    if (notice.hook) await this.completeAction(actionOf(notice, notice.hook));
    await this.deleteMessage(notice.receipt);
  }

  /** Aborts long polling and closes the connections. */
  close(): void {
    this.closing.abort();
    this.sqs.destroy();
    this.autoScaling.destroy();
  }

  private async completeAction(action: ReturnType<typeof actionOf>): Promise<void> {
    try {
      await this.autoScaling.completeLifecycleAction({ ...action, LifecycleActionResult: 'CONTINUE' });
    } catch (error) {
      // The machine is gone or the action timed out, so there is nothing to complete.
      if (!/No active Lifecycle Action/i.test((error as Error).message)) throw error;
    }
  }

  private async deleteMessage(receipt: string): Promise<void> {
    await this.sqs.deleteMessage({ QueueUrl: await this.queueUrl(), ReceiptHandle: receipt });
  }

  private async queueUrl(): Promise<string> {
    this.url ??= (await this.sqs.getQueueUrl({ QueueName: this.name })).QueueUrl;
    return this.url ?? '';
  }
}

const actionOf = ({ machine }: TerminationNotice, { group, hook }: NonNullable<TerminationNotice['hook']>) => ({
  AutoScalingGroupName: group,
  LifecycleHookName: hook,
  InstanceId: machine,
});

/** Parses a lifecycle hook notice or a spot interruption warning; undefined for any other string. */
export function parseNotice(text: string, receipt: string): TerminationNotice | undefined {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return undefined;
  }
  const field = (...path: readonly string[]): string => textAt(message, ...path) ?? '';
  if (field('LifecycleTransition') === 'autoscaling:EC2_INSTANCE_TERMINATING') {
    const hook = { group: field('AutoScalingGroupName'), hook: field('LifecycleHookName') };
    return { machine: field('EC2InstanceId'), hook: hook, receipt };
  }
  if (field('source') === 'aws.ec2' && field('detail-type') === 'EC2 Spot Instance Interruption Warning')
    return { machine: field('detail', 'instance-id'), receipt };
  return undefined;
}
