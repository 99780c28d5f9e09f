/** An AWS tag. */
export interface AwsTag {
  readonly Key?: string | undefined;
  readonly Value?: string | undefined;
}

/** Returns the value of a tag; undefined if it is missing. */
export const tagOf = (tags: readonly AwsTag[] | undefined, key: string): string | undefined =>
  tags?.find((tag) => tag.Key === key)?.Value;
