import { NoSuchKey, S3, S3ServiceException } from '@aws-sdk/client-s3';
import { StoreInaccessible, type ObjectEntry, type Objects } from '../artifact';
import { type AwsOptions } from './aws-clients';

/** Times that a creation is tried which S3 calls off because another one of that key goes on. */
const tries = 5;

/** Where in S3 objects are kept. */
export interface S3Place {
  readonly bucket: string;
  /** Beginning of all keys, without slashes at its ends. @default - none */
  readonly prefix?: string;
}

/** Objects of a bucket; S3 itself sees to it that an object is created once (If-None-Match), whole and for good. */
export class S3Objects implements Objects {
  private readonly s3: S3;

  constructor(
    private readonly place: S3Place,
    options: Partial<AwsOptions> = {},
  ) {
    // Buckets of an endpoint of one's own have no host names of their own.
    this.s3 = new S3({ ...options, maxAttempts: 5, forcePathStyle: options.endpoint !== undefined });
  }

  get name(): string {
    return `s3://${[this.place.bucket, this.place.prefix].filter(Boolean).join('/')}`;
  }

  create(key: string, bytes: Uint8Array): Promise<boolean> {
    const put = async (left: number): Promise<boolean> => {
      try {
        await this.s3.putObject({ Bucket: this.place.bucket, Key: this.keyOf(key), Body: bytes, IfNoneMatch: '*' });
        return true;
      } catch (error) {
        if (!(error instanceof S3ServiceException)) throw error;
        if (error.name === 'PreconditionFailed') return false;
        if (error.name !== 'ConditionalRequestConflict' || left === 0) throw error;
        return put(left - 1);
      }
    };
    return this.attempt(() => put(tries));
  }

  read(key: string): Promise<Uint8Array | undefined> {
    return this.attempt(async () => {
      try {
        const { Body } = await this.s3.getObject({ Bucket: this.place.bucket, Key: this.keyOf(key) });
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
      const begin = this.keyOf('');
      let next: string | undefined;
      do {
        const { Contents = [], NextContinuationToken } = await this.s3.listObjectsV2({
          Bucket: this.place.bucket,
          Prefix: this.keyOf(prefix),
          ...(next !== undefined && { ContinuationToken: next }),
        });
        for (const { Key = '', LastModified } of Contents)
          entries.push({ key: Key.slice(begin.length), created: LastModified?.getTime() ?? 0 });
        next = NextContinuationToken;
      } while (next !== undefined);
      return entries.sort((a, b) => (a.key < b.key ? -1 : 1));
    });
  }

  async remove(key: string): Promise<void> {
    await this.attempt(() => this.s3.deleteObject({ Bucket: this.place.bucket, Key: this.keyOf(key) }));
  }

  /** S3 keeps nothing of an upload that was cut off. */
  removeDrafts(): Promise<number> {
    return Promise.resolve(0);
  }

  /** Lets go of connections. */
  close(): void {
    this.s3.destroy();
  }

  private readonly keyOf = (key: string): string => (this.place.prefix ? `${this.place.prefix}/${key}` : key);

  private async attempt<T>(action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (cause) {
      throw new StoreInaccessible(`${this.name}: ${(cause as Error).message}`, { cause });
    }
  }
}
