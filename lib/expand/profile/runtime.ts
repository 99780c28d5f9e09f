import {
  type FieldPath,
  type Container,
  type EnvVar,
  type PlatformManifest,
  type Problem,
  type Spec,
  type Workload,
  reservedPrefix,
  traitsOf,
} from '../../api';
import { freeze } from '../objects/freeze';
import { inNameOrder } from '../objects/name';
import { partMountProblems } from './part-mounts';
import { inRequiredOrder } from './part-order';

/** Part of a runtime profile with its defaults. */
export type RuntimePart = Spec<'RuntimeProfile'>['parts'][number];

/** Part with resolved image and values; all pods can share its containers. */
export interface PreparedPart {
  readonly part: RuntimePart;
  readonly initContainers: readonly Container[];
  readonly sidecars: readonly Container[];
  /** Variables of its containers with values from the Platform. */
  readonly values: readonly EnvVar[];
}

/** Runtime profile resolved for one Platform. */
export interface Runtime {
  /** Parts in start order. */
  readonly parts: readonly PreparedPart[];
  /** Unavailable parts by name, each with the reason. */
  readonly unavailable: ReadonlyMap<string, string>;
  /** Variables of every container of the app. */
  readonly env: readonly EnvVar[];
}

/** Sorts the parts, resolves their images and values with those of the Platform, and reports inconsistencies. */
export function prepareRuntime(
  profile: PlatformManifest<'RuntimeProfile'>,
  platform: PlatformManifest<'Platform'>,
  problems: Problem[],
): Runtime {
  const object = `RuntimeProfile ${profile.metadata.name}`;
  const unavailable = new Map<string, string>();
  const ordered = inRequiredOrder(profile.spec.parts, (problem) => problems.push({ ...problem, object }));
  partMountProblems(profile.spec.parts, (problem) => problems.push({ ...problem, object }));
  const prepared: PreparedPart[] = [];
  for (const part of ordered) {
    const reason = unavailabilityReason(part, platform, unavailable);
    if (reason) unavailable.set(part.name, reason);
    else
      prepared.push(
        preparePart(part, profile.spec.parts.indexOf(part), platform, (problem) =>
          problems.push({ ...problem, object }),
        ),
      );
  }
  return { parts: prepared, unavailable, env: freeze(profile.spec.env ?? []) };
}

function unavailabilityReason(
  part: RuntimePart,
  platform: PlatformManifest<'Platform'>,
  unavailable: ReadonlyMap<string, string>,
): string | undefined {
  const { images, values } = platform.spec.runtime;
  if (part.needsImage && images[part.name] === undefined)
    return `the Platform's runtime.images has no image for ${part.name}`;
  const missingValue = part.needsValues.find((value) => values[value] === undefined);
  if (missingValue) return `the Platform's runtime.values has no ${missingValue}`;
  const unavailableRequirement = part.requires.find((name) => unavailable.has(name));
  return unavailableRequirement && `it requires ${unavailableRequirement}, which is unavailable`;
}

function preparePart(
  part: RuntimePart,
  partIndex: number,
  platform: PlatformManifest<'Platform'>,
  report: (problem: Problem) => void,
): PreparedPart {
  const prepare = (list: 'initContainers' | 'sidecars') =>
    (part.pod?.[list] ?? []).map((container, index) => {
      if (!container.name.startsWith(reservedPrefix))
        report(missingPrefix(['spec', 'parts', partIndex, 'pod', list, index, 'name'], container.name));
      return freeze({
        ...container,
        image: platform.spec.runtime.images[part.name] ?? container.image ?? '',
      });
    });
  part.pod?.volumes?.forEach(({ name }, index) => {
    if (!name.startsWith(reservedPrefix))
      report(missingPrefix(['spec', 'parts', partIndex, 'pod', 'volumes', index, 'name'], name));
  });
  const platformValues = platform.spec.runtime.values;
  const values = inNameOrder(part.valueEnv).flatMap(([name, value]) =>
    platformValues[value] === undefined ? [] : [{ name, value: platformValues[value] }],
  );
  return freeze({ part, initContainers: prepare('initContainers'), sidecars: prepare('sidecars'), values });
}

const missingPrefix = (path: FieldPath, name: string): Problem => ({
  code: 'bad-format',
  path,
  value: name,
  reason: `does not begin with "${reservedPrefix}", so it could collide with names of workloads`,
  remedy: `rename it to ${reservedPrefix}${name}`,
});

/** Lists the parts of a workload's pods in start order; of a pod that completes, those that apply to kinds whose pods do. */
export function partsOf(workload: Workload, tier: string, runtime: Runtime, completes = false): PreparedPart[] {
  const enabledParts = runtime.parts.filter(
    ({ part }) =>
      part.pod && applies(part, workload, tier) && isEnabled(part, workload) && (!completes || appliesToRuns(part)),
  );
  const names = new Set(enabledParts.map(({ part }) => part.name));
  return enabledParts.filter(({ part }) => part.requires.every((name) => names.has(name) || !isPodPart(runtime, name)));
}

/** Returns whether a part applies to the kind and tier of a workload. */
const applies = (part: RuntimePart, workload: Workload, tier: string): boolean =>
  (part.kinds?.includes(workload.kind) ?? true) && (part.tiers?.includes(tier) ?? true);

/** Returns whether a part applies to kinds that run to completion; others serve clients, such as by registering the pod. */
const appliesToRuns = ({ kinds }: RuntimePart): boolean =>
  kinds?.some((kind) => traitsOf(kind).lifecycle !== 'Continuous') ?? true;

function isEnabled(part: RuntimePart, workload: Workload): boolean {
  const enabled = workload.spec.sidecars?.[part.name]?.enabled;
  return part.injection === 'Required' || (part.injection === 'OptOut' ? enabled !== false : enabled === true);
}

const isPodPart = (runtime: Runtime, name: string): boolean =>
  runtime.parts.some(({ part }) => part.name === name && part.pod !== undefined);
