import { type Before, type Cloud, type Made, type Refusal, unknownValue, type Values, type Wanted } from '../cloud';
import { type Aws, AwsError } from './aws';
import { type Mapping } from './mapping';
import { mappings } from './mappings';
import { isSame } from './same';

/**
 * An AWS that is emulated, behind the words of the provider: each type is made, read, changed and ended by the calls that the
 * provider makes. What was asked for and is not there afterwards is an error, unless the emulation is known to forget it.
 */
export class EmulatedAws implements Cloud {
  constructor(private readonly aws: Aws) {}

  /** As the provider does: nothing is made in another account than those that are allowed. */
  async configure(config: Values): Promise<void> {
    const allowed = JSON.parse(String(config['allowedAccountIds'] ?? '[]')) as readonly string[];
    const account = (await this.aws.call('sts', 'GetCallerIdentity')).text('Account');
    if (allowed.length > 0 && !allowed.includes(account)) throw new Error(`AWS account ID not allowed: ${account}`);
    if (config['region'] !== this.aws.region) throw new Error(`there is no region but ${this.aws.region} here`);
  }

  refusals({ type, inputs }: Omit<Wanted, 'preview'>): readonly Refusal[] {
    const { success, error } = mappingOf(type).shape.safeParse(inputs);
    if (success) return [];
    return error.issues
      .filter(({ path }) => !isUnknown(inputs, path))
      .map(({ path, message }) => ({ property: path.join('.'), reason: message }));
  }

  async create({ type, inputs, preview }: Wanted): Promise<Made> {
    if (preview) return { id: '', outputs: inputs };
    const id = await mappingOf(type).create(this.aws, inputs);
    return { id, outputs: await this.#asAsked(type, id, inputs) };
  }

  async read(type: string, id: string, known: Values): Promise<Made | undefined> {
    const { read, remembered = {} } = mappingOf(type);
    const said = await read(this.aws, id, inputsAmong(type, known));
    if (!said) return undefined;
    const kept = Object.entries(known).filter(([field, value]) => field in remembered || isSame(said[field], value));
    return { id, outputs: { ...said, ...Object.fromEntries(kept) } };
  }

  async update(id: string, { type, inputs, preview }: Wanted, { outputs }: Before): Promise<Made> {
    const { update, renewed = [] } = mappingOf(type);
    if (preview) {
      const lasting = Object.entries(outputs).filter(([name]) => !renewed.includes(name));
      return { id, outputs: { ...Object.fromEntries(lasting), ...inputs } };
    }
    if (!update) throw new Error(`nothing of ${type} can be changed`);
    await update(this.aws, id, inputs, inputsAmong(type, outputs));
    return { id, outputs: await this.#asAsked(type, id, inputs) };
  }

  async delete(type: string, id: string, known: Values): Promise<void> {
    const mapping = mappingOf(type);
    // What is gone already is as it is wanted.
    if (await mapping.read(this.aws, id, inputsAmong(type, known)))
      await mapping.delete(this.aws, id, inputsAmong(type, known));
  }

  fixed(type: string): readonly string[] {
    return mappingOf(type).fixed ?? [];
  }

  /** The one question that the stacks ask, with the provider's words where there is no answer. */
  async invoke(token: string, { bucket }: Values): Promise<Values> {
    if (token !== 'aws:s3/getBucket:getBucket') throw new Error(`nobody answers ${token}`);
    await this.aws.call('s3', 'HeadBucket', { Bucket: bucket }).catch((error: unknown) => {
      const code = error instanceof AwsError ? error.code : '';
      const reason = code === '404' ? "couldn't find resource" : `operation error S3: HeadBucket, StatusCode: ${code}`;
      throw new Error(`reading S3 Bucket (${String(bucket)}): ${reason}`);
    });
    return { bucket, arn: `arn:aws:s3:::${String(bucket)}` };
  }

  /** What AWS says of a new thing. Throws where that is not what was asked for. */
  async #asAsked(type: string, id: string, inputs: Values): Promise<Values> {
    const made = await this.read(type, id, inputs);
    if (!made) throw new Error(`${type} ${id} was made, and is not there`);
    const wrong = Object.keys(inputs).filter((field) => !isSame(made.outputs[field], inputs[field]));
    if (wrong.length === 0) return made.outputs;
    const told = wrong.map(
      (field) => `${field}: ${JSON.stringify(made.outputs[field])}, not ${JSON.stringify(inputs[field])}`,
    );
    throw new Error(`${type} ${id} is not as it was asked for: ${told.join('; ')}`);
  }
}

/** What is remembered because the emulation forgets it: type and input with the reason. */
export const forgotten: readonly string[] = Object.entries(mappings).flatMap(([type, { remembered = {} }]) =>
  Object.entries(remembered).map(([field, why]) => `${type.split(':').at(-1)} ${field}: ${why}`),
);

function mappingOf(type: string): Mapping {
  const one = mappings[type];
  if (!one) throw new Error(`there is no type ${type}`);
  return one;
}

/** What of a resource was asked for. */
const inputsAmong = (type: string, known: Values): Values => {
  const fields = Object.keys(mappingOf(type).shape.shape).filter((field) => known[field] !== undefined);
  return Object.fromEntries(fields.map((field) => [field, known[field]]));
};

/** Whether a value is not known yet, of which nothing can be said. */
function isUnknown(inputs: Values, path: readonly PropertyKey[]): boolean {
  const value = path.reduce<unknown>((whole, field) => (whole as Values | undefined)?.[field as string], inputs);
  return value === unknownValue;
}
