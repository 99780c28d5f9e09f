import { NoSuchKey, S3, S3ServiceException } from '@aws-sdk/client-s3';
import { StoreUnavailable, type ObjectEntry, type BlobStore } from '../artifact';
import { type AwsOptions } from './aws-clients';

/** Retries of a write that S3 rejects because of a concurrent write of the same key. */
const conflictRetries = 5;

/** Location of objects in S3. */
export interface S3Location {
  readonly bucket: string;
  /** Prefix of all keys, without leading and trailing slashes. @default - none */
  readonly prefix?: string;
}

/** Objects of an S3 bucket. S3 creates an object at most once (If-None-Match) and never partially. */
export class S3Objects implements BlobStore {
  private readonly s3: S3;

  constructor(
    private readonly location: S3Location,
    options: Partial<AwsOptions> = {},
  ) {
    // Custom endpoints do not resolve a host name per bucket.
    this.s3 = new S3({ ...options, maxAttempts: 5, forcePathStyle: options.endpoint !== undefined });
  }

  get name(): string {
    return `s3://${[this.location.bucket, this.location.prefix].filter(Boolean).join('/')}`;
  }

  create(key: string, bytes: Uint8Array): Promise<boolean> {
    const put = async (retries: number): Promise<boolean> => {
      try {
        await this.s3.putObject({ Bucket: this.location.bucket, Key: this.keyOf(key), Body: bytes, IfNoneMatch: '*' });
        return true;
      } catch (error) {
        if (!(error instanceof S3ServiceException)) throw error;
        if (error.name === 'PreconditionFailed') return false;
        if (error.name !== 'ConditionalRequestConflict' || retries === 0) throw error;
        return put(retries - 1);
      }
    };
    return this.attempt(() => put(conflictRetries));
  }

  read(key: string): Promise<Uint8Array | undefined> {
    return this.attempt(async () => {
      try {
        const { Body } = await this.s3.getObject({ Bucket: this.location.bucket, Key: this.keyOf(key) });
        return await Body?.transformToByteArray();
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined;
        throw error;
      }
    });
  }

  list(prefix: string): Promise<readonly ObjectEntry[]> {
    return this.attempt(async () => {
      const entries: ObjectEntry[] = [];
      const root = this.keyOf('');
      let next: string | undefined;
      do {
        const { Contents = [], NextContinuationToken } = await this.s3.listObjectsV2({
          Bucket: this.location.bucket,
          Prefix: this.keyOf(prefix),
          ...(next !== undefined && { ContinuationToken: next }),
        });
        for (const { Key = '', LastModified } of Contents)
          entries.push({ key: Key.slice(root.length), created: LastModified?.getTime() ?? 0 });
        next = NextContinuationToken;
      } while (next !== undefined);
      return entries.sort((a, b) => (a.key < b.key ? -1 : 1));
    });
  }

  async remove(key: string): Promise<void> {
    await this.attempt(() => this.s3.deleteObject({ Bucket: this.location.bucket, Key: this.keyOf(key) }));
  }

  /** Removes nothing: S3 discards incomplete uploads. */
  removeDrafts(): Promise<number> {
    return Promise.resolve(0);
  }

  /** Closes the connections. */
  close(): void {
    this.s3.destroy();
  }

  private readonly keyOf = (key: string): string => (this.location.prefix ? `${this.location.prefix}/${key}` : key);

  private async attempt<T>(action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (cause) {
      throw new StoreUnavailable(`${this.name}: ${(cause as Error).message}`, { cause });
    }
  }
}
