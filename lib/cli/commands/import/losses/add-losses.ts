import { type KubernetesObject } from '../../../../expand';
import { valueAt } from '../../../../api';
import { staleSelectors } from '../connected-objects';
import { labelsAt } from '../fields';
import { type NativeObject } from '../native-object';
import { type Note } from '../note';
import { templateOf } from '../pod-references';
import { type RelatedObjects } from '../related-objects';
import { hiddenValue, holdsSecret, shownValue } from '../shown-value';
import { comparablePair } from './comparable-object';
import { lostValues, type LostValue } from './compare';
import { counterpartsOf } from './counterparts';
import { measuredContainers } from './measured-containers';

/** A note that lost values are added to. */
interface LossNote extends Note {
  /** Its message without them: a value that another field lost says nothing about this one. */
  readonly own?: string;
}

/**
 * Returns the notes with every value of the native objects that the generated objects do not have: as part of the note
 * about its field, or as a further note.
 */
export function withLosses(
  notes: readonly Note[],
  source: RelatedObjects,
  generated: readonly KubernetesObject[],
): readonly Note[] {
  const result: LossNote[] = [...notes];
  const reported = new Set<string>();
  const counterparts = counterpartsOf(source, generated);
  const workload = counterparts[0]?.generated as NativeObject | undefined;
  for (const { native, generated: replacement, path: specPath = 'spec' } of counterparts) {
    const title = `${native.kind} ${native.metadata.name}`;
    if (!replacement) {
      if (!result.some(({ subject }) => subject.startsWith(`${title}: `)))
        result.push({ subject: title, message: withoutReplacement(native) });
      continue;
    }
    if (native.kind === 'HorizontalPodAutoscaler') result.push(...measuredContainers(native, source.object, workload));
    for (const lost of lostValues(...comparablePair(native, replacement as NativeObject))) {
      const difference = { ...lost, path: lost.path.replace(/^spec\b/, specPath) };
      // Labels that all objects of a chart share, and its pods, are reported once.
      const path = difference.path.replace(/^spec\.(?:.*\.)?template\.metadata\.(?=labels)/, 'metadata.');
      const key = `${path}=${JSON.stringify(difference.before)}`;
      if (path.startsWith('metadata.') && reported.has(key)) continue;
      reported.add(key);
      addLoss(result, title, difference);
    }
  }
  return workload ? [...result, ...staleNotes(source, workload, generated)] : result;
}

/** Returns notes on the objects that stay and select none of the new pods. */
function staleNotes(source: RelatedObjects, workload: NativeObject, generated: readonly KubernetesObject[]): Note[] {
  const isReplaced = (object: NativeObject): boolean =>
    generated.some(({ kind, metadata }) => kind === object.kind && metadata.name === object.metadata.name);
  return staleSelectors(source, labelsAt(templateOf(workload), 'metadata', 'labels'))
    .filter((object) => !isReplaced(object))
    .map((object) => {
      const selector = valueAt(object, ['spec', object.kind === 'NetworkPolicy' ? 'podSelector' : 'selector']);
      return {
        subject: `${object.kind} ${object.metadata.name}: spec`,
        message: `does not select the new pods, because the platform sets other labels; if you keep it, change its selector: ${shownValue(selector)}`,
      };
    });
}

function withoutReplacement({ kind, spec }: NativeObject): string {
  if (kind === 'Service') return 'is not replaced; keep it for its clients';
  if (kind === 'HorizontalPodAutoscaler')
    return `is not carried over, as this kind has a fixed number of replicas; delete it, because it would conflict with spec.replicas: ${shownValue(spec)}`;
  return `is not carried over, as the custom resource generates no such object: ${shownValue(spec)}`;
}

function addLoss(notes: LossNote[], title: string, { path, before, after }: LostValue): void {
  const name = namedBy(path);
  const value = shownValue(before, name);
  const subject = `${title}: ${path}`;
  const about = notes.filter((note) => isAbout(note, title, path));
  // A hidden text alone may be that of another field.
  const isWritten = (message: string): boolean => holdsWord(message, value) && value !== hiddenValue;
  const isSecret = holdsSecret(before, name);
  const texts = about.map((note) => (note.subject === subject ? note.message : (note.own ?? note.message)));
  if (texts.some((text) => isWritten(text) || (!isSecret && holdsWord(text, String(before))))) return;
  const [note] = about;
  if (note)
    notes[notes.indexOf(note)] = {
      ...note,
      own: note.own ?? note.message,
      message: `${note.message}; was ${subject === note.subject ? '' : `${lastStep(path)}: `}${value}`,
    };
  else {
    const change = after === undefined ? 'is not carried over' : `is replaced by ${shownValue(after, name)}`;
    notes.push({ subject, message: `${value} ${change}` });
  }
}

/** Returns whether a note is about a field, the one directly around it, or one in it. Notes on the new document have no title. */
function isAbout({ subject }: Note, title: string, path: string): boolean {
  const start = `${title}: `;
  if (subject.startsWith(start)) return isNear(subject.slice(start.length), path);
  const newPath = title.startsWith('Ingress ') ? path.replace(/^metadata\./, 'spec.loadBalancer.') : path;
  return subject.startsWith('spec.') && isNear(subject.replace(/ \([^)]*\)$/, ''), newPath);
}

/** Returns whether a path is a field, its parent, or in it. A position and a name may be those of the same list entry. */
function isNear(path: string, field: string): boolean {
  const [a, b] = [stepsOf(path), stepsOf(field)];
  if (a.length < b.length - 1) return false;
  const length = Math.min(a.length, b.length);
  return a.slice(0, length).every((step, index) => isSameStep(step, b[index] ?? ''));
}

const stepsOf = (path: string): readonly string[] => path.match(/\["(?:[^"\\]|\\.)*"\]|\[[^\]]*\]|[^.[]+/g) ?? [];

const isPosition = (step: string): boolean => /^\[\d+\]$/.test(step);

const isSameStep = (a: string, b: string): boolean =>
  a === b || (isListStep(a) && isListStep(b) && isPosition(a) !== isPosition(b));

const isListStep = (step: string): boolean => step.startsWith('[') && !step.startsWith('["');

const lastStep = (path: string): string => /([^.[\]"]+)\W*$/.exec(path)?.[1] ?? path;

/** Returns whether a text holds a word, and not only as a part of another: 1 is not in 10. */
const holdsWord = (text: string, word: string): boolean =>
  word !== '' &&
  text
    .split(word)
    .slice(1)
    .some((after, index) => !/^\w/.test(after) && !/\w$/.test(text.split(word)[index] ?? ''));

/** Returns the name of the field or list entry that a path leads to: TOKEN for `env[TOKEN].value`. */
const namedBy = (path: string): string => lastStep(path.replace(/(\])\.value$/, '$1'));
