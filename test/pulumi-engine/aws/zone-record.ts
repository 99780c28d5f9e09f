import * as z from 'zod';
import { type Aws } from './aws';
import { findResource } from './find-resource';
import { mapping } from './mapping';
import { emulatedId } from './zone';

const shape = z.strictObject({
  zoneId: z.string(),
  name: z.string(),
  type: z.literal('A'),
  aliases: z.tuple([z.strictObject({ name: z.string(), zoneId: z.string(), evaluateTargetHealth: z.boolean() })]),
});
type Inputs = z.output<typeof shape>;

async function change(aws: Aws, Action: 'CREATE' | 'UPSERT' | 'DELETE', inputs: Inputs): Promise<void> {
  const [{ name, zoneId, evaluateTargetHealth }] = inputs.aliases;
  const AliasTarget = { DNSName: name, HostedZoneId: zoneId, EvaluateTargetHealth: evaluateTargetHealth };
  const ResourceRecordSet = { Name: inputs.name, Type: inputs.type, AliasTarget };
  await aws.call('route53', 'ChangeResourceRecordSets', {
    HostedZoneId: emulatedId(inputs.zoneId),
    ChangeBatch: { Changes: [{ Action, ResourceRecordSet }] },
  });
}

/** `aws.route53.Record`, an alias. */
export const zoneRecord = mapping({
  shape,
  immutable: ['zoneId', 'name', 'type'],
  async create(aws, inputs) {
    await change(aws, 'CREATE', inputs);
    return `${inputs.zoneId}_${inputs.name}_${inputs.type}`;
  },
  async read(aws, _id, { zoneId, name, type }) {
    const response = await findResource(
      aws.call('route53', 'ListResourceRecordSets', { HostedZoneId: emulatedId(zoneId) }),
    );
    const one = response
      ?.list('ResourceRecordSets')
      .find((record) => record.text('Name').replace(/\.$/, '') === name && record.at('Type') === type);
    if (!one) return undefined;
    const target = one.part('AliasTarget');
    const aliases = [
      {
        name: target.text('DNSName').replace(/\.$/, ''),
        zoneId: target.at('HostedZoneId'),
        evaluateTargetHealth: target.at('EvaluateTargetHealth'),
      },
    ];
    return { zoneId, name, type, aliases, fqdn: name };
  },
  update: (aws, _id, inputs) => change(aws, 'UPSERT', inputs),
  delete: (aws, _id, known) => change(aws, 'DELETE', known),
});
