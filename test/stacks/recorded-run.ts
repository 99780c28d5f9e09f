import { output, runtime, type Output } from '@pulumi/pulumi';
import { type RegisterResourceRequest, type RegisterResourceResponse } from '@pulumi/pulumi/proto/resource_pb';
import { deserializeProperties } from '@pulumi/pulumi/runtime/rpc';
import { MockMonitor } from '@pulumi/pulumi/runtime/mocks';
import { run } from '../../stacks/program';

/** A registered resource, as the engine receives it. */
export interface Recorded {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly custom: boolean;
  readonly inputs: Readonly<Record<string, unknown>>;
  /** URN of its parent; empty without a parent. */
  readonly parent: string;
  readonly provider: string;
  readonly protect: boolean;
  readonly ignoreChanges: readonly string[];
  /** URNs of its dependencies. */
  readonly dependencies: readonly string[];
  /** Inputs as sent, with secret and unknown markers. */
  readonly wire: () => string;
}

/** Result of a run of the program. */
export interface RecordedRun {
  readonly resources: readonly Recorded[];
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** Options of a run. */
export interface RunSettings {
  readonly stack: string;
  readonly config: Readonly<Record<string, unknown>>;
  /** Whether to run a preview, in which AWS outputs are unknown. @default false */
  readonly preview?: boolean;
  /** Bucket names that are used by another account. @default - none */
  readonly taken?: readonly string[];
  /** Outputs of other stacks by full name. @default - none */
  readonly references?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

type RegisterCallback = (error: unknown, response?: RegisterResourceResponse) => void;

/** Outputs that AWS computes. */
const created = (type: string, name: string, inputs: object) => ({
  ...inputs,
  arn: `arn:aws:test:::${type.split('/').at(-1)}/${name}`,
  ...(type === 'aws:kms/key:Key' && { keyId: '1234abcd-12ab-34cd-56ef-1234567890ab' }),
  ...(type === 'aws:kms/key:Key' && {
    arn: 'arn:aws:kms:us-east-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab',
  }),
  ...(type === 'aws:iam/role:Role' && { arn: `arn:aws:iam::123456789012:role/shop-${name}` }),
  ...(type === 'aws:route53/zone:Zone' && { zoneId: 'Z0123456789ABCDEFGHIJ' }),
  ...(type === 'aws:lb/loadBalancer:LoadBalancer' && { dnsName: 'api.elb.example.com', zoneId: 'Z26RNL4JYFTOTI' }),
  ...(type === 'aws:ec2/launchTemplate:LaunchTemplate' && { latestVersion: 7 }),
  ...(type === 'aws:ec2/vpcEndpoint:VpcEndpoint' && { prefixListId: 'pl-buckets' }),
  ...(type === 'aws:sqs/queue:Queue' && { url: `https://sqs.us-east-1.amazonaws.com/123456789012/${name}` }),
  ...(type === 'aws:ec2/eip:Eip' && { allocationId: `allocation-${name}` }),
});

const recorded = (request: RegisterResourceRequest, urn: string): Recorded => ({
  urn,
  type: request.getType(),
  name: request.getName(),
  custom: request.getCustom(),
  inputs: deserializeProperties(request.getObject() as never) as Recorded['inputs'],
  parent: request.getParent(),
  provider: request.getProvider(),
  protect: request.getProtect() === true,
  ignoreChanges: request.getIgnorechangesList(),
  dependencies: request.getDependenciesList(),
  wire: () => JSON.stringify(request.getObject()?.toJavaScript()),
});

/**
 * Runs the program of a stack as the engine does, with a fake AWS that assigns each resource an ID, an ARN and a version.
 */
export async function recordRun(settings: RunSettings): Promise<RecordedRun> {
  const { stack, config, preview = false, references = {}, taken = [] } = settings;
  const resources: Recorded[] = [];
  const newResource: ConstructorParameters<typeof MockMonitor>[0]['newResource'] = ({ type, name, inputs }) => {
    if (type === 'pulumi:pulumi:StackReference')
      return { id: name, state: { ...inputs, outputs: references[name] ?? {} } };
    return preview ? { id: undefined, state: inputs } : { id: `id-${name}`, state: created(type, name, inputs) };
  };
  const call: ConstructorParameters<typeof MockMonitor>[0]['call'] = ({ inputs }) => {
    // As gRPC transfers it.
    const details = 'operation error S3: HeadBucket, https response error StatusCode: 403';
    if (taken.includes(String(inputs['bucket']))) throw Object.assign(new Error(details), { details });
    return inputs;
  };
  await runtime.setMocks({ call, newResource }, 'pinion', stack, preview, 'organization');
  const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
  runtime.setAllConfig(
    Object.fromEntries(Object.entries(config).map(([key, value]) => [`pinion:${key}`, text(value)])),
  );
  const original = MockMonitor.prototype.registerResource;
  const spy = jest.spyOn(MockMonitor.prototype, 'registerResource').mockImplementation(function (
    this: MockMonitor,
    request: RegisterResourceRequest,
    callback: RegisterCallback,
  ) {
    return original.call(this, request, (error: unknown, response?: RegisterResourceResponse) => {
      if (response) resources.push(recorded(request, response.getUrn()));
      callback(error, response);
    });
  });
  // The engine's library formats a stack trace for each of its promises.
  const frames = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    const outputs = await run();
    await runtime.disconnect();
    return { resources, outputs: await resolveOutputs(outputs) };
  } finally {
    Error.stackTraceLimit = frames;
    spy.mockRestore();
  }
}

/** Returns the values of outputs; undefined for unknown ones. */
const resolveOutputs = async (outputs: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(outputs).map(async ([name, value]) => {
        const outputValue = output(value) as Output<unknown> & {
          promise(): Promise<unknown>;
          isKnown: Promise<boolean>;
        };
        return [name, (await outputValue.isKnown) ? await outputValue.promise() : undefined] as const;
      }),
    ),
  );
