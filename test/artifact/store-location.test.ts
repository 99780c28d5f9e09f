import { parseStoreLocation } from '../../lib/artifact';

test.each([
  ['/var/lib/artifacts', { folder: '/var/lib/artifacts' }],
  ['.pinion/artifacts', { folder: '.pinion/artifacts' }],
  ['s3:/odd', { folder: 's3:/odd' }],
  ['s3://bucket', { bucket: 'bucket' }],
  ['s3://bucket/', { bucket: 'bucket' }],
  ['s3://bucket///', { bucket: 'bucket' }],
  ['s3://bucket/store', { bucket: 'bucket', prefix: 'store' }],
  ['s3://bucket//a/b//', { bucket: 'bucket', prefix: 'a/b' }],
  ['gs://bucket/store', undefined],
  ['file:///store', undefined],
  ['s3://', undefined],
  ['s3:///store', undefined],
])('%s is %j', (text, location) => {
  expect(parseStoreLocation(text)).toEqual(location);
});
