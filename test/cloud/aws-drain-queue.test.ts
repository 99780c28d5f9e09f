import { SQS } from '@aws-sdk/client-sqs';
import { AwsDrainQueue } from '../../lib/cloud';
import { type TerminationNotice } from '../../lib/operations';
import { serve } from '../kube/client-fixture';
import { type Moto, motoMissing, openMoto } from './moto';

jest.setTimeout(60_000);

const notice = {
  LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
  EC2InstanceId: 'i-1',
  AutoScalingGroupName: 'prod-node-general',
  LifecycleHookName: 'drain',
  LifecycleActionToken: 'token',
};
const termination = { machine: 'i-1', hook: { group: 'prod-node-general', hook: 'drain' } };
const warning = {
  source: 'aws.ec2',
  'detail-type': 'EC2 Spot Instance Interruption Warning',
  detail: { 'instance-id': 'i-2', 'instance-action': 'terminate' },
};

const withMoto = motoMissing === undefined ? describe : describe.skip;
if (motoMissing !== undefined) test.skip(`the drain queue: ${motoMissing}`, () => undefined);

withMoto('the drain queue', () => {
  let moto: Moto;
  let sqs: SQS;
  beforeAll(async () => {
    moto = await openMoto();
    sqs = new SQS(moto.options);
  }, 90_000);
  afterAll(async () => {
    sqs.destroy();
    await moto.stop();
  });

  test('receives termination notices and deletes other messages', async () => {
    const { QueueUrl } = await sqs.createQueue({ QueueName: 'prod-drain' });
    for (const body of [notice, warning, { Event: 'autoscaling:TEST_NOTIFICATION' }, 'no JSON'])
      await sqs.sendMessage({ QueueUrl, MessageBody: typeof body === 'string' ? body : JSON.stringify(body) });
    const queue = new AwsDrainQueue('prod-drain', moto.options, 0);
    const receipt = expect.any(String) as unknown;
    const received: TerminationNotice[] = [];
    while (received.length < 2) received.push(...(await queue.receive()));
    expect(received.sort((a, b) => (a.machine < b.machine ? -1 : 1))).toEqual([
      { ...termination, receipt },
      { machine: 'i-2', receipt },
    ]);
    const { Attributes } = await sqs.getQueueAttributes({ QueueUrl, AttributeNames: ['All'] });
    expect([
      Attributes?.['ApproximateNumberOfMessages'],
      Attributes?.['ApproximateNumberOfMessagesNotVisible'],
    ]).toEqual(['0', '2']);
    queue.close();
  });
});

// A fake of the two calls that moto does not support.
test('extends and completes the lifecycle action; tolerates an expired one and a spot machine without a hook', async () => {
  const requests: string[] = [];
  const server = await serve(({ body, headers }, response) => {
    const target = String(headers['x-amz-target'] ?? '');
    if (target !== '') {
      requests.push(target);
      response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' });
      response.end(JSON.stringify(target.endsWith('GetQueueUrl') ? { QueueUrl: `${server.url}/1/prod-drain` } : {}));
      return;
    }
    const parameters = new URLSearchParams(body);
    requests.push(
      ['Action', 'InstanceId', 'LifecycleHookName', 'LifecycleActionResult']
        .map((key) => parameters.get(key))
        .join(' '),
    );
    const isSecond = requests.filter((line) => line.startsWith('Complete')).length > 1;
    response.writeHead(isSecond ? 400 : 200, { 'content-type': 'text/xml' });
    const action = parameters.get('Action') ?? '';
    response.end(
      isSecond
        ? '<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>No active Lifecycle Action found with instance ID i-1</Message></Error><RequestId>1</RequestId></ErrorResponse>'
        : `<${action}Response><${action}Result/></${action}Response>`,
    );
  });
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const queue = new AwsDrainQueue('prod-drain', { region: 'us-east-1', endpoint: server.url, credentials });
  await queue.extend({ ...termination, receipt: 'r' });
  await queue.complete({ ...termination, receipt: 'r' });
  await queue.complete({ ...termination, receipt: 'r' });
  await queue.extend({ machine: 'i-2', receipt: 's' });
  await queue.complete({ machine: 'i-2', receipt: 's' });
  queue.close();
  expect(requests).toEqual([
    'RecordLifecycleActionHeartbeat i-1 drain ',
    'AmazonSQS.GetQueueUrl',
    'AmazonSQS.ChangeMessageVisibility',
    'CompleteLifecycleAction i-1 drain CONTINUE',
    'AmazonSQS.DeleteMessage',
    'CompleteLifecycleAction i-1 drain CONTINUE',
    'AmazonSQS.DeleteMessage',
    'AmazonSQS.ChangeMessageVisibility',
    'AmazonSQS.DeleteMessage',
  ]);
});

test('aborts long polling when the queue is closed', async () => {
  let isWaiting = (): void => undefined;
  const waiting = new Promise<void>((resolve) => (isWaiting = resolve));
  const server = await serve(({ headers }, response) => {
    if (String(headers['x-amz-target']).endsWith('GetQueueUrl')) {
      response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' });
      response.end(JSON.stringify({ QueueUrl: `${server.url}/1/prod-drain` }));
    } else isWaiting();
  });
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const queue = new AwsDrainQueue('prod-drain', { region: 'us-east-1', endpoint: server.url, credentials });
  const received = queue.receive();
  await waiting;
  queue.close();
  await expect(received).rejects.toThrow(/abort/i);
});
