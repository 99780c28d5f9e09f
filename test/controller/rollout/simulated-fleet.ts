import { type RevisionRecord } from '../../../lib/expand';

/** A workload of a simulated cluster: its objects, and what its status says of them. */
export interface SimulatedWorkload {
  readonly uid: string;
  readonly created: string | undefined;
  readonly project: string;
  readonly tier: string;
  readonly perNode: boolean;
  readonly pods: number;
  /** Whether the Platform shapes its objects. */
  readonly isShaped: boolean;
  /** Whether its hooks never succeed, so that its objects never follow another revision. */
  readonly isStuck: boolean;
  /** Whether it is unready by itself for good. */
  readonly isBroken: boolean;
  /** Revision of its objects. @default - it has none yet */
  objects?: string;
  /** Generation that its objects follow. */
  applied: number;
  health: 'ready' | 'starting' | 'failing' | 'down';
  generation: number;
  record?: RevisionRecord;
  observed: number;
  isReady: boolean;
  failure?: string | undefined;
}

/** Properties of a workload that a test draws. */
export type DrawnWorkload = Pick<
  SimulatedWorkload,
  'project' | 'tier' | 'perNode' | 'pods' | 'isShaped' | 'isStuck' | 'isBroken'
>;

/** A cluster of workloads, and what the watch of the controller has delivered of it. */
export class SimulatedFleet {
  readonly workloads = new Map<string, SimulatedWorkload>();
  #view = new Map<string, SimulatedWorkload>();
  #created = 0;
  /** Workloads whose pods a controller replaces because their revision changed. */
  readonly inMotion = new Set<string>();
  /** Revisions whose pods crash, with the workloads that they crash. */
  readonly bad = new Map<string, (workload: SimulatedWorkload) => boolean>();
  /** Changes of the revision of the objects of a workload. */
  readonly restarts: { readonly uid: string; readonly from: string; readonly to: string }[] = [];

  /** Workloads as the controller sees them. */
  get seen(): readonly SimulatedWorkload[] {
    return [...this.#view.values()];
  }

  create(drawn: DrawnWorkload, created?: string): SimulatedWorkload {
    const workload: SimulatedWorkload = {
      ...{ ...drawn, uid: `uid-${(this.#created += 1)}`, applied: 0, generation: 1, observed: 0, created },
      ...{ health: 'starting', isReady: false },
    };
    this.workloads.set(workload.uid, workload);
    return workload;
  }

  delete(uid: string): void {
    this.workloads.delete(uid);
    this.inMotion.delete(uid);
  }

  /** Delivers the present state of a workload to the controller. */
  deliver(uid: string): void {
    const workload = this.workloads.get(uid);
    if (workload) this.#view.set(uid, { ...workload });
    else this.#view.delete(uid);
  }

  /** Delivers everything, as the first list of a new process. */
  deliverAll(): void {
    for (const uid of new Set([...this.workloads.keys(), ...this.#view.keys()])) this.deliver(uid);
  }

  /** Applies the objects of a workload at a revision; the response shows them to the controller. */
  apply(seen: SimulatedWorkload, revision: string): void {
    const workload = this.workloads.get(seen.uid);
    if (!workload) return;
    const isRestart = workload.isShaped && workload.objects !== undefined && workload.objects !== revision;
    if (isRestart) {
      this.restarts.push({ uid: workload.uid, from: workload.objects ?? '', to: revision });
      this.inMotion.add(workload.uid);
    }
    if (isRestart || workload.applied !== seen.generation) workload.health = 'starting';
    workload.objects = revision;
    workload.applied = seen.generation;
    const { objects, applied, health } = workload;
    this.#view.set(seen.uid, { ...seen, objects, applied, health });
  }

  /** Writes a status unless the workload has changed since it was read. */
  report(
    read: SimulatedWorkload,
    status: Pick<SimulatedWorkload, 'observed' | 'isReady' | 'failure' | 'record'>,
  ): void {
    const workload = this.workloads.get(read.uid);
    if (workload?.generation !== read.generation || workload.record !== read.record) return;
    Object.assign(workload, status);
    const seen = this.#view.get(read.uid);
    this.#view.set(read.uid, Object.assign({ ...(seen ?? workload) }, status));
  }

  /** Lets the pods of a workload start or fail. */
  settle(uid: string): void {
    const workload = this.workloads.get(uid);
    if (workload?.health !== 'starting' || workload.objects === undefined) return;
    const crashes = workload.isShaped && this.bad.get(workload.objects)?.(workload);
    workload.health = workload.isBroken ? 'down' : crashes ? 'failing' : 'ready';
    if (workload.health === 'ready') this.inMotion.delete(uid);
  }
}
