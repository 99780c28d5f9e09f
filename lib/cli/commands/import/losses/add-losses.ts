import { type KubernetesObject } from '../../../../expand';
import { type NativeObject } from '../native-object';
import { type Note } from '../note';
import { type RelatedObjects } from '../related-objects';
import { comparablePair } from './comparable-object';
import { lostValues, type LostValue } from './compare';
import { counterpartsOf } from './counterparts';
import { measuredContainers } from './measured-containers';

/**
 * Returns the notes with every value of the native objects that the generated objects do not have: as part of the note
 * about its field, or as a further note.
 */
export function withLosses(
  notes: readonly Note[],
  source: RelatedObjects,
  generated: readonly KubernetesObject[],
): readonly Note[] {
  const result = [...notes];
  const reported = new Set<string>();
  for (const { native, generated: replacement } of counterpartsOf(source, generated)) {
    const title = `${native.kind} ${native.metadata.name}`;
    if (!replacement) {
      if (!result.some(({ subject }) => subject.startsWith(`${title}: `)))
        result.push({ subject: title, message: withoutReplacement(native) });
      continue;
    }
    if (native.kind === 'HorizontalPodAutoscaler')
      result.push(
        ...measuredContainers(
          native,
          source.object,
          generated.find(({ kind }) => kind === source.object.kind),
        ),
      );
    const found = lostValues(...comparablePair(native, replacement as NativeObject));
    for (const difference of found) {
      // Labels that all objects of a chart share are reported once.
      const key = `${difference.path}=${JSON.stringify(difference.before)}`;
      if (difference.path.startsWith('metadata.') && reported.has(key)) continue;
      reported.add(key);
      addLoss(result, title, difference);
    }
  }
  return result;
}

function withoutReplacement({ kind, spec }: NativeObject): string {
  if (kind === 'Service') return 'is not replaced; keep it: it also selects the new pods, as their labels stay';
  if (kind === 'HorizontalPodAutoscaler')
    return `is not carried over, as this kind has a fixed number of replicas; delete it, because it would conflict with spec.replicas: ${textOfValue(spec)}`;
  return `is not carried over, as the custom resource generates no such object: ${textOfValue(spec)}`;
}

function addLoss(notes: Note[], title: string, { path, before, after }: LostValue): void {
  const value = textOfValue(before);
  const subject = `${title}: ${path}`;
  const about = notes.filter((note) => isAbout(note, title, path));
  if (about.some(({ message }) => message.includes(value) || message.includes(String(before)))) return;
  const [note] = about;
  if (note)
    notes[notes.indexOf(note)] = {
      ...note,
      message: `${note.message}; was ${subject === note.subject ? '' : `${lastStep(path)}: `}${value}`,
    };
  else {
    const change = after === undefined ? 'is not carried over' : `is replaced by ${textOfValue(after)}`;
    notes.push({ subject, message: `${value} ${change}` });
  }
}

/** Returns whether a note is about a field, the field around it, or one in it. Notes on the new document have no title. */
function isAbout({ subject }: Note, title: string, path: string): boolean {
  const start = `${title}: `;
  if (!subject.startsWith(start) && !subject.startsWith('spec.')) return false;
  const noted = withoutPositions(subject.startsWith(start) ? subject.slice(start.length) : subject);
  const lost = withoutPositions(path);
  return startsWithStep(lost, noted) || startsWithStep(noted, lost);
}

/** Removes the names and indexes of list entries, by which two paths to a field may differ. */
const withoutPositions = (path: string): string => path.replace(/ \([^)]*\)$/, '').replace(/\[[^"\]]*\]/g, '[]');

const startsWithStep = (path: string, start: string): boolean =>
  path === start || (path.startsWith(start) && /^[.[]/.test(path.slice(start.length)));

const lastStep = (path: string): string => /([^.[\]"]+)\W*$/.exec(path)?.[1] ?? path;

const textOfValue = (value: unknown): string => JSON.stringify(value);
