import { S3 } from '@aws-sdk/client-s3';
import { ArtifactStore, StoreUnavailable } from '../../lib/artifact';
import { S3Objects } from '../../lib/cloud';
import { storeContract } from '../artifact/store-contract';
import { type Moto, motoMissing, openMoto } from './moto';

jest.setTimeout(300_000);

const withMoto = motoMissing === undefined ? describe : describe.skip;
if (motoMissing !== undefined) test.skip(`artifacts in S3: ${motoMissing}`, () => undefined);

withMoto('a store in S3', () => {
  let moto: Moto;
  let s3: S3;
  let count = 0;
  const opened: S3Objects[] = [];
  const open = (bucket: string, prefix?: string): S3Objects => {
    const objects = new S3Objects({ bucket, ...(prefix !== undefined && { prefix }) }, moto.options);
    opened.push(objects);
    return objects;
  };
  beforeAll(async () => {
    moto = await openMoto();
    s3 = new S3({ ...moto.options, forcePathStyle: true });
    await s3.createBucket({ Bucket: 'artifacts' });
  });
  afterAll(async () => {
    for (const objects of opened) objects.close();
    s3.destroy();
    await moto.stop();
  });

  storeContract(() => open('artifacts', `test-${count++}`));

  test('separates stores by prefix and bucket', async () => {
    const [one, two] = [open('artifacts', 'one'), open('artifacts', 'one-more')];
    await one.create('contents/a', Buffer.from('a'));
    expect((await two.list('contents/')).length).toBe(0);
    expect((await one.list('contents/')).map(({ key }) => key)).toEqual(['contents/a']);
    expect(one.name).toBe('s3://artifacts/one');
    const bucket = open('artifacts');
    expect(Buffer.from((await bucket.read('one/contents/a')) ?? []).toString()).toBe('a');
  });

  test('lists more objects than one page holds', async () => {
    const objects = open('artifacts', 'many');
    const keys = Array.from({ length: 31 }, (_, index) => `holds/${index + 10}`);
    await Promise.all(keys.map((key) => objects.create(key, Buffer.from('{}'))));
    expect((await objects.list('holds/')).map(({ key }) => key)).toEqual(keys);
  });

  test('names a missing bucket in the error', async () => {
    const store = new ArtifactStore(open('nowhere', 'x'));
    await expect(store.versions()).rejects.toThrow(StoreUnavailable);
    await expect(store.hold('sha256:0', 'x')).rejects.toThrow('s3://nowhere/x');
  });
});
