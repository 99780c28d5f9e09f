import { type Load } from '../load/load';
import { idleCores, coresPerRequest, seatSeconds } from '../sizing/api-server-plan';
import { fileFactor } from '../sizing/plan-volume';
import { liveBytes, objectBytes, peakFactor, storedShare } from '../memory/memory-model';
import { controllersBytes, systemBytes } from '../sizing/plan-control-plane-nodes';
import {
  eventsPerPod,
  leasesPerNode,
  requestsPerNode,
  requestsPerPod,
  revisionsPerPod,
  statusesPerNode,
} from '../sizing/request-load';
import { revisionsAfterScheduled, revisionsBeforeScheduled } from '../sizing/storm';
import { RevisionWindow } from './revision-window';
import { type SimulatedControlPlane } from './simulated-control-plane';

/** One minute of an incident: the state at its end, and its events. */
export interface SimulatedMinute {
  readonly minute: number;
  readonly nodes: number;
  readonly pods: number;
  readonly placed: number;
  readonly requestsPerSecond: number;
  readonly rejectedPerSecond: number;
  /** Seats that the requests need on all servers, and available seats. */
  readonly seatsNeeded: number;
  readonly seats: number;
  readonly memoryBytes: number;
  readonly memoryLimitBytes: number;
  readonly etcdBytes: number;
  readonly quotaBytes: number;
  readonly events: readonly string[];
}

/** Second at which the API load rises; earlier if a server is killed before it. */
const loadRisesAt = 300;
/** Nodes join evenly between these seconds. */
const nodesFrom = 60;
const nodesUntil = 360;
/** Lag of a watch; if the history is shorter, the client must list again. */
const watcherLagSeconds = 5;
/** Seconds until a killed server is available again. */
const restartSeconds = 60;

/** State of an incident, advanced second by second. */
export class Incident {
  private second = 0;
  private created = 0;
  private placed = 0;
  private nodes: number;
  private retries = 0;
  private loadRoseAt: number | undefined;
  private killedAt: number | undefined;
  private isQuotaExceeded = false;
  private fileBytes = 0;
  private writeSuccess = 1;
  private peak = { requests: 0, rejected: 0, seatsNeeded: 0, seats: 0, memory: 0 };
  private events: string[] = [];
  private readonly revisions: RevisionWindow;

  constructor(
    private readonly load: Load,
    private readonly plane: SimulatedControlPlane,
  ) {
    this.nodes = load.nodes;
    this.revisions = new RevisionWindow(plane.compactionSeconds);
    this.peak.seats = plane.seats * plane.servers;
    for (let before = 0; before < 2 * plane.compactionSeconds; before++) this.revisions.write(this.ordinaryBytes());
  }

  /** Advances by one second. */
  tick(): void {
    this.second++;
    this.addNodes();
    const [created, placed] = this.isQuotaExceeded ? [0, 0] : [this.createPods(), this.schedule()];
    this.sendRequests(created, placed);
    this.writeToEtcd(created, placed);
  }

  private addNodes(): void {
    const { nodes, storm } = this.load;
    const allowed = Math.min(storm.nodesAdded, Math.max(0, this.plane.maxNodes - nodes));
    const progress = Math.min(1, Math.max(0, (this.second - nodesFrom) / (nodesUntil - nodesFrom)));
    const requested = nodes + Math.floor(storm.nodesAdded * progress);
    const before = this.nodes;
    if (!this.isQuotaExceeded) this.nodes = Math.max(before, Math.min(requested, nodes + allowed));
    if (before === nodes && this.nodes > before) this.events.push('the autoscaler adds nodes');
    if (before < nodes + allowed && this.nodes === nodes + allowed)
      this.events.push(
        allowed < storm.nodesAdded
          ? `the autoscaler stops at its limit of ${this.nodes} nodes`
          : 'all nodes have joined',
      );
  }

  private createPods(): number {
    const remaining = (this.load.storm.podFactor - 1) * this.load.largestNamespacePods - this.created;
    const created = Math.max(0, Math.min(remaining, this.plane.controllerManagerQps * this.writeSuccess));
    if (this.second === 1) this.events.push('one namespace creates its pods');
    this.created += created;
    return created;
  }

  private schedule(): number {
    const perNode = Math.max(1, (1.25 * this.load.pods) / this.load.nodes);
    const free = perNode * this.nodes - this.load.pods - this.placed;
    const placed = Math.max(0, Math.min(this.created - this.placed, free, this.plane.schedulerQps * this.writeSuccess));
    this.placed += placed;
    return placed;
  }

  /** Simulates client requests: the seats and memory that they use, and the share that is served. */
  private sendRequests(created: number, placed: number): void {
    const { plane, load } = this;
    const changes = load.customResources.reduce((sum, { changesPerSecond }) => sum + changesPerSecond, 0);
    const clients = load.controllers.fullCaches + load.controllers.requestsPerSecond + changes;
    const baseline = requestsPerNode * this.nodes + requestsPerPod * load.podsPerSecond + clients;
    const ordinary = baseline + (requestsPerPod / 2) * (created + placed);
    if (this.loadRoseAt === undefined && (this.second >= loadRisesAt || this.killedAt !== undefined)) {
      this.loadRoseAt = this.second;
      this.events.push(`clients reconnect: ${load.storm.loadFactor} times the API load`);
    }
    const lists = this.loadRoseAt === undefined ? 0 : (load.storm.loadFactor - 1) * baseline + this.retries;
    const serversDown = this.killedAt !== undefined && this.second < this.killedAt + restartSeconds ? 1 : 0;
    const servers = Math.max(1, plane.servers - serversDown);
    const slowdown = this.slowdown(ordinary + lists * plane.listWork, servers);
    const separateWrites = plane.mutatingSeats === undefined ? 0 : this.writes(created, placed);
    const seatsNeeded = (ordinary - separateWrites + lists * plane.listWork) * seatSeconds * slowdown;
    const seats = plane.seats * servers;
    const served = Math.min(1, seats / seatsNeeded);
    const writeSeats = (plane.mutatingSeats ?? 0) * servers;
    this.writeSuccess =
      plane.mutatingSeats === undefined ? served : Math.min(1, writeSeats / (separateWrites * seatSeconds * slowdown));
    const rejected = (ordinary - separateWrites + lists) * (1 - served) + separateWrites * (1 - this.writeSuccess);
    // Each client has six reflectors with one request in flight each.
    this.retries = Math.min(6 * this.nodes, rejected / plane.retrySeconds);
    if (served < 1 && this.isFirst('seats')) this.events.push('no free seats: 429');
    this.updatePeak(ordinary + lists, rejected, seatsNeeded, seats, this.memory(created, placed));
  }

  /** Returns the writes per second: kubelets, starting pods and events. */
  private writes(created: number, placed: number): number {
    const pods =
      revisionsBeforeScheduled * created + revisionsAfterScheduled * placed + (eventsPerPod / 2) * (created + placed);
    return (leasesPerNode + statusesPerNode) * this.nodes + pods;
  }

  /** Returns the factor by which each request slows down without free CPU, limited by the requests in flight. */
  private slowdown(work: number, servers: number): number {
    const { cores, seats, mutatingSeats: writingSeats = 0 } = this.plane;
    const cpuLoad = (idleCores + coresPerRequest * work) / (cores * servers);
    const maxSlowdown = ((seats + writingSeats) * coresPerRequest) / seatSeconds / cores;
    return Math.max(1, Math.min(cpuLoad, maxSlowdown));
  }

  private memory(created: number, placed: number): number {
    const { plane, load } = this;
    const pods = load.pods + this.created;
    const live = liveBytes({
      nodes: this.nodes,
      pods,
      podBytes: plane.podBytes,
      customResources: load.customResources,
    });
    const changes = revisionsBeforeScheduled * created + revisionsAfterScheduled * placed;
    const isHistoryTooShort = plane.historyEvents !== undefined && changes * watcherLagSeconds > plane.historyEvents;
    const concurrentLists = Math.min(load.controllers.fullCaches, plane.seats / 10);
    const lists =
      isHistoryTooShort || this.loadRoseAt !== undefined
        ? concurrentLists * pods * plane.podBytes * plane.listCopies
        : 0;
    // A server that streams lists holds at most 100 kB per seat; the garbage collector keeps the heap below GOMEMLIMIT.
    const heap = plane.listCopies === 0 ? live / 0.8 + plane.seats * 100_000 : live * peakFactor(100) + lists;
    const limit = memoryLimit(load, plane, pods);
    if (heap > limit && (this.killedAt === undefined || this.second >= this.killedAt + restartSeconds)) {
      this.killedAt = this.second;
      if (this.isFirst('killed')) this.events.push('API servers are OOM-killed one after another');
    }
    return heap;
  }

  private writeToEtcd(created: number, placed: number): void {
    const { plane, load } = this;
    const pod = storedShare * plane.podBytes;
    const writes = (revisionsBeforeScheduled * created + revisionsAfterScheduled * placed) * pod;
    if (!this.isQuotaExceeded) this.revisions.write(this.ordinaryBytes() + writes);
    else this.revisions.write(0);
    const custom = load.customResources.reduce((sum, { count, bytes }) => sum + count * bytes, 0);
    const live = (load.pods + this.created) * pod + this.nodes * (load.nodeBytes + objectBytes.lease) + custom;
    const events = (load.podsPerSecond * 3600 + this.created + this.placed) * (eventsPerPod / 2) * objectBytes.event;
    const inUse = live + this.revisions.bytes + (plane.hasEventsEtcd ? 0 : events);
    this.fileBytes = Math.max(this.fileBytes, Math.min(plane.quotaBytes, fileFactor * inUse));
    if (!this.isQuotaExceeded && this.fileBytes >= plane.quotaBytes) {
      this.isQuotaExceeded = true;
      this.events.push('the etcd quota is exceeded: all writes are rejected, even deletes');
    }
  }

  private ordinaryBytes(): number {
    const { nodeBytes, podsPerSecond, customResources } = this.load;
    const custom = customResources.reduce((sum, one) => sum + one.changesPerSecond * one.bytes, 0);
    const node = statusesPerNode * nodeBytes + leasesPerNode * objectBytes.lease;
    return this.nodes * node + podsPerSecond * revisionsPerPod * storedShare * this.plane.podBytes + custom;
  }

  private readonly reported = new Set<string>();
  private isFirst(event: string): boolean {
    if (this.reported.has(event)) return false;
    this.reported.add(event);
    return true;
  }

  private updatePeak(requests: number, rejected: number, seatsNeeded: number, seats: number, memory: number): void {
    const { peak } = this;
    const isScarcer = seatsNeeded / seats > peak.seatsNeeded / peak.seats;
    this.peak = {
      requests: Math.max(peak.requests, requests),
      rejected: Math.max(peak.rejected, rejected),
      seatsNeeded: isScarcer ? seatsNeeded : peak.seatsNeeded,
      seats: isScarcer ? seats : peak.seats,
      memory: Math.max(peak.memory, memory),
    };
  }

  /** Ends the minute, returns it with the peaks of its seconds, and starts the next. */
  endMinute(minute: number): SimulatedMinute {
    const { peak, plane, load } = this;
    const pods = load.pods + Math.floor(this.created);
    const finished: SimulatedMinute = {
      minute,
      nodes: this.nodes,
      pods,
      placed: load.pods + Math.floor(this.placed),
      requestsPerSecond: Math.round(peak.requests),
      rejectedPerSecond: Math.round(peak.rejected),
      seatsNeeded: Math.ceil(peak.seatsNeeded),
      seats: peak.seats,
      memoryBytes: Math.round(peak.memory),
      memoryLimitBytes: Math.round(memoryLimit(load, plane, pods)),
      etcdBytes: Math.round(this.fileBytes),
      quotaBytes: plane.quotaBytes,
      events: this.events,
    };
    this.events = [];
    this.peak = { requests: 0, rejected: 0, seatsNeeded: 0, seats: plane.seats * plane.servers, memory: 0 };
    return finished;
  }
}

/** Memory of a control plane node that remains for the API server. */
const memoryLimit = (load: Load, plane: SimulatedControlPlane, pods: number): number =>
  0.95 * plane.memoryBytes - controllersBytes(Math.max(load.pods, pods)) - systemBytes - plane.quotaBytes / 2;
