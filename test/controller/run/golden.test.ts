import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { parseManifest, metadataKeys, type ManifestInput, type PlatformManifest } from '../../../lib/api';
import { planRun } from '../../../lib/controller/run/plan-run';
import { expand, needsController, resolvePlatform, type KubernetesObject } from '../../../lib/expand';
import { type RunManifest } from '../simulated-run';

const goldens = join(__dirname, '..', '..', 'golden');
const documents = (path: string): ManifestInput[] =>
  existsSync(path) ? (loadAll(readFileSync(path, 'utf8')) as ManifestInput[]) : [];
const runToCompletionCases = readdirSync(goldens).filter((name) => /^(job-set|training-job)-/.test(name));

test.each(runToCompletionCases)(
  'golden case %s: planRun changes nothing in Jobs that the native API accepts',
  (name) => {
    const workload = parseManifest(documents(join(goldens, name, 'input.yaml'))[0] as ManifestInput) as RunManifest;
    const platform = documents(join(goldens, name, 'platform.yaml')).map((input) =>
      parseManifest(input),
    ) as PlatformManifest[];
    const context = resolvePlatform(platform).project(workload.metadata.namespace);
    const desired = expand(workload, context);
    const runPlan = planRun({
      workload,
      desired,
      observed: { owned: [], child: () => undefined },
      pods: [],
      record: { restarts: 0, succeeded: {}, failed: {} },
      schedulerSupportsGangs: true,
      freeNodes: () => [],
      now: 0,
    });
    // Rejected native fields may suspend Jobs; all other fields are equal.
    const accepted = needsController(workload, context).length === 0;
    if (accepted) expect(runPlan.desired).toHaveLength(desired.length);
    const byName = new Map(desired.map((object) => [`${object.kind}/${object.metadata.name}`, object]));
    for (const object of runPlan.desired)
      expect(bare(object)).toEqual(bare(byName.get(`${object.kind}/${object.metadata.name}`)));
  },
);

/** Returns objects without the fields that only the controller sets: suspension, TTL, and its annotation. */
function bare(object: KubernetesObject | undefined): unknown {
  if (object?.kind !== 'Job') return object;
  const { ttlSecondsAfterFinished: _, suspend: __, ...spec } = object['spec'] as Record<string, unknown>;
  const { [metadataKeys.run]: ___, ...annotations } = object.metadata.annotations ?? {};
  return { ...object, metadata: { ...object.metadata, annotations }, spec };
}
