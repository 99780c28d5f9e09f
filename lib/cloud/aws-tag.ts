/** A tag as AWS writes it. */
export interface AwsTag {
  readonly Key?: string | undefined;
  readonly Value?: string | undefined;
}

/** The value of a tag; undefined where there is none. */
export const tagOf = (tags: readonly AwsTag[] | undefined, key: string): string | undefined =>
  tags?.find((tag) => tag.Key === key)?.Value;
