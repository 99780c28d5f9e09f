import { recommended } from '../../../api';
import { entriesAt, fieldsAt, fieldIfSet, labelsAt, textAt, type Fields } from './fields';
import { type AddNote } from './note';
import { isToolKey } from './tool-keys';

const containerLists = ['initContainers', 'containers'] as const;
const recommendedLabels = new Set<string>(Object.values(recommended));

/** Label or annotation of a template that the new pods lack or have with another value. */
interface LostKey {
  /** What it is and its key, such as `label app.kubernetes.io/component`. */
  readonly title: string;
  readonly value: string;
}

/**
 * Returns a pod specification whose variables do not refer to labels and annotations of the template that the new pods lack
 * or have with another value: such a variable has the value itself, with a note. Files cannot, so that they only get a note.
 */
export function withLabelValues(pod: Fields, template: Fields, note: AddNote): Fields {
  noteLostFiles(pod, template, note);
  const converted = (container: Fields, list: string): Fields => ({
    ...container,
    ...fieldIfSet(
      'env',
      entriesAt(container, 'env').map((variable) => {
        const lost = lostKeyOf(template, fieldsAt(variable, 'valueFrom'));
        if (lost === undefined) return variable;
        const name = String(variable['name']);
        note(
          `template.spec.${list}[${String(container['name'])}].env[${name}]`,
          `is now the text ${JSON.stringify(lost.value)}, because the new pods do not keep the ${lost.title}`,
        );
        return { name, value: lost.value };
      }),
    ),
  });
  return {
    ...pod,
    ...Object.fromEntries(
      containerLists.flatMap((list) =>
        pod[list] === undefined ? [] : [[list, entriesAt(pod, list).map((entry) => converted(entry, list))]],
      ),
    ),
  };
}

/** Returns the label or annotation that a variable or file has, if the new pods do not keep it. */
function lostKeyOf(template: Fields, holder: Fields): LostKey | undefined {
  const path = textAt(holder, 'fieldRef', 'fieldPath') ?? '';
  const [, map = '', key = ''] = /^metadata\.(labels|annotations)\['(.+)'\]$/.exec(path) ?? [];
  const value = labelsAt(template, 'metadata', map)[key];
  return isLost(map, key) && typeof value === 'string' ? { title: `${map.slice(0, -1)} ${key}`, value } : undefined;
}

const isLost = (map: string, key: string): boolean =>
  isToolKey(key) || (map === 'labels' && recommendedLabels.has(key));

/** Adds a note about each file of a volume with labels or annotations that the new pods do not keep. */
function noteLostFiles(pod: Fields, template: Fields, note: AddNote): void {
  const noteItems = (source: Fields, path: string): void => {
    for (const item of entriesAt(source, 'downwardAPI', 'items')) {
      const message = lossOfFile(template, item);
      if (message !== undefined) note(`${path}.downwardAPI.items[${String(item['path'])}]`, message);
    }
  };
  for (const volume of entriesAt(pod, 'volumes')) {
    const path = `template.spec.volumes[${String(volume['name'])}]`;
    noteItems(volume, path);
    entriesAt(volume, 'projected', 'sources').forEach((source, index) =>
      noteItems(source, `${path}.projected.sources[${index}]`),
    );
  }
}

/** Returns what a file of the downward API no longer has; undefined if it stays as it is. */
function lossOfFile(template: Fields, item: Fields): string | undefined {
  const lost = lostKeyOf(template, item);
  if (lost)
    return `had the text ${JSON.stringify(lost.value)}, but the new pods do not keep the ${lost.title}: the file is empty, or has the value that the platform sets; add a label of your own, and refer to that`;
  const [, map] = /^metadata\.(labels|annotations)$/.exec(textAt(item, 'fieldRef', 'fieldPath') ?? '') ?? [];
  if (map === undefined) return undefined;
  const keys = Object.entries(labelsAt(template, 'metadata', map)).filter(([key]) => isLost(map, key));
  if (keys.length === 0) return undefined;
  const list = keys.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(', ');
  return `lists the ${map} of the new pods, which do not keep ${list}, or have them with the value that the platform sets`;
}
