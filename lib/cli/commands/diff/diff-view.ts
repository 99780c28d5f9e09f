import { formatValue } from '../../../api';
import { type DeploymentPreview } from '../../../contract';
import { podEffects, type FieldDifference, type PodChange } from '../../../expand';
import { onOneLine } from '../../service/printable';
import { type InputDiff } from './compare-inputs';
import { isRestarting, type ChangeType, type ManifestDifference } from './manifest-difference';

/** Line of a field: its mark says whether it was added, removed or changed. */
export interface FieldLine {
  readonly mark: '+' | '-' | '~';
  readonly path: string;
  readonly from?: string;
  readonly to?: string;
}

/** What a report shows of one manifest. */
export interface ManifestView {
  readonly title: string;
  readonly change: ChangeType;
  readonly restarts: boolean;
  readonly fields: readonly FieldLine[];
  /** One clause for each object whose pods are affected, with the fields behind it. */
  readonly pods: readonly {
    readonly text: string;
    readonly restarts: boolean;
    readonly causes: readonly string[];
    readonly fields: readonly FieldLine[];
  }[];
  /** Objects that differ, such as `~ Deployment/cart`. */
  readonly objects: readonly string[];
}

/** What a report shows of a comparison. */
export interface DiffView {
  readonly title: string;
  readonly manifests: readonly ManifestView[];
  readonly unchanged: number;
  readonly notCompared: number;
  readonly notes: readonly string[];
}

/** Returns the view of differences between inputs. */
export const inputDiffView = ({ before, after, changes, unchanged, notCompared, notes }: InputDiff): DiffView => ({
  title: `${before} → ${after}`,
  manifests: changes.map(manifestView),
  unchanged,
  notCompared,
  notes: notes.map(onOneLine),
});

/** Returns the view of each target of a deployment preview. */
export const previewViews = ({ artifact, stage, targets }: DeploymentPreview): DiffView[] =>
  targets.map(({ target, changes }) => ({
    title: `${artifact} to ${stage} on ${target}`,
    manifests: changes.flatMap(({ kind, name, change, restarts, causes = [], fields }): ManifestView[] => {
      if (change === 'unchanged') return [];
      const reasons = causes.map((cause) => causeText(cause, kind, name));
      const pods = restarts ? [{ text: 'its pods are replaced', restarts, causes: reasons, fields: [] }] : [];
      return [
        { title: onOneLine(`${kind}/${name}`), change, restarts, fields: fields.map(fieldLine), pods, objects: [] },
      ];
    }),
    unchanged: changes.filter(({ change }) => change === 'unchanged').length,
    notCompared: 0,
    notes: [],
  }));

const marks = { created: '+', removed: '-', changed: '~' } as const;

function manifestView(difference: ManifestDifference): ManifestView {
  const { kind, namespace, name, change, fields, objects, pods } = difference;
  return {
    title: onOneLine(`${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`),
    change,
    restarts: isRestarting(difference),
    fields: fields.map(fieldLine),
    pods: change === 'changed' ? pods.map((one) => podView(one, kind, name)) : [],
    objects:
      change === 'changed' ? objects.map((one) => onOneLine(`${marks[one.change]} ${one.kind}/${one.name}`)) : [],
  };
}

function podView({ kind, name, effect, restarts, causes, fields }: PodChange, ownerKind: string, owner: string) {
  return {
    text: onOneLine(`${kind}/${name}: its pods ${podEffects[effect].pods}`),
    restarts,
    causes: causes.map((cause) => causeText(cause, ownerKind, owner)),
    // Fields of the object say why if no field of an input does.
    fields: causes.length === 0 ? fields.map(fieldLine) : [],
  };
}

/** Returns a cause as text: only the path in the manifest itself. */
function causeText(
  { object, path }: { object: string; path?: string | undefined },
  kind: string,
  name: string,
): string {
  const isOwn = object.startsWith(`${kind} `) && (object.endsWith(`/${name}`) || object === `${kind} ${name}`);
  return onOneLine(isOwn && path !== undefined ? path : `${object}${path === undefined ? '' : ` ${path}`}`);
}

function fieldLine({ path, from, to }: FieldDifference): FieldLine {
  const mark = from === undefined && to !== undefined ? '+' : to === undefined && from !== undefined ? '-' : '~';
  const values = {
    ...(from !== undefined && { from: onOneLine(formatValue(from)) }),
    ...(to !== undefined && { to: onOneLine(formatValue(to)) }),
  };
  return { mark, path: onOneLine(path), ...values };
}

/** Returns the text of a field after its mark. */
export function fieldText({ path, from, to }: FieldLine): string {
  if (from === undefined && to === undefined) return `${path}: changes; not shown because it may be a secret`;
  return `${path}: ${[from, to].filter((value) => value !== undefined).join(' → ')}`;
}

/** Returns the sentence that says how many workloads restart. */
export function restartSummary({ manifests, unchanged, notCompared }: DiffView): string {
  const count = (change: ChangeType) => manifests.filter((one) => one.change === change).length;
  const counts = (['created', 'changed', 'removed'] as const).flatMap((change) =>
    count(change) > 0 ? [`${count(change)} ${change}`] : [],
  );
  const restarting = manifests.filter(({ restarts }) => restarts).map(({ title }) => title);
  const pods = restarting.length === 0 ? 'no pods restart' : `pods restart: ${restarting.join(', ')}`;
  const rest = [`${unchanged} unchanged`, ...(notCompared > 0 ? [`${notCompared} not compared`] : [])];
  return `${[...counts, ...rest].join(', ')}; ${pods}`;
}
