import { createHash } from 'node:crypto';
import { type ResponseLaunchTemplateData } from '@aws-sdk/client-ec2';
import { tagKeys } from '../api';
import { type TemplateContent } from '../operations';
import { tagOf } from './aws-tag';

/** Maximum length of a value; longer ones, such as user data, are replaced by a digest. */
const maxLength = 60;

/** Display names of AWS fields. */
const names: Readonly<Record<string, string>> = {
  ImageId: 'image',
  InstanceType: 'instance type',
  UserData: 'user data',
};

/** Returns the flattened values of a template, so that versions can be compared value by value. */
export function templateContent({ TagSpecifications = [], ...data }: ResponseLaunchTemplateData): TemplateContent {
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(data)) collect(fields, names[name] ?? name, value);
  for (const { ResourceType = '', Tags = [] } of TagSpecifications)
    for (const { Key = '', Value = '' } of Tags) fields[`tag ${Key} of ${ResourceType}`] = shortened(Value);
  const instance = TagSpecifications.find(({ ResourceType }) => ResourceType === 'instance');
  const kubernetes = tagOf(instance?.Tags, tagKeys.kubernetes);
  return { fields, ...(kubernetes !== undefined && { kubernetes }) };
}

function collect(fields: Record<string, string>, name: string, value: unknown): void {
  if (value === undefined || value === null) return;
  if (typeof value !== 'object') {
    fields[name] = shortened(String(value));
    return;
  }
  for (const [key, entry] of Object.entries(value)) collect(fields, `${name}.${key}`, entry);
}

const shortened = (text: string): string =>
  text.length <= maxLength ? text : `#${createHash('sha256').update(text).digest('hex').slice(0, 8)}`;
