import { AutoScaling } from '@aws-sdk/client-auto-scaling';
import { SQS } from '@aws-sdk/client-sqs';
import { type Departure, type DrainQueue } from '../operations';
import { type AwsOptions } from './aws-clients';

/** Seconds that a notice is kept from others, and after which it comes again. */
const holdSeconds = 15;

/** Seconds that is waited for a notice: the longest that SQS allows. */
const waitSeconds = 20;

/** The queue that the lifecycle hooks of Auto Scaling groups write to. */
export class AwsDrainQueue implements DrainQueue {
  private readonly sqs: SQS;
  private readonly autoScaling: AutoScaling;
  private url: string | undefined;

  constructor(
    private readonly name: string,
    options: AwsOptions,
    private readonly wait = waitSeconds,
  ) {
    this.sqs = new SQS({ ...options, maxAttempts: 5 });
    this.autoScaling = new AutoScaling({ ...options, maxAttempts: 5 });
  }

  async receive(): Promise<readonly Departure[]> {
    const { Messages = [] } = await this.sqs.receiveMessage({
      QueueUrl: await this.queueUrl(),
      MaxNumberOfMessages: 10,
      WaitTimeSeconds: this.wait,
      VisibilityTimeout: holdSeconds,
    });
    const departures: Departure[] = [];
    for (const { Body = '', ReceiptHandle = '' } of Messages) {
      const departure = readNotice(Body, ReceiptHandle);
      if (departure) departures.push(departure);
      // What AWS sends to try the queue, and what nobody can read, would come again for hours.
      else await this.forget(ReceiptHandle);
    }
    return departures;
  }

  async hold(departure: Departure): Promise<void> {
    await this.autoScaling.recordLifecycleActionHeartbeat(actionOf(departure));
    await this.sqs.changeMessageVisibility({
      QueueUrl: await this.queueUrl(),
      ReceiptHandle: departure.receipt,
      VisibilityTimeout: holdSeconds,
    });
  }

  async letGo(departure: Departure): Promise<void> {
    try {
      await this.autoScaling.completeLifecycleAction({ ...actionOf(departure), LifecycleActionResult: 'CONTINUE' });
    } catch (error) {
      // The machine said so itself, or is gone: there is no action left to complete.
      if (!/No active Lifecycle Action/i.test((error as Error).message)) throw error;
    }
    await this.forget(departure.receipt);
  }

  /** Closes the connections. */
  close(): void {
    this.sqs.destroy();
    this.autoScaling.destroy();
  }

  private async forget(receipt: string): Promise<void> {
    await this.sqs.deleteMessage({ QueueUrl: await this.queueUrl(), ReceiptHandle: receipt });
  }

  private async queueUrl(): Promise<string> {
    this.url ??= (await this.sqs.getQueueUrl({ QueueName: this.name })).QueueUrl;
    return this.url ?? '';
  }
}

const actionOf = ({ group, hook, machine }: Departure) => ({
  AutoScalingGroupName: group,
  LifecycleHookName: hook,
  InstanceId: machine,
});

/** Reads the notice of a hook on machines that are to end; undefined for any other text. */
export function readNotice(text: string, receipt: string): Departure | undefined {
  let said: Readonly<Record<string, unknown>>;
  try {
    said = JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
  const { LifecycleTransition, EC2InstanceId, AutoScalingGroupName, LifecycleHookName } = said ?? {};
  if (LifecycleTransition !== 'autoscaling:EC2_INSTANCE_TERMINATING') return undefined;
  return {
    machine: String(EC2InstanceId),
    group: String(AutoScalingGroupName),
    hook: String(LifecycleHookName),
    receipt,
  };
}
