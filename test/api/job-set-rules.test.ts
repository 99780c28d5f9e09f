import { safeParseManifest, type Problem } from '../../lib/api';
import { schemaOf } from '../../lib/api/schemas';
import { evaluateCel } from '../../lib/api/rules/cel';
import { completionRules } from '../../lib/api/rules/completion-rules';
import { jobSetRules } from '../../lib/api/rules/job-set-rules';
import { cases } from '../problems/job-set.cases';

const specs = cases.flatMap(({ title, input }) => {
  const parsed = schemaOf('PinterestJobSet').safeParse((input as { spec: unknown }).spec);
  return parsed.success ? [[title, parsed.data as Readonly<Record<string, unknown>>] as const] : [];
});
// These compare two lists, which CEL can only do pair by pair.
const partlyInCel = ['shard-volumes-differ', 'shard-mounts-differ', 'shard-config-size'];
const rules = [...jobSetRules, ...completionRules].filter(({ name }) => !partlyInCel.includes(name));

test.each(rules.map((rule) => [rule.name, rule] as const))(
  '%s gives the same result in CEL as in its function',
  (_, rule) => {
    for (const [title, self] of specs) {
      const broken = rule.find ? rule.find(self).length > 0 : evaluateCel(rule.cel, { self }) === false;
      expect([title, evaluateCel(rule.cel, { self })]).toEqual([title, !broken]);
    }
  },
);

test('a schedule that never fires is a warning, and the manifest is still parsed', () => {
  const { manifest, problems } = safeParseManifest({
    apiVersion: 'pinterest.com/v1',
    kind: 'PinterestCronJob',
    metadata: { name: 'report', namespace: 'shop' },
    spec: {
      schedule: '0 0 30 2 *',
      template: { spec: { containers: [{ name: 'report', image: 'registry.example.com/report:1' }] } },
    },
  });
  expect(manifest).toBeDefined();
  expect(problems).toMatchObject([
    {
      code: 'invalid-combination',
      path: ['spec', 'schedule'],
      severity: 'warning',
      object: 'PinterestCronJob shop/report',
    },
  ] satisfies Partial<Problem>[]);
});
