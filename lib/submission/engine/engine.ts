import { type PlatformDocument } from '../../api';
import {
  type Approval,
  type ApprovalRequest,
  type Caller,
  type Change,
  type Check,
  type Deployment,
  type DeploymentEvent,
  type DeployRequest,
  type Page,
  type ProjectView,
  type RollBackRequest,
  type VersionView,
  type WorkloadDetail,
  type WorkloadView,
} from '../../contract';
import { WorkQueue, type Clock } from '../../kube';
import { Refusal } from '../refusal';
import { type Asked, type Paging, type Streaming, type SubmissionService } from '../service';
import { type ConfigMapState } from '../state/config-map-state';
import { freshRecord, isFinal, type DeploymentRecord } from '../state/deployment-record';
import { laneOf, type LedgerEntry } from '../state/project-ledger';
import { type Target } from '../targets/target';
import { Acceptor, hashOf } from './acceptor';
import { roleOf, type Role } from '../rights';
import { approve, cancel } from './consent';
import { Driver } from './driver';
import { reachable, type KnownArtifacts } from './known-artifacts';
import { LiveStream } from './live-stream';
import { forgetOld } from './forget-old';
import { newestFirst, paged } from './paged';
import { projectView } from './project-view';
import { workloadDetail, workloadView } from './workload-view';

/** What an engine leans on. */
export interface EngineOptions {
  readonly artifacts: KnownArtifacts;
  readonly state: ConfigMapState;
  readonly targets: ReadonlyMap<string, Target>;
  readonly clock: Clock;
  readonly onEnd: (deployment: Deployment) => void;
  readonly onBreakGlass: (deployment: Deployment, caller: Caller) => void;
  readonly onError: (error: unknown, project: string) => void;
}

/** Milliseconds between two looks for deployments that are old enough to be forgotten. */
const sweepEvery = 600_000;
/** Projects that are driven at the same time; driving is waiting for answers. */
const drivers = 32;

/** What the service does, whoever lets callers in. */
export class SubmissionEngine implements SubmissionService {
  private readonly acceptor: Acceptor;
  private readonly driver: Driver;

  constructor(private readonly options: EngineOptions) {
    this.acceptor = new Acceptor(options);
    this.driver = new Driver({ ...options, hasRoom: (project, entry) => this.acceptor.hasRoom(project, entry) });
  }

  /** Drives all deployments to their ends until the signal is raised; one process at a time does. */
  async lead(signal: AbortSignal): Promise<void> {
    const { state, targets, clock, onError } = this.options;
    const queue = new WorkQueue({ clock, retryBase: 100, retryCap: 10_000 });
    const open = (project: string): boolean => state.ledger(project).open.length > 0;
    const ends = [
      state.onChange(({ project }) => queue.add(project)),
      ...[...targets.values()].map((target) => target.onChange(({ project }) => open(project) && queue.add(project))),
    ];
    for (const project of state.projects()) queue.add(project);
    ends.push(this.sweeping(signal));
    const stop = (): void => void queue.shutDown({ discard: true });
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    await queue.run(drivers, (project) => this.driver.drive(project), onError);
    for (const end of ends) end();
  }

  /** Forgets old deployments from time to time; gives what ends that. */
  private sweeping(signal: AbortSignal): () => void {
    const { state, clock, onError } = this.options;
    let takeBack = (): void => undefined;
    const sweep = async (): Promise<void> => {
      for (const project of state.projects())
        if (!signal.aborted) await forgetOld(state, project).catch((error: unknown) => onError(error, project));
      if (!signal.aborted) takeBack = clock.after(sweepEvery, () => void sweep());
    };
    takeBack = clock.after(sweepEvery, () => void sweep());
    return () => takeBack();
  }

  unready(): string | undefined {
    if (!this.options.state.hasSynced()) return 'what is under way is not read yet';
    // One cluster that does not answer takes nothing from the others.
    const reasons = [...this.options.targets.values()].map((target) => target.unready());
    return reasons.includes(undefined) ? undefined : reasons[0];
  }

  async projects(caller: Caller, paging: Paging): Promise<Page<ProjectView>> {
    const found = this.memberships(caller).map(
      ({ target, project, role }) =>
        [
          `${project.metadata.name}/${target.name}`,
          () => projectView(target, project, role, this.options.clock.now()),
        ] as const,
    );
    const { items, next } = paged(found, paging);
    return { items: items.map((view) => view()), ...(next !== undefined && { next }) };
  }

  async workloads(
    caller: Caller,
    { project, target: only, ...paging }: Parameters<SubmissionService['workloads']>[1],
  ): Promise<Page<WorkloadView>> {
    const found = this.memberships(caller)
      .filter((one) => project === undefined || one.project.metadata.name === project)
      .filter(({ target }) => only === undefined || target.name === only)
      .flatMap(({ target, project: { metadata } }) =>
        target
          .workloads(metadata.name)
          .map(
            (live) =>
              [
                `${metadata.name}/${target.name}/${live.kind}/${live.metadata.name}`,
                () => workloadView(target, live),
              ] as const,
          ),
      );
    const { items, next } = paged(found, paging);
    return { items: items.map((view) => view()), ...(next !== undefined && { next }) };
  }

  async workload(caller: Caller, which: Parameters<SubmissionService['workload']>[1]): Promise<WorkloadDetail> {
    const { project, target: name, kind } = which;
    this.roleIn(caller, project);
    const target = this.options.targets.get(name);
    const mine = target?.project(project);
    const live =
      target && mine && roleOf(caller, mine) ? target.workload(project, { kind, name: which.name }) : undefined;
    if (!target || !live) throw missing(`${kind} ${which.name} of ${project} on ${name}`);
    return workloadDetail(target, live);
  }

  async versions(
    caller: Caller,
    { project, workflow, ...paging }: Parameters<SubmissionService['versions']>[1],
  ): Promise<Page<VersionView>> {
    this.roleIn(caller, project);
    const { artifacts } = this.options;
    const of = workflow === undefined ? project : `${project}/${workflow}`;
    const all = await reachable(() => artifacts.store.versions(of));
    const { items, next } = paged(
      all.map((one) => [newestFirst(one.published, `${one.name}@${one.version}`), one] as const),
      paging,
    );
    const views: VersionView[] = [];
    for (const { name, version, digest, published } of items) {
      const reference = `${project}/${name}@${version}`;
      const artifact = await artifacts.get(reference).catch((error: unknown) => {
        if (error instanceof Refusal && error.status === 404) return undefined;
        throw error;
      });
      const stages = artifact?.content.stages.map((stage) => stage.name) ?? [];
      views.push({ artifact: reference, workflow: name, version, digest, publishedAt: published, stages });
    }
    return { items: views, ...(next !== undefined && { next }) };
  }

  check(caller: Caller, request: DeployRequest): Promise<Check> {
    return this.acceptor.check(caller, request);
  }

  deploy(asked: Asked, request: DeployRequest): Promise<Deployment> {
    return this.acceptor.accept(asked, request, 'deploy');
  }

  async rollBack(asked: Asked, { project, workflow, stage, version }: RollBackRequest): Promise<Deployment> {
    this.roleIn(asked.caller, project);
    const said = hashOf('rollBack', project, workflow, stage, version ?? '');
    const earlier = this.acceptor.earlier(asked, project, said);
    if (earlier) return earlier;
    const { open, ...ledger } = this.options.state.ledger(project);
    const { ready, last } = laneOf({ ...ledger, open }, { workflow, stage });
    const before = ready[0]?.id === last ? ready.slice(1) : ready;
    // Who asks for the way back while somebody else's is under way means that one, and not back from there.
    const back = open.find((one) => one.id === last && one.intent === 'rollBack');
    const wanted = version === undefined ? (back ?? before[0]) : ready.find((one) => one.version === version);
    if (!wanted) {
      const known = ready.map((one) => one.version).join(', ');
      const problem = {
        code: 'unknown-reference',
        path: ['version'],
        ...(version !== undefined && { value: version }),
        reason: version === undefined ? 'nothing else was Ready there before' : 'was not Ready there',
        remedy: known === '' ? 'deploy a version first' : `name one of ${known}`,
      } as const;
      throw new Refusal(422, { title: 'There is nothing to go back to', problems: [problem] });
    }
    const artifact = `${project}/${workflow}@${wanted.version}`;
    return this.acceptor.accept(asked, { artifact, stage }, 'rollBack', said);
  }

  async cancel(caller: Caller, id: string): Promise<Deployment> {
    return cancel(this.options, caller, await this.visibleDeployment(caller, id));
  }

  approve(caller: Caller, request: ApprovalRequest): Promise<Approval> {
    return approve(this.options, caller, request);
  }

  async deployments(
    caller: Caller,
    { project, workflow, stage, ...paging }: Parameters<SubmissionService['deployments']>[1],
  ): Promise<Page<Deployment>> {
    const mine = new Set(this.memberships(caller).map((one) => one.project.metadata.name));
    const names = project === undefined ? [...mine] : [project].filter((name) => mine.has(name));
    const found = names
      .flatMap((name) => this.deploymentsOf(name))
      .filter((one) => this.sees(caller, one))
      .filter((one) => workflow === undefined || one.workflow === workflow)
      .filter((one) => stage === undefined || one.stage === stage);
    return paged(
      found.map((one) => [newestFirst(one.requestedAt, one.id), one] as const),
      paging,
    );
  }

  async deployment(caller: Caller, id: string): Promise<Deployment> {
    return this.visibleDeployment(caller, id);
  }

  async follow(
    caller: Caller,
    id: string,
    after: number,
    { signal }: Streaming,
  ): Promise<AsyncIterable<DeploymentEvent>> {
    const { project } = await this.visibleDeployment(caller, id);
    const { state } = this.options;
    const stream = new LiveStream<DeploymentEvent>(signal);
    let told = after;
    const tell = (record: DeploymentRecord | undefined): void => {
      for (const event of record?.events ?? [])
        if (event.number > told) {
          told = event.number;
          stream.put(`${event.number}`, event);
        }
      if (record && isFinal(record.deployment.phase)) stream.end();
    };
    const end = state.onChange(({ record }) => record?.deployment.id === id && tell(record));
    const entry = state.ledger(project).open.find((one) => one.id === id);
    tell(state.record(id) ?? (entry && freshRecord(project, entry, undefined)));
    signal.addEventListener('abort', end, { once: true });
    return closing(stream, end);
  }

  async changes(
    caller: Caller,
    { project: only }: Parameters<SubmissionService['changes']>[1],
    { signal }: Streaming,
  ): Promise<AsyncIterable<Change>> {
    if (only !== undefined) this.roleIn(caller, only);
    const { state, targets } = this.options;
    const stream = new LiveStream<Change>(signal);
    const isWanted = (project: string): boolean => only === undefined || project === only;
    /** Projects that the caller knows of, so that they alone are told as gone. */
    const mine = new Set(this.memberships(caller).map((one) => projectKey(one.target, one.project.metadata.name)));
    const ends = [...targets.values()].map((target) =>
      target.onChange((change) => {
        if (!isWanted(change.project)) return;
        const item = this.changeOf(caller, target, change, mine);
        if (item) stream.put(...item);
      }),
    );
    ends.push(
      state.onChange(({ project, record }) => {
        if (record && isWanted(project) && this.sees(caller, record.deployment))
          stream.put(`deployment/${record.deployment.id}`, { type: 'deployment', deployment: record.deployment });
      }),
    );
    const end = (): void => ends.forEach((one) => void one());
    signal.addEventListener('abort', end, { once: true });
    return closing(stream, end);
  }

  private changeOf(
    caller: Caller,
    target: Target,
    change: Parameters<Parameters<Target['onChange']>[0]>[0],
    mine: Set<string>,
  ): [string, Change] | undefined {
    const project = target.project(change.project);
    const role = project && roleOf(caller, project);
    if (change.type === 'workload') {
      if (!role) return undefined;
      const { kind, metadata } = change.workload;
      const key = `workload/${target.name}/${change.project}/${kind}/${metadata.name}`;
      const gone = {
        project: change.project,
        target: target.name,
        kind: kind as WorkloadView['kind'],
        name: metadata.name,
      };
      return [
        key,
        change.gone
          ? { type: 'workloadGone', workload: gone }
          : { type: 'workload', workload: workloadView(target, change.workload) },
      ];
    }
    const key = projectKey(target, change.project);
    if (project && role) {
      mine.add(key);
      return [key, { type: 'project', project: projectView(target, project, role, this.options.clock.now()) }];
    }
    return mine.delete(key)
      ? [key, { type: 'projectGone', project: { name: change.project, target: target.name } }]
      : undefined;
  }

  private memberships(caller: Caller): { target: Target; project: PlatformDocument<'Project'>; role: Role }[] {
    return [...this.options.targets.values()].flatMap((target) =>
      target.projects().flatMap((project) => {
        const role = roleOf(caller, project);
        return role ? [{ target, project, role }] : [];
      }),
    );
  }

  private isMember(caller: Caller, name: string): boolean {
    return [...this.options.targets.values()].some((target) => {
      const project = target.project(name);
      return project !== undefined && roleOf(caller, project) !== undefined;
    });
  }

  /** Whether a caller is a member of the project on one of the clusters that a deployment is about. */
  private sees(caller: Caller, { project: name, targets }: Deployment): boolean {
    return targets.some((one) => {
      const project = this.options.targets.get(one.name)?.project(name);
      return project !== undefined && roleOf(caller, project) !== undefined;
    });
  }

  private roleIn(caller: Caller, project: string): void {
    if (!this.isMember(caller, project)) throw missing(`project ${project}`);
  }

  private deploymentsOf(project: string): Deployment[] {
    const { state } = this.options;
    const begun = state.records(project).map(({ deployment }) => deployment);
    const known = new Set(begun.map(({ id }) => id));
    const pending = state.ledger(project).open.filter(({ id }) => !known.has(id));
    return [...begun, ...pending.map((entry: LedgerEntry) => freshRecord(project, entry, undefined).deployment)];
  }

  /** A deployment of a project that the caller is a member of. */
  private async visibleDeployment(caller: Caller, id: string): Promise<Deployment> {
    const { state } = this.options;
    const record = state.record(id);
    if (record && this.sees(caller, record.deployment)) return record.deployment;
    for (const { project } of record ? [] : this.memberships(caller)) {
      const entry = state.ledger(project.metadata.name).open.find((one) => one.id === id);
      const deployment = entry && freshRecord(project.metadata.name, entry, undefined).deployment;
      if (deployment && this.sees(caller, deployment)) return deployment;
    }
    throw missing(`deployment ${id}`);
  }
}

const projectKey = (target: Target, project: string): string => `project/${target.name}/${project}`;

const missing = (what: string): Refusal =>
  new Refusal(404, { title: 'There is no such thing', detail: `${what} does not exist, or is none of yours` });

/** A stream that lets go of what feeds it when its reader leaves. */
async function* closing<T>(stream: AsyncIterable<T>, end: () => unknown): AsyncGenerator<T, void, void> {
  try {
    yield* stream;
  } finally {
    end();
  }
}
