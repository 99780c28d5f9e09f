import { type Load } from '../load/load';
import { coresAtRest, coresPerRequest, seatSeconds } from '../sizing/api-server-plan';
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
import { revisionsAfterPlaced, revisionsBeforePlaced } from '../sizing/storm';
import { RevisionWindow } from './revision-window';
import { type SimulatedControlPlane } from './simulated-control-plane';

/** One minute of an incident: the state at its end, and what happened in it. */
export interface SimulatedMinute {
  readonly minute: number;
  readonly nodes: number;
  readonly pods: number;
  readonly placed: number;
  readonly requestsPerSecond: number;
  readonly rejectedPerSecond: number;
  /** Seats that the requests need over all servers, and those available. */
  readonly seatsNeeded: number;
  readonly seats: number;
  readonly memoryBytes: number;
  readonly memoryLimitBytes: number;
  readonly etcdBytes: number;
  readonly quotaBytes: number;
  readonly events: readonly string[];
}

/** The API load rises at this minute, or as soon as a server was killed. */
const loadRisesAt = 300;
/** Nodes arrive evenly from the first to the sixth minute: 900 within minutes. */
const nodesFrom = 60;
const nodesUntil = 360;
/** A watch that is further behind than the history must list again. */
const watcherLagSeconds = 5;
/** Seconds until a killed server is back. */
const restartSeconds = 60;

/** State of an incident, advanced second by second. */
export class Incident {
  private second = 0;
  private created = 0;
  private placed = 0;
  private nodes: number;
  private returning = 0;
  private risen: number | undefined;
  private killed: number | undefined;
  private alarm = false;
  private file = 0;
  private served = 1;
  private peak = { requests: 0, refused: 0, wanted: 0, seats: 0, memory: 0 };
  private happened: string[] = [];
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
    const [created, placed] = this.alarm ? [0, 0] : [this.create(), this.place()];
    this.ask(created, placed);
    this.store(created, placed);
  }

  private addNodes(): void {
    const { nodes, storm } = this.load;
    const allowed = Math.min(storm.nodesAdded, Math.max(0, this.plane.maxNodes - nodes));
    const part = Math.min(1, Math.max(0, (this.second - nodesFrom) / (nodesUntil - nodesFrom)));
    const due = nodes + Math.floor(storm.nodesAdded * part);
    const before = this.nodes;
    if (!this.alarm) this.nodes = Math.max(before, Math.min(due, nodes + allowed));
    if (before === nodes && this.nodes > before) this.happened.push('the autoscaler adds nodes');
    if (before < nodes + allowed && this.nodes === nodes + allowed)
      this.happened.push(
        allowed < storm.nodesAdded
          ? `the autoscaler stops at its limit of ${this.nodes} nodes`
          : 'all nodes have arrived',
      );
  }

  private create(): number {
    const wanted = (this.load.storm.podFactor - 1) * this.load.largestNamespacePods - this.created;
    const created = Math.max(0, Math.min(wanted, this.plane.controllerManagerQps * this.served));
    if (this.second === 1) this.happened.push('one namespace requests its pods');
    this.created += created;
    return created;
  }

  private place(): number {
    const perNode = Math.max(1, (1.25 * this.load.pods) / this.load.nodes);
    const free = perNode * this.nodes - this.load.pods - this.placed;
    const placed = Math.max(0, Math.min(this.created - this.placed, free, this.plane.schedulerQps * this.served));
    this.placed += placed;
    return placed;
  }

  /** Requests of clients, the seats and memory they take, and the share that is served. */
  private ask(created: number, placed: number): void {
    const { plane, load } = this;
    const changes = load.customResources.reduce((sum, { changesPerSecond }) => sum + changesPerSecond, 0);
    const clients = load.controllers.fullCaches + load.controllers.requestsPerSecond + changes;
    const everyDay = requestsPerNode * this.nodes + requestsPerPod * load.podsPerSecond + clients;
    const ordinary = everyDay + (requestsPerPod / 2) * (created + placed);
    if (this.risen === undefined && (this.second >= loadRisesAt || this.killed !== undefined)) {
      this.risen = this.second;
      this.happened.push(`clients reconnect: ${load.storm.loadFactor} times the API load`);
    }
    const lists = this.risen === undefined ? 0 : (load.storm.loadFactor - 1) * everyDay + this.returning;
    const away = this.killed !== undefined && this.second < this.killed + restartSeconds ? 1 : 0;
    const servers = Math.max(1, plane.servers - away);
    const slowed = this.slowness(ordinary + lists * plane.listWork, servers);
    const apart = plane.mutatingSeats === undefined ? 0 : this.writes(created, placed);
    const wanted = (ordinary - apart + lists * plane.listWork) * seatSeconds * slowed;
    const seats = plane.seats * servers;
    const served = Math.min(1, seats / wanted);
    const writing = (plane.mutatingSeats ?? 0) * servers;
    this.served = plane.mutatingSeats === undefined ? served : Math.min(1, writing / (apart * seatSeconds * slowed));
    const refused = (ordinary - apart + lists) * (1 - served) + apart * (1 - this.served);
    // Each client has six reflectors with one request in flight each.
    this.returning = Math.min(6 * this.nodes, refused / plane.retrySeconds);
    if (served < 1 && !this.seen('seats')) this.happened.push('no free seats: 429');
    this.remember(ordinary + lists, refused, wanted, seats, this.memory(created, placed));
  }

  /** Writes of kubelets and of starting pods, and events. */
  private writes(created: number, placed: number): number {
    const pods =
      revisionsBeforePlaced * created + revisionsAfterPlaced * placed + (eventsPerPod / 2) * (created + placed);
    return (leasesPerNode + statusesPerNode) * this.nodes + pods;
  }

  /** Returns the factor by which each request slows down without free CPU, limited by the requests in flight. */
  private slowness(work: number, servers: number): number {
    const { cores, seats, mutatingSeats: writingSeats = 0 } = this.plane;
    const requested = (coresAtRest + coresPerRequest * work) / (cores * servers);
    const held = ((seats + writingSeats) * coresPerRequest) / seatSeconds / cores;
    return Math.max(1, Math.min(requested, held));
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
    const changes = revisionsBeforePlaced * created + revisionsAfterPlaced * placed;
    const cutOff = plane.historyEvents !== undefined && changes * watcherLagSeconds > plane.historyEvents;
    const side = Math.min(load.controllers.fullCaches, plane.seats / 10);
    const lists = cutOff || this.risen !== undefined ? side * pods * plane.podBytes * plane.listCopies : 0;
    // A streaming server holds no more than its seats account for; the collector keeps the heap below GOMEMLIMIT.
    const heap = plane.listCopies === 0 ? live / 0.8 + plane.seats * 100_000 : live * peakFactor(100) + lists;
    const limit = memoryLimit(load, plane, pods);
    if (heap > limit && (this.killed === undefined || this.second >= this.killed + restartSeconds)) {
      this.killed = this.second;
      if (!this.seen('killed')) this.happened.push('API servers are killed, one after the other: out of memory');
    }
    return heap;
  }

  private store(created: number, placed: number): void {
    const { plane, load } = this;
    const pod = storedShare * plane.podBytes;
    const writes = (revisionsBeforePlaced * created + revisionsAfterPlaced * placed) * pod;
    if (!this.alarm) this.revisions.write(this.ordinaryBytes() + writes);
    else this.revisions.write(0);
    const custom = load.customResources.reduce((sum, { count, bytes }) => sum + count * bytes, 0);
    const live = (load.pods + this.created) * pod + this.nodes * (load.nodeBytes + objectBytes.lease) + custom;
    const events = (load.podsPerSecond * 3600 + this.created + this.placed) * (eventsPerPod / 2) * objectBytes.event;
    const inUse = live + this.revisions.bytes + (plane.hasEventsEtcd ? 0 : events);
    this.file = Math.max(this.file, Math.min(plane.quotaBytes, fileFactor * inUse));
    if (!this.alarm && this.file >= plane.quotaBytes) {
      this.alarm = true;
      this.happened.push('etcd is full: every write is rejected, even deletes');
    }
  }

  private ordinaryBytes(): number {
    const { nodeBytes, podsPerSecond, customResources } = this.load;
    const custom = customResources.reduce((sum, one) => sum + one.changesPerSecond * one.bytes, 0);
    const node = statusesPerNode * nodeBytes + leasesPerNode * objectBytes.lease;
    return this.nodes * node + podsPerSecond * revisionsPerPod * storedShare * this.plane.podBytes + custom;
  }

  private readonly known = new Set<string>();
  private seen(what: string): boolean {
    if (this.known.has(what)) return true;
    this.known.add(what);
    return false;
  }

  private remember(requests: number, refused: number, wanted: number, seats: number, memory: number): void {
    const { peak } = this;
    const scarcer = wanted / seats > peak.wanted / peak.seats;
    this.peak = {
      requests: Math.max(peak.requests, requests),
      refused: Math.max(peak.refused, refused),
      wanted: scarcer ? wanted : peak.wanted,
      seats: scarcer ? seats : peak.seats,
      memory: Math.max(peak.memory, memory),
    };
  }

  /** Ends the minute, reported at its worst second, and starts the next. */
  minute(minute: number): SimulatedMinute {
    const { peak, plane, load } = this;
    const pods = load.pods + Math.floor(this.created);
    const done: SimulatedMinute = {
      minute,
      nodes: this.nodes,
      pods,
      placed: load.pods + Math.floor(this.placed),
      requestsPerSecond: Math.round(peak.requests),
      rejectedPerSecond: Math.round(peak.refused),
      seatsNeeded: Math.ceil(peak.wanted),
      seats: peak.seats,
      memoryBytes: Math.round(peak.memory),
      memoryLimitBytes: Math.round(memoryLimit(load, plane, pods)),
      etcdBytes: Math.round(this.file),
      quotaBytes: plane.quotaBytes,
      events: this.happened,
    };
    this.happened = [];
    this.peak = { requests: 0, refused: 0, wanted: 0, seats: plane.seats * plane.servers, memory: 0 };
    return done;
  }
}

/** Memory that the other programs of a control plane node leave to its API server. */
const memoryLimit = (load: Load, plane: SimulatedControlPlane, pods: number): number =>
  0.95 * plane.memoryBytes - controllersBytes(Math.max(load.pods, pods)) - systemBytes - plane.quotaBytes / 2;
