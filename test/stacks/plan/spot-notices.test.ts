import { spotNoticesPlan } from '../../../stacks/plan/machines/spot-notices';
import { makeCapacity, makeCluster } from './make-cluster';

test('one rule sends spot interruption notices to the drain queue, and only that rule may', () => {
  const plan = spotNoticesPlan(makeCluster(), makeCapacity());
  expect(JSON.parse(plan?.rule.args.eventPattern ?? '')).toEqual({
    source: ['aws.ec2'],
    'detail-type': ['EC2 Spot Instance Interruption Warning'],
  });
  expect(plan?.target.args.rule).toBe(plan?.rule.args.name);
  expect(JSON.parse(plan?.queuePolicy.args.policy ?? '')).toMatchObject({
    Statement: [
      {
        Principal: { Service: 'events.amazonaws.com' },
        Action: 'sqs:SendMessage',
        Resource: 'arn:aws:sqs:us-east-1:123456789012:shop-drain',
        Condition: { ArnEquals: { 'aws:SourceArn': 'arn:aws:events:us-east-1:123456789012:rule/shop-spot-notices' } },
      },
    ],
  });
});

test('without spot machines there are no interruption notices', () => {
  const capacity = makeCapacity();
  const nodeGroups = capacity.nodeGroups.filter(({ kind }) => kind !== 'spot');
  expect(spotNoticesPlan(makeCluster(), { ...capacity, nodeGroups })).toBeUndefined();
});
