import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { checkNative, explainProblem, isTypeName } from '../../../lib/api';
import { type KubernetesObject } from '../../../lib/expand';

const folder = join(__dirname, '../../golden');
const cases = readdirSync(folder).filter((name) => /^(job-set|cron-job)-/.test(name));

test.each(cases)('every field of the objects of %s is a Kubernetes field', (name) => {
  const objects = loadAll(readFileSync(join(folder, name, 'objects.yaml'), 'utf8')) as KubernetesObject[];
  const problems: string[] = [];
  for (const object of objects) {
    if (!isTypeName(object.kind)) throw new Error(`no structure of ${object.kind}`);
    checkNative(object.kind, object, [], (problem) => problems.push(explainProblem(problem)));
  }
  expect(problems).toEqual([]);
});
