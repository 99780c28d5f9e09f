import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { loadAll } from 'js-yaml';
import { checkNative, explainProblem, isTypeName } from '../../lib/api';
import { type KubernetesObject } from '../../lib/expand';
import { indexRanges } from '../../lib/expand/job';

test.each([
  [[0], '0'],
  [[3, 1, 2], '1-3'],
  [[0, 1, 3, 5, 6, 7, 7], '0-1,3,5-7'],
])('the indexes %p are written %p', (indexes, text) => expect(indexRanges(indexes)).toBe(text));

test('ranges of indexes name every index once', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(40), { minLength: 1 }), (indexes) => {
      const named = indexRanges(indexes)
        .split(',')
        .flatMap((range) => {
          const [from = 0, to = from] = range.split('-').map(Number);
          return Array.from({ length: to - from + 1 }, (_, at) => from + at);
        });
      expect(named).toEqual([...new Set(indexes)].sort((a, b) => a - b));
    }),
  );
});

const folder = join(__dirname, '../golden');
const cases = readdirSync(folder).filter((name) => /^(job-set|cron-job)-/.test(name));

test.each(cases)('Kubernetes knows every field of the objects of %s', (name) => {
  const objects = loadAll(readFileSync(join(folder, name, 'objects.yaml'), 'utf8')) as KubernetesObject[];
  const problems: string[] = [];
  for (const object of objects) {
    if (!isTypeName(object.kind)) throw new Error(`no structure of ${object.kind}`);
    checkNative(object.kind, object, [], (problem) => problems.push(explainProblem(problem)));
  }
  expect(problems).toEqual([]);
});
