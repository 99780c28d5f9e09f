import { crdOf, pinionKinds } from '@pinion-platform/pinion/api';
import { readDocuments } from '../../lib/yaml';
import { pinion } from './terminal';

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('prints all kinds as YAML', async () => {
  const { code, out } = await pinion(['crds']);
  const kinds = Object.keys(pinionKinds) as (keyof typeof pinionKinds)[];
  expect(code).toBe(0);
  expect(readDocuments(out, 'out').documents.map(({ value }) => value)).toEqual(plain(kinds.map(crdOf)));
});

test.each(['PinterestService', 'pinterestservices', 'psvc'])('prints one kind by its name %s as JSON', async (name) => {
  const { out } = await pinion(['crds', name, '-o', 'json']);
  expect(JSON.parse(out)).toEqual(plain({ apiVersion: 'v1', kind: 'List', items: [crdOf('PinterestService')] }));
});
