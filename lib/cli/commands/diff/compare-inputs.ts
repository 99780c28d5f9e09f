import { explainProblem, isError, safeParseManifest, type Problem, type Workload } from '../../../api';
import { type LiveNeighbors, type PlatformContext, type WorkloadSet } from '../../../expand';
import { shownIdentity } from '../../cluster/shown-identity';
import { nameOf, type InputDocument } from '../../input/input-documents';
import { ManifestChecker } from '../../input/manifest-checker';
import { type ReadManifests } from '../../input/read-manifests';
import {
  manifestContent,
  manifestDifference,
  type ComparedManifest,
  type ManifestDifference,
} from './manifest-difference';

/** Manifests on one side of a comparison, and how messages name the side. */
export interface Side extends ReadManifests {
  readonly label: string;
  /** Returns how messages name a file. @default - as it was read */
  readonly shownFile?: (file: string) => string;
  /** Whether the command line names the Platform. @default false */
  readonly isPlatformNamed?: boolean;
  /** Stage of the inputs. @default - none */
  readonly stage?: string;
}

/** Differences between two sides. */
export interface InputDiff {
  readonly before: string;
  readonly after: string;
  /** Manifests that differ, in the order of the later side. */
  readonly changes: readonly ManifestDifference[];
  /** Number of manifests without a difference. */
  readonly unchanged: number;
  /** Number of manifests with an object that could not be compared with the cluster. */
  readonly notCompared: number;
  /** What cannot be known or was not compared, one line each. */
  readonly notes: readonly string[];
  readonly problems: readonly Problem[];
}

/** Compares the manifests of two sides, one at a time: the objects of large inputs would not fit into memory. */
export function compareInputs(before: Side, after: Side): InputDiff {
  const [earlier, later] = [new SideReader(before), new SideReader(after)];
  const byName = new Map(before.inputs.documents.map((document) => [keyOf(document), document]));
  const kept = new Set<string>();
  const changes: ManifestDifference[] = [];
  let unchanged = 0;
  const add = (one: InputDocument | undefined, other: InputDocument | undefined): void => {
    const [from, to] = [one && earlier.read(one), other && later.read(other)];
    if ((one && !from) || (other && !to)) return;
    const difference = manifestDifference(from, to);
    if (difference) changes.push(difference);
    else unchanged++;
  };
  for (const document of after.inputs.documents) {
    const key = keyOf(document);
    add(kept.has(key) ? undefined : byName.get(key), document);
    kept.add(key);
  }
  for (const document of before.inputs.documents) {
    const key = keyOf(document);
    // Reading the second one of the same name reports it.
    if (byName.get(key) !== document) earlier.read(document);
    else if (!kept.has(key)) add(document, undefined);
  }
  return {
    before: before.label,
    after: after.label,
    changes,
    unchanged,
    notCompared: 0,
    notes: notesOfSides(before, after),
    problems: distinctProblems([...earlier.problems, ...later.problems]),
  };
}

/** Both sides may have the same files beside them. */
const distinctProblems = (problems: readonly Problem[]): readonly Problem[] => [
  ...new Map(problems.map((problem) => [explainProblem(problem), problem])).values(),
];

/** Returns a name that two versions of a manifest share. */
const keyOf = ({ value }: InputDocument): string => `${String(value['apiVersion']).split('/')[0]} ${nameOf(value)}`;

/** Reads the manifests of a side, and collects their problems. */
export class SideReader {
  readonly problems: Problem[];
  private readonly checker: ManifestChecker;
  private readonly cluster: PlatformContext | undefined;

  constructor(private readonly side: Side) {
    const { inputs, known } = side;
    this.cluster = known.cluster;
    this.checker = new ManifestChecker({ cluster: known.cluster, asController: true });
    const errors = [...inputs.problems, ...known.problems].filter(isError);
    this.problems = [...errors, ...known.besideWarnings].map((problem) => this.labeled(problem));
  }

  /** Returns a manifest with its objects; undefined if it has errors. */
  read(document: InputDocument): ComparedManifest | undefined {
    const { objects, problems } = this.checker.check(document);
    this.problems.push(...problems.filter(isError).map((problem) => this.labeled(problem)));
    return objects && comparedManifest(document, objects, this.cluster);
  }

  /** Adds the problems that only show with a cluster in view, as warnings: the comparison is valid. */
  async finishLive(read: (set: WorkloadSet) => Promise<LiveNeighbors>): Promise<void> {
    const problems = await this.checker.liveProblems(this.side.known, read);
    this.problems.push(...problems.map((one) => this.labeled({ ...one, severity: 'warning' })));
  }

  private labeled(problem: Problem): Problem {
    const { source } = problem;
    const { shownFile } = this.side;
    return source && shownFile ? { ...problem, source: { ...source, file: shownFile(source.file) } } : problem;
  }
}

function comparedManifest(
  document: InputDocument,
  objects: ComparedManifest['objects'],
  cluster: PlatformContext | undefined,
): ComparedManifest {
  const head = { kind: String(document.value['kind']), ...shownIdentity(document.value), objects };
  if (document.is === 'foreign') {
    const { status: _, ...content } = document.value;
    return { ...head, content };
  }
  const manifest = document.is === 'platform' ? document.manifest : safeParseManifest(document.value).manifest;
  const content = manifestContent(manifest as Workload);
  if (document.is === 'platform' || !cluster) return { ...head, content };
  const workload = manifest as Workload;
  return { ...head, content, source: { workload, context: cluster.project(workload.metadata.namespace) } };
}

/** Returns the notes of a side, with its names of files. */
export const notesOfSide = ({ notes, known, shownFile = (file) => file }: Side): string[] => [
  ...notes,
  // Each begins with a file.
  ...known.notes.map(shownFile),
];

/** Returns the notes of two sides, and where each has its Platform from. */
export function notesOfSides(before: Side, after: Side): string[] {
  const [from, to] = [before.known.origin, after.known.origin];
  return [
    ...new Set([before, after].flatMap(notesOfSide)),
    ...(from === to ? [] : [`platform: ${from} in ${before.label}, ${to} in ${after.label}`]),
  ];
}
