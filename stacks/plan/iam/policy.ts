import { type ClusterConfig } from '../config/cluster-config';
import { kubernetesTag } from '../tags';

/** Conditions of an IAM statement: values by operator and key. */
export type Conditions = Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;

/** Returns a condition on the ownership tag of the cluster, of the resource or the request. */
export const ownedTag = (
  { name }: Pick<ClusterConfig, 'name'>,
  source: 'RequestTag' | 'ResourceTag',
  values: string | readonly string[] = 'owned',
): Readonly<Record<string, string | readonly string[]>> => ({ [`aws:${source}/${kubernetesTag(name)}`]: values });

/** Allow statement of an IAM policy. */
export interface IamStatement {
  /** Sid, unique within a role. */
  readonly name: string;
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly when?: Conditions;
}

/** Trusted principal of a role. */
export type Trust =
  { readonly service: string; readonly when?: Conditions } | { readonly issuer: string; readonly when: Conditions };

const version = '2012-10-17';

/** Returns the permissions policy of a role as JSON. */
export const policyText = (statements: readonly IamStatement[]): string =>
  JSON.stringify({
    Version: version,
    Statement: statements.map(({ name, actions, resources, when }) => ({
      Sid: name,
      Effect: 'Allow',
      Action: actions,
      Resource: resources,
      ...(when && { Condition: when }),
    })),
  });

/** Returns the trust policy of a role as JSON. */
export const trustText = (trust: Trust): string =>
  JSON.stringify({
    Version: version,
    Statement: [
      {
        Effect: 'Allow',
        Action: 'issuer' in trust ? 'sts:AssumeRoleWithWebIdentity' : 'sts:AssumeRole',
        Principal: 'issuer' in trust ? { Federated: trust.issuer } : { Service: trust.service },
        ...(trust.when && { Condition: trust.when }),
      },
    ],
  });

/** IDs that are known only after creation; policies contain placeholders until then. */
export interface CreatedIds {
  /** ID of the private hosted zone. */
  readonly zoneId: string;
  /** ID of the KMS key. */
  readonly keyId: string;
}

/** Returns the placeholder of a created ID. */
export const createdPlaceholder = (name: keyof CreatedIds): string => `<${name}>`;

/** Replaces all placeholders in a string. */
export const withCreated = (text: string, created: CreatedIds): string =>
  (Object.keys(created) as (keyof CreatedIds)[]).reduce(
    (result, name) => result.replaceAll(createdPlaceholder(name), created[name]),
    text,
  );
