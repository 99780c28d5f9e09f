import { unknownValue } from '../cloud';
import { type Aws } from './aws';
import { EmulatedAws } from './emulated-aws';

// Invalid inputs must be rejected before AWS is called.
const aws = new EmulatedAws({} as Aws);
const type = 'aws:ec2/vpc:Vpc';
const inputs = { cidrBlock: '10.0.0.0/16', enableDnsSupport: true, enableDnsHostnames: true, tags: { Name: 'shop' } };
const rejected = (own: Readonly<Record<string, unknown>>): readonly string[] =>
  aws.refusals({ type, name: 'vpc', inputs: own }).map(({ property, reason }) => `${property} ${reason}`);

test('accepts known inputs, and values that are not known yet', () => {
  expect(rejected(inputs)).toEqual([]);
  expect(rejected({ ...inputs, cidrBlock: unknownValue, tags: { Name: unknownValue } })).toEqual([]);
});

test('rejects a misspelled, missing or mistyped input by its name', () => {
  const { enableDnsSupport: _left, ...rest } = inputs;
  const faults = rejected({ ...rest, enableDnsHostnames: 'yes', enableDnsSuport: true });
  expect(faults.join('\n')).toMatch(/^enableDnsSupport [\s\S]*^enableDnsHostnames [\s\S]*"enableDnsSuport"/m);
  expect(faults).toHaveLength(3);
});

test('validates nested inputs', () => {
  const template = { blockDeviceMappings: [{ deviceName: '/dev/sda1', ebs: { kmsKey: 'arn:aws:kms:::key/1' } }] };
  const faults = aws.refusals({ type: 'aws:ec2/launchTemplate:LaunchTemplate', name: 'a', inputs: template });
  expect(faults).toContainEqual({
    property: 'blockDeviceMappings.0.ebs',
    reason: expect.stringContaining('"kmsKey"') as unknown,
  });
});

test('rejects an unknown type', () => {
  expect(() => aws.refusals({ type: 'aws:ec2/instance:Instance', name: 'a', inputs: {} })).toThrow('there is no type');
});
