import {
  addQuantities,
  compareQuantities,
  examine,
  formatQuantity,
  isError,
  parseQuantity,
  type Problem,
  type Quantity,
  type Workload,
} from '../../api';
import { type ArtifactResource } from '../../artifact';
import { type TargetCheck } from '../../contract';
import { examineExpansion, footprintOf, type World } from '../../expand';

import { type LiveObject } from '../../kube';
import { workloadText } from '../targets/target';

/** Amounts by resource, as quantities. */
export type AmountTexts = Readonly<Record<string, string>>;

/** What a check of one target leans on. */
export interface TargetFacts {
  readonly target: string;
  readonly world: World;
  readonly resources: readonly ArtifactResource[];
  readonly live: readonly LiveObject[];
  readonly reserved: Readonly<Record<string, AmountTexts>>;
  readonly used: AmountTexts;
  readonly nodes: number;
}

/** What a deployment would come to on one target. */
export interface TargetVerdict {
  readonly check: TargetCheck;
  /** What each workload asks for at its peak, before or after, by `Kind/name`. */
  readonly asks: Readonly<Record<string, AmountTexts>>;
}

/** Says what a deployment would come to on one target. */
export function checkTarget(facts: TargetFacts): TargetVerdict {
  const { target, world, resources, live, reserved, nodes } = facts;
  const problems: Problem[] = [];
  const amountsOf = (object: unknown, report: boolean): Amounts => {
    const { completed, problems: found } = examine(object);
    const expanded = completed ? examineExpansion(completed as Workload, world) : undefined;
    if (report) problems.push(...found, ...(expanded?.problems ?? []));
    return expanded?.objects ? footprintOf(expanded.objects as never, nodes as never) : {};
  };
  const own = new Set(resources.map((one) => workloadText({ kind: one.kind, name: one.metadata.name })));
  const asks: Record<string, AmountTexts> = {};
  let [asked, now, taken]: Amounts[] = [{}, {}, {}] as const;
  for (const resource of resources) {
    const key = workloadText({ kind: resource.kind, name: resource.metadata.name });
    const mine = amountsOf(resource, true);
    const former = live.find((one) => workloadText({ kind: one.kind, name: one.metadata.name }) === key);
    const before = former ? amountsOf(written(former), false) : {};
    asked = plus(asked as Amounts, mine);
    now = plus(now as Amounts, before);
    asks[key] = texts(most(mine, before));
  }
  const others = new Map<string, Amounts>();
  for (const one of live) {
    const key = workloadText({ kind: one.kind, name: one.metadata.name });
    if (!own.has(key)) others.set(key, amountsOf(written(one), false));
  }
  for (const [key, amounts] of Object.entries(reserved))
    if (!own.has(key)) others.set(key, most(others.get(key) ?? {}, quantities(amounts)));
  for (const amounts of others.values()) taken = plus(taken as Amounts, amounts);
  const hard = quantities({ ...world.platform.spec.defaultQuota, ...world.project.spec.quota } as AmountTexts);
  const names = [...new Set([...Object.keys(asked as Amounts), ...Object.keys(hard)])].sort();
  const lines = names.map((resource) => {
    const zero = quantity('0');
    const want = (asked as Amounts)[resource] ?? zero;
    const rest = (taken as Amounts)[resource] ?? zero;
    const limit = hard[resource];
    const left = limit && { nanos: limit.nanos > rest.nanos ? limit.nanos - rest.nanos : 0n, format: limit.format };
    return {
      resource,
      asked: formatQuantity(want),
      now: formatQuantity((now as Amounts)[resource] ?? zero),
      taken: formatQuantity(rest),
      ...(limit && left && { hard: formatQuantity(limit), left: formatQuantity(left) }),
      fits: !left || compareQuantities(want, left) <= 0,
    };
  });
  const changes = resources.map((one) => ({
    kind: one.kind as never,
    name: one.metadata.name,
    change: live.some((other) => other.kind === one.kind && other.metadata.name === one.metadata.name)
      ? ('changed' as const)
      : ('created' as const),
    restarts: true,
    fields: [],
  }));
  const fits = lines.every((line) => line.fits);
  return {
    asks,
    check: {
      target,
      resources: lines,
      fits,
      changes,
      problems: problems.map((one) => ({ ...one, path: [...one.path] })),
    },
  };
}

type Amounts = Readonly<Record<string, Quantity>>;
const quantity = (text: string): Quantity => parseQuantity(text) ?? { nanos: 0n, format: 'DecimalSI' };
const quantities = (stated: AmountTexts): Amounts =>
  Object.fromEntries(Object.entries(stated).map(([name, text]) => [name, quantity(text)]));
const texts = (amounts: Amounts): AmountTexts =>
  Object.fromEntries(Object.entries(amounts).map(([name, one]) => [name, formatQuantity(one)]));
const merge = (a: Amounts, b: Amounts, join: (a: Quantity, b: Quantity) => Quantity): Amounts => {
  const merged: Record<string, Quantity> = { ...a };
  for (const [name, one] of Object.entries(b)) merged[name] = merged[name] ? join(merged[name], one) : one;
  return merged;
};
const plus = (a: Amounts, b: Amounts): Amounts => merge(a, b, addQuantities);
const most = (a: Amounts, b: Amounts): Amounts => merge(a, b, (x, y) => (compareQuantities(x, y) < 0 ? y : x));
const written = ({ apiVersion, kind, metadata, ...rest }: LiveObject): unknown => ({
  apiVersion,
  kind,
  metadata: { name: metadata.name, namespace: metadata.namespace },
  spec: rest['spec'],
});
export const hasErrors = (problems: readonly { readonly severity?: string | undefined }[]): boolean =>
  problems.some((one) => isError(one as Problem));
