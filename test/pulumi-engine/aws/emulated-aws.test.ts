import { unknownValue } from '../cloud';
import { type Aws } from './aws';
import { EmulatedAws } from './emulated-aws';

// Invalid inputs must be rejected before AWS is called.
const aws = new EmulatedAws({} as Aws);
const type = 'aws:ec2/vpc:Vpc';
const inputs = { cidrBlock: '10.0.0.0/16', enableDnsSupport: true, enableDnsHostnames: true, tags: { Name: 'shop' } };
const invalidInputs = (resourceInputs: Readonly<Record<string, unknown>>): readonly string[] =>
  aws
    .invalidInputs({ type, name: 'vpc', inputs: resourceInputs })
    .map(({ property, reason }) => `${property} ${reason}`);

test('accepts known inputs, and values that are not known yet', () => {
  expect(invalidInputs(inputs)).toEqual([]);
  expect(invalidInputs({ ...inputs, cidrBlock: unknownValue, tags: { Name: unknownValue } })).toEqual([]);
});

test('rejects a misspelled, missing or mistyped input by its name', () => {
  const { enableDnsSupport: _left, ...rest } = inputs;
  const messages = invalidInputs({ ...rest, enableDnsHostnames: 'yes', enableDnsSuport: true });
  expect(messages.join('\n')).toMatch(/^enableDnsSupport [\s\S]*^enableDnsHostnames [\s\S]*"enableDnsSuport"/m);
  expect(messages).toHaveLength(3);
});

test('validates nested inputs', () => {
  const template = { blockDeviceMappings: [{ deviceName: '/dev/sda1', ebs: { kmsKey: 'arn:aws:kms:::key/1' } }] };
  const messages = aws.invalidInputs({ type: 'aws:ec2/launchTemplate:LaunchTemplate', name: 'a', inputs: template });
  expect(messages).toContainEqual({
    property: 'blockDeviceMappings.0.ebs',
    reason: expect.stringContaining('"kmsKey"') as unknown,
  });
});

test('rejects an unknown type', () => {
  expect(() => aws.invalidInputs({ type: 'aws:ec2/instance:Instance', name: 'a', inputs: {} })).toThrow(
    'unsupported type',
  );
});
