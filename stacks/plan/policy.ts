import { type ClusterConfig } from './cluster-config';
import { kubernetesTag } from './tags';

/** Conditions of a statement: operator, key, value or values. */
export type Conditions = Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;

/** Holds a statement to what this cluster's programs made, or make with this tag. */
export const ownedTag = (
  { name }: Pick<ClusterConfig, 'name'>,
  of: 'RequestTag' | 'ResourceTag',
  values: string | readonly string[] = 'owned',
): Readonly<Record<string, string | readonly string[]>> => ({ [`aws:${of}/${kubernetesTag(name)}`]: values });

/** One thing that a role may do: actions, on what, when. */
export interface Allowance {
  /** Name of the statement, unique within a role. */
  readonly name: string;
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly when?: Conditions;
}

/** Who may take a role. */
export type Trust =
  { readonly service: string; readonly when?: Conditions } | { readonly issuer: string; readonly when: Conditions };

const version = '2012-10-17';

/** A policy as text: what a role may do. */
export const policyText = (allowances: readonly Allowance[]): string =>
  JSON.stringify({
    Version: version,
    Statement: allowances.map(({ name, actions, resources, when }) => ({
      Sid: name,
      Effect: 'Allow',
      Action: actions,
      Resource: resources,
      ...(when && { Condition: when }),
    })),
  });

/** A trust policy as text: who may take a role. */
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

/** What is known only once it was created, and stands in the texts of policies by a mark until then. */
export interface Created {
  /** Id of the private DNS zone. */
  readonly zoneId: string;
  /** Id of the cluster's key. */
  readonly keyId: string;
}

/** What stands for a created thing until it is there. */
export const createdMark = (name: keyof Created): string => `<${name}>`;

/** A text with what was created in the place of its marks. */
export const withCreated = (text: string, created: Created): string =>
  (Object.keys(created) as (keyof Created)[]).reduce(
    (filled, name) => filled.replaceAll(createdMark(name), created[name]),
    text,
  );
