import { type Cloud, type Made, type Wanted } from './cloud';

interface Thing extends Made {
  readonly type: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** What AWS never changes of a thing. */
const fixedFields: Readonly<Record<string, readonly string[]>> = {
  'aws:ec2/subnet:Subnet': ['availabilityZone', 'cidrBlock', 'vpcId'],
  'aws:ec2/vpc:Vpc': ['cidrBlock'],
  'aws:ebs/volume:Volume': ['availabilityZone', 'encrypted', 'kmsKeyId'],
  'aws:ec2/networkInterface:NetworkInterface': ['subnetId'],
};

/**
 * An AWS of one account that remembers what it was asked for, with what holds for all of its services: a thing refers
 * only to things that there are, and none goes while another refers to it.
 */
export class RememberedAws implements Cloud {
  readonly things = new Map<string, Thing>();
  #count = 0;

  create({ type, name, inputs, preview }: Wanted): Promise<Made> {
    if (preview) return Promise.resolve({ id: '', outputs: inputs });
    this.#refuseStrangers(type, inputs);
    const id = `${kindOf(type)}-${(++this.#count).toString(16).padStart(8, '0')}`;
    const thing: Thing = { type, id, inputs, outputs: { ...inputs, ...added(type, name, id) } };
    this.things.set(id, thing);
    return Promise.resolve(thing);
  }

  read(_type: string, id: string): Promise<Made | undefined> {
    return Promise.resolve(this.things.get(id));
  }

  update(id: string, { type, name, inputs, preview }: Wanted): Promise<Made> {
    const before = this.things.get(id);
    if (!before) throw new Error(`there is no ${id}`);
    const version = Number(before.outputs['latestVersion'] ?? 0) + 1;
    const outputs = { ...inputs, ...added(type, name, id, version) };
    if (preview) return Promise.resolve({ id, outputs });
    this.#refuseStrangers(type, inputs);
    const thing: Thing = { type, id, inputs, outputs };
    this.things.set(id, thing);
    return Promise.resolve(thing);
  }

  delete(_type: string, id: string): Promise<void> {
    const users = [...this.things.values()].filter(
      (thing) => thing.id !== id && referencesOf(thing.inputs).includes(id),
    );
    if (users.length > 0) throw new Error(`DependencyViolation: ${users.map((user) => user.id).join(', ')} uses ${id}`);
    this.things.delete(id);
    return Promise.resolve();
  }

  fixed(type: string): readonly string[] {
    return fixedFields[type] ?? [];
  }

  /** Things of a type, by the end of its name. */
  of(type: string): readonly Thing[] {
    return [...this.things.values()].filter((thing) => thing.type.endsWith(`:${type}`));
  }

  #refuseStrangers(type: string, inputs: Thing['inputs']): void {
    const strangers = referencesOf(inputs).filter((id) => !this.things.has(id));
    if (strangers.length > 0) throw new Error(`${type} refers to ${strangers.join(', ')}, which there is not`);
  }
}

const kindOf = (type: string): string => (type.split(':').at(-1) ?? '').toLowerCase();
/** Ids among values, in ARNs too. */
const referencesOf = (inputs: Thing['inputs']): string[] => [
  ...new Set(JSON.stringify(inputs).match(/\b[a-z]+-[0-9a-f]{8}\b/g) ?? []),
];

/** What AWS says of a new thing beside its arguments. */
const added = (type: string, name: string, id: string, version = 1): Record<string, unknown> => {
  const kind = kindOf(type);
  return {
    arn: kind === 'role' ? `arn:aws:iam::123456789012:role/shop-${name}` : `arn:aws:${kind}:::${id}`,
    ...(kind === 'key' && { keyId: keyId(id), arn: `arn:aws:kms:us-east-1:123456789012:key/${keyId(id)}` }),
    ...(kind === 'zone' && { zoneId: `Z${id.replace(/\D/g, '')}` }),
    ...(kind === 'launchtemplate' && { latestVersion: version }),
    ...(kind === 'vpcendpoint' && { prefixListId: `pl-${id}` }),
    ...(kind === 'eip' && { allocationId: id }),
    ...(kind === 'loadbalancer' && { dnsName: `${id}.elb.example.com`, zoneId: 'Z26RNL4JYFTOTI' }),
  };
};
const keyId = (id: string): string => `1234abcd-12ab-34cd-56ef-${id.replace(/\D/g, '').padStart(12, '0')}`;
