import { readFileSync } from 'node:fs';
import { Yaml } from 'cdk8s';
import { load } from 'js-yaml';
import { crdOf, type PinionKind, pinionKinds } from '../../lib/api';
import { definitionPath, definitionSize } from './definition-size';

/** Maximum size of all annotations of an object; `kubectl apply` without `--server-side` stores the object in one. */
const maxAnnotations = 256 * 1024;

/** Maximum sizes in kB, about 5 % above the present ones: of the object as JSON, and of the file in `crds/`. */
const limits: Readonly<Record<PinionKind, readonly [json: number, yaml: number]>> = {
  PinterestService: [125, 148],
  PinterestStatefulSet: [111, 137],
  PinterestCronJob: [94, 115],
  PinterestDaemon: [99, 121],
  PinterestJobSet: [185, 156],
  PinterestTrainingJob: [171, 139],
  Platform: [43, 58],
  PlatformRevision: [4, 5],
  PlatformRollout: [18, 25],
  RuntimeProfile: [66, 75],
  Project: [21, 29],
};

describe.each(Object.keys(pinionKinds) as PinionKind[])('the definition of %s', (kind) => {
  test('stays within its size', () => {
    const { json, yaml } = definitionSize(kind);
    const [maxJson, maxYaml] = limits[kind];
    expect(json).toBeLessThanOrEqual(maxJson * 1000);
    expect(yaml).toBeLessThanOrEqual(maxYaml * 1000);
    expect(json).toBeLessThan(maxAnnotations);
  });

  // Tests with a control plane use the reader of kubectl.
  test('is read from its file by js-yaml and cdk8s', () => {
    const definition = JSON.parse(JSON.stringify(crdOf(kind))) as unknown;
    expect(load(readFileSync(definitionPath(kind), 'utf8'))).toEqual(definition);
    expect(Yaml.load(definitionPath(kind))).toEqual([definition]);
  });
});
