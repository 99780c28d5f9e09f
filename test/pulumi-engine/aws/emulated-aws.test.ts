import { unknownValue } from '../cloud';
import { type Aws } from './aws';
import { EmulatedAws } from './emulated-aws';

// What is refused is refused before AWS is asked.
const aws = new EmulatedAws({} as Aws);
const type = 'aws:ec2/vpc:Vpc';
const inputs = { cidrBlock: '10.0.0.0/16', enableDnsSupport: true, enableDnsHostnames: true, tags: { Name: 'shop' } };
const refused = (own: Readonly<Record<string, unknown>>): readonly string[] =>
  aws.refusals({ type, name: 'vpc', inputs: own }).map(({ property, reason }) => `${property} ${reason}`);

test('inputs that are known are taken, and so are values that nobody knows yet', () => {
  expect(refused(inputs)).toEqual([]);
  expect(refused({ ...inputs, cidrBlock: unknownValue, tags: { Name: unknownValue } })).toEqual([]);
});

test('an input that is misspelt, left out or of the wrong kind is refused by its name', () => {
  const { enableDnsSupport: _left, ...rest } = inputs;
  const faults = refused({ ...rest, enableDnsHostnames: 'yes', enableDnsSuport: true });
  expect(faults.join('\n')).toMatch(/^enableDnsSupport [\s\S]*^enableDnsHostnames [\s\S]*"enableDnsSuport"/m);
  expect(faults).toHaveLength(3);
});

test('a part of an input is looked at too', () => {
  const template = { blockDeviceMappings: [{ deviceName: '/dev/sda1', ebs: { kmsKey: 'arn:aws:kms:::key/1' } }] };
  const faults = aws.refusals({ type: 'aws:ec2/launchTemplate:LaunchTemplate', name: 'a', inputs: template });
  expect(faults).toContainEqual({
    property: 'blockDeviceMappings.0.ebs',
    reason: expect.stringContaining('"kmsKey"') as unknown,
  });
});

test('a type that nobody knows is no resource', () => {
  expect(() => aws.refusals({ type: 'aws:ec2/instance:Instance', name: 'a', inputs: {} })).toThrow('there is no type');
});
