import {
  type PreviousState,
  type Cloud,
  type CreatedResource,
  type InvalidInput,
  unknownValue,
  type Values,
  type DesiredResource,
} from '../cloud';
import { type Aws, AwsError } from './aws';
import { type Mapping } from './mapping';
import { mappings } from './mappings';
import { isSame } from './is-same';

/**
 * An emulated AWS with the interface of the provider: each type is created, read, updated and deleted by the calls that
 * the
 * provider makes. A requested input that is missing afterwards is an error, unless the emulation is known to drop it.
 */
export class EmulatedAws implements Cloud {
  constructor(private readonly aws: Aws) {}

  /** Rejects accounts that are not allowed, as the provider does. */
  async configure(config: Values): Promise<void> {
    const allowed = JSON.parse(String(config['allowedAccountIds'] ?? '[]')) as readonly string[];
    const account = (await this.aws.call('sts', 'GetCallerIdentity')).text('Account');
    if (allowed.length > 0 && !allowed.includes(account)) throw new Error(`AWS account ID not allowed: ${account}`);
    if (config['region'] !== this.aws.region) throw new Error(`the only region is ${this.aws.region}`);
  }

  invalidInputs({ type, inputs }: Omit<DesiredResource, 'preview'>): readonly InvalidInput[] {
    const { success, error } = mappingOf(type).shape.safeParse(inputs);
    if (success) return [];
    return error.issues
      .filter(({ path }) => !isUnknown(inputs, path))
      .map(({ path, message }) => ({ property: path.join('.'), reason: message }));
  }

  async create({ type, inputs, preview }: DesiredResource): Promise<CreatedResource> {
    if (preview) return { id: '', outputs: inputs };
    const id = await mappingOf(type).create(this.aws, inputs);
    return { id, outputs: await this.#readVerified(type, id, inputs) };
  }

  async read(type: string, id: string, known: Values): Promise<CreatedResource | undefined> {
    const { read, dropped = {} } = mappingOf(type);
    const actual = await read(this.aws, id, inputsAmong(type, known));
    if (!actual) return undefined;
    const kept = Object.entries(known).filter(([field, value]) => field in dropped || isSame(actual[field], value));
    return { id, outputs: { ...actual, ...Object.fromEntries(kept) } };
  }

  async update(
    id: string,
    { type, inputs, preview }: DesiredResource,
    { outputs }: PreviousState,
  ): Promise<CreatedResource> {
    const { update, recomputed = [] } = mappingOf(type);
    if (preview) {
      const unchanged = Object.entries(outputs).filter(([name]) => !recomputed.includes(name));
      return { id, outputs: { ...Object.fromEntries(unchanged), ...inputs } };
    }
    if (!update) throw new Error(`${type} cannot be updated`);
    await update(this.aws, id, inputs, inputsAmong(type, outputs));
    return { id, outputs: await this.#readVerified(type, id, inputs) };
  }

  async delete(type: string, id: string, known: Values): Promise<void> {
    const mapping = mappingOf(type);
    // A missing resource counts as deleted.
    if (await mapping.read(this.aws, id, inputsAmong(type, known)))
      await mapping.delete(this.aws, id, inputsAmong(type, known));
  }

  fixed(type: string): readonly string[] {
    return mappingOf(type).immutable ?? [];
  }

  /** The only function that the stacks invoke, with the provider's error messages. */
  async invoke(token: string, { bucket }: Values): Promise<Values> {
    if (token !== 'aws:s3/getBucket:getBucket') throw new Error(`no function ${token}`);
    await this.aws.call('s3', 'HeadBucket', { Bucket: bucket }).catch((error: unknown) => {
      const code = error instanceof AwsError ? error.code : '';
      const reason = code === '404' ? "couldn't find resource" : `operation error S3: HeadBucket, StatusCode: ${code}`;
      throw new Error(`reading S3 Bucket (${String(bucket)}): ${reason}`);
    });
    return { bucket, arn: `arn:aws:s3:::${String(bucket)}` };
  }

  /** Returns what AWS reports of a new resource. Throws if it differs from the request. */
  async #readVerified(type: string, id: string, inputs: Values): Promise<Values> {
    const resource = await this.read(type, id, inputs);
    if (!resource) throw new Error(`${type} ${id} was created but does not exist`);
    const wrong = Object.keys(inputs).filter((field) => !isSame(resource.outputs[field], inputs[field]));
    if (wrong.length === 0) return resource.outputs;
    const differences = wrong.map(
      (field) => `${field}: ${JSON.stringify(resource.outputs[field])}, not ${JSON.stringify(inputs[field])}`,
    );
    throw new Error(`${type} ${id} differs from its inputs: ${differences.join('; ')}`);
  }
}

/** Inputs that are kept because the emulation drops them, each with its type and the reason. */
export const droppedInputs: readonly string[] = Object.entries(mappings).flatMap(([type, { dropped = {} }]) =>
  Object.entries(dropped).map(([field, why]) => `${type.split(':').at(-1)} ${field}: ${why}`),
);

function mappingOf(type: string): Mapping {
  const one = mappings[type];
  if (!one) throw new Error(`unsupported type ${type}`);
  return one;
}

/** Returns the inputs of a resource that AWS reports. */
const inputsAmong = (type: string, known: Values): Values => {
  const fields = Object.keys(mappingOf(type).shape.shape).filter((field) => known[field] !== undefined);
  return Object.fromEntries(fields.map((field) => [field, known[field]]));
};

/** Returns whether a value is not known yet and cannot be validated. */
function isUnknown(inputs: Values, path: readonly PropertyKey[]): boolean {
  const value = path.reduce<unknown>((whole, field) => (whole as Values | undefined)?.[field as string], inputs);
  return value === unknownValue;
}
