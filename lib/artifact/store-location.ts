/** Location of a blob store: a folder, or an S3 bucket and a key prefix without leading or trailing slash. */
export type StoreLocation = { readonly folder: string } | { readonly bucket: string; readonly prefix?: string };

/** Parses the path of a folder or `s3://BUCKET/PREFIX`; undefined for any other URL. */
export function parseStoreLocation(text: string): StoreLocation | undefined {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return { folder: text };
  const [, bucket, prefix] = /^s3:\/\/([^/]+)(?:\/+(.*?))?\/*$/.exec(text) ?? [];
  return bucket === undefined ? undefined : { bucket, ...(prefix && { prefix }) };
}
