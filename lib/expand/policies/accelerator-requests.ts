import {
  compareQuantities,
  parseQuantity,
  podTemplatesOf,
  type Container,
  type FieldPath,
  type Problem,
  type Workload,
} from '../../api';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { podSpecOf } from '../objects/pod-spec-of';
import { type ProjectContext } from '../project-context';
import { containerPaths, suggestValues } from './rule-paths';

/** Resources of device plugins for accelerators; others may be of nodes that the Platform does not describe. */
const accelerator =
  /^(nvidia\.com\/(gpu|mig-.*)|amd\.com\/gpu|gpu\.intel\.com\/.*|habana\.ai\/gaudi|google\.com\/tpu|aws\.amazon\.com\/neuron.*)$/;

/** CPU below which a container cannot feed an accelerator. */
const littleCpu = parseQuantity('1');

/** Warns about accelerators that no pool of a known Platform has, and containers with accelerators and the default CPU. */
export function acceleratorProblems(
  workload: Workload,
  objects: readonly KubernetesObject[],
  context: ProjectContext,
  report: (problem: Problem) => void,
): void {
  const running = objects.flatMap((object) => podSpecOf(object)?.containers ?? []);
  for (const { template, path } of podTemplatesOf(workload))
    for (const { container, path: at } of containerPaths(template.spec, [...path, 'spec'])) {
      unknownAccelerators(container, at, context, report);
      const found = running.find(({ name, resources }) => name === container.name && acceleratorOf(resources?.limits));
      if (found) defaultCpu(container, found, at, report);
    }
}

const acceleratorOf = (amounts: Readonly<Record<string, unknown>> | undefined): string | undefined =>
  Object.keys(amounts ?? {}).find((name) => accelerator.test(name));

function unknownAccelerators(
  { resources }: Container,
  path: FieldPath,
  { platform, assumed }: ProjectContext,
  report: (problem: Problem) => void,
): void {
  const { pools } = platform.spec;
  if (assumed.includes('Platform') || pools.length === 0) return;
  const name = acceleratorOf(resources?.limits) ?? acceleratorOf(resources?.requests);
  if (name === undefined || pools.some(({ accelerators }) => accelerators.includes(name))) return;
  const offered = [...new Set(pools.flatMap(({ accelerators }) => accelerators))];
  const list = resources?.limits?.[name] === undefined ? 'requests' : 'limits';
  report({
    code: 'not-available',
    path: [...path, 'resources', list, name],
    value: resources?.[list]?.[name],
    reason: 'is of an accelerator that no pool of this Platform has, so that no node may fit the pod',
    remedy:
      offered.length === 0
        ? 'remove it, or ask the platform team to list the accelerators of its pools'
        : suggestValues(offered),
    rule: 'accelerator-of-pool',
    severity: 'warning',
  });
}

function defaultCpu(own: Container, found: Container, path: FieldPath, report: (problem: Problem) => void): void {
  const cpu = found.resources?.requests?.['cpu'];
  const amount = cpu === undefined ? undefined : parseQuantity(cpu);
  if (own.resources?.requests?.['cpu'] !== undefined || own.resources?.limits?.['cpu'] !== undefined) return;
  if (!amount || !littleCpu || compareQuantities(amount, littleCpu) >= 0) return;
  report({
    code: 'invalid-combination',
    path: [...path, 'resources', 'requests', 'cpu'],
    reason: `is not set, and the default of ${cpu} cannot feed an accelerator`,
    remedy: 'set the CPU that loading data needs, such as 8',
    rule: 'accelerator-cpu',
    severity: 'warning',
  });
}
