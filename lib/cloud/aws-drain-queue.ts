import { AutoScaling } from '@aws-sdk/client-auto-scaling';
import { SQS } from '@aws-sdk/client-sqs';
import { textAt } from '../api';
import { type Departure, type DrainQueue } from '../operations';
import { type AwsOptions } from './aws-clients';

/** Seconds that a notice is kept from others, and after which it comes again. */
const holdSeconds = 15;

/** Seconds that is waited for a notice: the longest that SQS allows. */
const waitSeconds = 20;

/** The queue that the lifecycle hooks of Auto Scaling groups write to, and the notices of spot machines that AWS takes. */
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

  async receive(): Promise<readonly Departure[]> {
    const { Messages = [] } = await this.sqs.receiveMessage(
      {
        QueueUrl: await this.queueUrl(),
        MaxNumberOfMessages: 10,
        WaitTimeSeconds: this.wait,
        VisibilityTimeout: holdSeconds,
      },
      { abortSignal: this.closing.signal },
    );
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
    if (departure.held) await this.autoScaling.recordLifecycleActionHeartbeat(actionOf(departure, departure.held));
    await this.sqs.changeMessageVisibility({
      QueueUrl: await this.queueUrl(),
      ReceiptHandle: departure.receipt,
      VisibilityTimeout: holdSeconds,
    });
  }

  async letGo(departure: Departure): Promise<void> {
    if (departure.held) await this.complete(actionOf(departure, departure.held));
    await this.forget(departure.receipt);
  }

  /** Ends the wait for notices, and closes the connections. */
  close(): void {
    this.closing.abort();
    this.sqs.destroy();
    this.autoScaling.destroy();
  }

  private async complete(action: ReturnType<typeof actionOf>): Promise<void> {
    try {
      await this.autoScaling.completeLifecycleAction({ ...action, LifecycleActionResult: 'CONTINUE' });
    } catch (error) {
      // The machine is gone, or its time was over: there is no action left to complete.
      if (!/No active Lifecycle Action/i.test((error as Error).message)) throw error;
    }
  }

  private async forget(receipt: string): Promise<void> {
    await this.sqs.deleteMessage({ QueueUrl: await this.queueUrl(), ReceiptHandle: receipt });
  }

  private async queueUrl(): Promise<string> {
    this.url ??= (await this.sqs.getQueueUrl({ QueueName: this.name })).QueueUrl;
    return this.url ?? '';
  }
}

const actionOf = ({ machine }: Departure, { group, hook }: NonNullable<Departure['held']>) => ({
  AutoScalingGroupName: group,
  LifecycleHookName: hook,
  InstanceId: machine,
});

/** Reads the notice of a hook on machines that are to end, or of a spot machine that AWS takes; undefined for any other text. */
export function readNotice(text: string, receipt: string): Departure | undefined {
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch {
    return undefined;
  }
  const at = (...path: readonly string[]): string => textAt(said, ...path) ?? '';
  if (at('LifecycleTransition') === 'autoscaling:EC2_INSTANCE_TERMINATING') {
    const held = { group: at('AutoScalingGroupName'), hook: at('LifecycleHookName') };
    return { machine: at('EC2InstanceId'), held, receipt };
  }
  if (at('source') === 'aws.ec2' && at('detail-type') === 'EC2 Spot Instance Interruption Warning')
    return { machine: at('detail', 'instance-id'), receipt };
  return undefined;
}
