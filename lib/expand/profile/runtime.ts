import {
  type FieldPath,
  type Container,
  type EnvVar,
  type PlatformManifest,
  type Problem,
  type Spec,
  type Workload,
  reservedPrefix,
} from '../../api';
import { freeze } from '../objects/freeze';
import { inNameOrder } from '../objects/name';
import { inRequiredOrder } from './part-order';

/** Part of a runtime profile with its defaults. */
export type RuntimePart = Spec<'RuntimeProfile'>['parts'][number];

/** Part with its image and values resolved, whose containers all pods can share. */
export interface PreparedPart {
  readonly part: RuntimePart;
  readonly initContainers: readonly Container[];
  readonly sidecars: readonly Container[];
  /** Variables of its containers with values of the Platform. */
  readonly values: readonly EnvVar[];
}

/** Runtime profile on one platform. */
export interface Runtime {
  /** Parts in the order in which they start. */
  readonly parts: readonly PreparedPart[];
  /** Unavailable parts by name, each with the reason. */
  readonly off: ReadonlyMap<string, string>;
  /** Variables of every container of the app. */
  readonly env: readonly EnvVar[];
}

/** Sorts the parts, resolves their images and values on the Platform, and reports inconsistencies. */
export function prepareRuntime(
  profile: PlatformManifest<'RuntimeProfile'>,
  platform: PlatformManifest<'Platform'>,
  problems: Problem[],
): Runtime {
  const object = `RuntimeProfile ${profile.metadata.name}`;
  const off = new Map<string, string>();
  const ordered = inRequiredOrder(profile.spec.parts, (problem) => problems.push({ ...problem, object }));
  const prepared: PreparedPart[] = [];
  for (const part of ordered) {
    const reason = whyOff(part, platform, off);
    if (reason) off.set(part.name, reason);
    else
      prepared.push(
        preparePart(part, profile.spec.parts.indexOf(part), platform, (problem) =>
          problems.push({ ...problem, object }),
        ),
      );
  }
  return { parts: prepared, off, env: freeze(profile.spec.env ?? []) };
}

function whyOff(
  part: RuntimePart,
  platform: PlatformManifest<'Platform'>,
  off: ReadonlyMap<string, string>,
): string | undefined {
  const { images, values } = platform.spec.runtime;
  if (part.needsImage && images[part.name] === undefined)
    return `the Platform's runtime.images has no image for ${part.name}`;
  const lacking = part.needsValues.find((value) => values[value] === undefined);
  if (lacking) return `the Platform's runtime.values has no ${lacking}`;
  const missing = part.requires.find((name) => off.has(name));
  return missing && `it requires ${missing}, which is unavailable`;
}

function preparePart(
  part: RuntimePart,
  at: number,
  platform: PlatformManifest<'Platform'>,
  report: (problem: Problem) => void,
): PreparedPart {
  const prepare = (list: 'initContainers' | 'sidecars') =>
    (part.pod?.[list] ?? []).map((container, index) => {
      if (!container.name.startsWith(reservedPrefix))
        report(unreserved(['spec', 'parts', at, 'pod', list, index, 'name'], container.name));
      return freeze({
        ...container,
        image: platform.spec.runtime.images[part.name] ?? container.image ?? '',
      });
    });
  part.pod?.volumes?.forEach(({ name }, index) => {
    if (!name.startsWith(reservedPrefix))
      report(unreserved(['spec', 'parts', at, 'pod', 'volumes', index, 'name'], name));
  });
  const known = platform.spec.runtime.values;
  const values = inNameOrder(part.valueEnv).flatMap(([name, value]) =>
    known[value] === undefined ? [] : [{ name, value: known[value] }],
  );
  return freeze({ part, initContainers: prepare('initContainers'), sidecars: prepare('sidecars'), values });
}

const unreserved = (path: FieldPath, name: string): Problem => ({
  code: 'bad-format',
  path,
  value: name,
  reason: `does not begin with "${reservedPrefix}", so it could collide with names of workloads`,
  remedy: `rename it to ${reservedPrefix}${name}`,
});

/** Lists the parts of a workload's pods in the order in which they start. */
export function partsOf(workload: Workload, tier: string, runtime: Runtime): PreparedPart[] {
  const chosen = runtime.parts.filter(({ part }) => part.pod && applies(part, workload, tier) && isOn(part, workload));
  const names = new Set(chosen.map(({ part }) => part.name));
  return chosen.filter(({ part }) => part.requires.every((name) => names.has(name) || !isPodPart(runtime, name)));
}

/** Returns whether a part applies to the kind and tier of a workload. */
const applies = (part: RuntimePart, workload: Workload, tier: string): boolean =>
  (part.kinds?.includes(workload.kind) ?? true) && (part.tiers?.includes(tier) ?? true);

function isOn(part: RuntimePart, workload: Workload): boolean {
  const enabled = workload.spec.sidecars?.[part.name]?.enabled;
  return part.injection === 'Required' || (part.injection === 'OptOut' ? enabled !== false : enabled === true);
}

const isPodPart = (runtime: Runtime, name: string): boolean =>
  runtime.parts.some(({ part }) => part.name === name && part.pod !== undefined);
