/** Where objects are kept: a folder, or a bucket of S3 and the beginning of all keys in it, without slashes at its ends. */
export type StorePlace = { readonly folder: string } | { readonly bucket: string; readonly prefix?: string };

/** Reads the path of a folder, or `s3://BUCKET/PREFIX`; undefined where a bucket is meant and not named, or another kind of store. */
export function storePlaceOf(text: string): StorePlace | undefined {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return { folder: text };
  const [, bucket, prefix] = /^s3:\/\/([^/]+)(?:\/+(.*?))?\/*$/.exec(text) ?? [];
  return bucket === undefined ? undefined : { bucket, ...(prefix && { prefix }) };
}
