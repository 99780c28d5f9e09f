import fc from 'fast-check';
import { rolloutPolicy, type RolloutPolicy } from '../../../lib/api/fields/rollout-policy';
import { isRolloutEnded } from '../../../lib/expand';
import { checkStep, type Released } from './check-step';
import { SimulatedController } from './simulated-controller';
import { SimulatedFleet, type DrawnWorkload } from './simulated-fleet';

const drawnWorkload: fc.Arbitrary<DrawnWorkload> = fc
  .record({
    project: fc.constantFrom('shop', 'feed', 'ads'),
    tier: fc.constantFrom('batch', 'critical'),
    perNode: fc.nat(9).map((one) => one === 0),
    pods: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constant(40)),
    isShaped: fc.nat(5).map((one) => one !== 0),
    isStuck: fc.boolean(),
    isBroken: fc.nat(9).map((one) => one === 0),
  })
  .map((drawn) => ({ ...drawn, isStuck: drawn.isStuck && drawn.isBroken }));

const policy: fc.Arbitrary<RolloutPolicy> = fc
  .record({
    soak: fc.constantFrom('0s', '30s', '5m'),
    share: fc.integer({ min: 1, max: 100 }),
    workloads: fc.integer({ min: 1, max: 5 }),
    workloadsPerProject: fc.integer({ min: 1, max: 3 }),
    pods: fc.integer({ min: 1, max: 30 }),
    maxFailures: fc.nat(2),
    stalledAfter: fc.constantFrom('10m', '4h'),
    onFailure: fc.constantFrom('Rollback' as const, 'Halt' as const),
  })
  .map(({ soak, share, maxFailures, onFailure, stalledAfter, ...budget }) =>
    rolloutPolicy().parse({
      waves: [
        { name: 'first', projects: ['ads'], share, soak },
        { name: 'early', share: 30, soak: '1m' },
      ],
      ...{ soak, budget, maxFailures, onFailure, stalledAfter },
    }),
  );

/** A step of the controller, of the cluster, or of time. */
type Event = { readonly which: number } & (
  | { readonly do: 'reconcile' | 'report' | 'platform'; readonly isKilled: boolean }
  | { readonly do: 'settle' | 'deliver' | 'restart' | 'deploy' | 'create' | 'delete' | 'crash' | 'recover' }
  | {
      readonly do: 'outage' | 'pause' | 'freeze' | 'canary' | 'impact' | 'approve' | 'emergency' | 'abort' | 'rollback';
    }
  | { readonly do: 'wait'; readonly seconds: number }
  | { readonly do: 'change'; readonly revision: string }
);

const which = fc.nat();
const isKilled = fc.nat(5).map((one) => one === 0);
const actions = <Name extends string>(weight: number, ...names: readonly Name[]) => ({
  weight,
  arbitrary: fc.record({ do: fc.constantFrom(...names), which }),
});
const works = {
  weight: 30,
  arbitrary: fc.record({
    do: fc.constantFrom('reconcile' as const, 'report' as const, 'platform' as const),
    which,
    isKilled,
  }),
};
const waits = {
  weight: 6,
  arbitrary: fc.record({
    do: fc.constant('wait' as const),
    which,
    seconds: fc.constantFrom(1, 5, 31, 61, 301, 700, -20, -4000),
  }),
};
const changes = {
  weight: 1,
  arbitrary: fc.record({
    do: fc.constant('change' as const),
    which,
    revision: fc.constantFrom('rev-a', 'rev-b', 'rev-c'),
  }),
};
/** What changes no outcome. */
const harmless = [works, waits, actions(25, 'settle', 'deliver'), actions(1, 'restart', 'deploy')];
const anything: fc.Arbitrary<Event> = fc.oneof(
  ...harmless,
  changes,
  actions(4, 'create', 'delete', 'crash', 'recover', 'outage', 'pause', 'freeze', 'canary', 'emergency', 'impact'),
  actions(2, 'approve'),
  actions(1, 'abort', 'rollback'),
);

/** Digests that must be approved, or that are approved. */
const impacts = [undefined, 'sha256:a', 'sha256:b'];

const pick = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(1, list.length)];

/** A history of a cluster whose Platform changes, with the promises that hold at all times. */
class History {
  readonly fleet = new SimulatedFleet();
  readonly controller: SimulatedController;
  readonly #released: Released = new Map();
  readonly #drawn: readonly DrawnWorkload[];

  constructor(policyOfPlatform: RolloutPolicy, drawn: readonly DrawnWorkload[]) {
    this.#drawn = drawn;
    this.controller = new SimulatedController(this.fleet, policyOfPlatform, 'rev-a');
    for (const workload of drawn) this.fleet.create(workload);
    this.rest();
  }

  /** Lets the cluster do all that it can without time. */
  rest(): void {
    for (let round = 0; round < 3; round++) {
      this.fleet.deliverAll();
      for (const workload of this.fleet.seen) this.controller.reconcileWorkload(workload);
      for (const uid of this.fleet.workloads.keys()) this.fleet.settle(uid);
    }
    this.fleet.deliverAll();
  }

  decide(index: number): void {
    const { controller, fleet } = this;
    const rollout = pick(controller.rollouts, index);
    if (!rollout) return;
    const steps = controller.steps.length;
    controller.reconcileRollout(rollout);
    const { circumstances, now } = controller;
    for (const step of controller.steps.slice(steps))
      checkStep(step, { fleet, released: this.#released, circumstances, now });
  }

  happen(event: Event): void {
    const { fleet, controller } = this;
    const workload = pick([...fleet.workloads.values()], event.which);
    const rollout = pick(controller.open, event.which);
    switch (event.do) {
      case 'reconcile': {
        const seen = pick(fleet.seen, event.which);
        return seen && controller.reconcileWorkload(seen, event.isKilled);
      }
      case 'report':
        return event.isKilled ? undefined : this.decide(event.which);
      case 'platform':
        return controller.reconcilePlatform(event.isKilled);
      case 'settle':
        return workload && fleet.settle(workload.uid);
      case 'deliver':
        return workload && fleet.deliver(workload.uid);
      case 'restart':
        return fleet.deliverAll();
      case 'deploy':
        if (workload) workload.generation += 1;
        return;
      case 'create':
        return void fleet.create(this.#drawn[event.which % this.#drawn.length] as DrawnWorkload, controller.time);
      case 'delete':
        return workload && fleet.delete(workload.uid);
      case 'crash':
        if (workload?.health === 'ready') workload.health = 'failing';
        return;
      case 'recover':
        if (workload?.health === 'failing') workload.health = 'starting';
        return;
      case 'outage':
        for (const one of fleet.workloads.values())
          if (one.health === 'ready' && one.pods % 2 === 0) one.health = 'down';
        return;
      case 'wait':
        return controller.wait(event.seconds);
      case 'change':
        return controller.change(event.revision);
      case 'freeze':
        controller.circumstances.freeze = event.which % 2 === 0 ? 'weekend' : undefined;
        return;
      case 'canary':
        controller.circumstances.canaryHold = event.which % 2 === 0 ? 'it has not run' : undefined;
        return;
      case 'impact':
        controller.circumstances.impact = pick(impacts, event.which);
        return;
      case 'approve':
        if (rollout) rollout.spec = { ...rollout.spec, approvedImpact: pick(impacts, event.which) };
        return;
      case 'pause':
        if (rollout) rollout.spec = { ...rollout.spec, paused: event.which % 2 === 0 };
        return;
      case 'emergency': {
        const until = new Date(controller.now + 300_000).toISOString().replace('.000Z', 'Z');
        if (rollout) rollout.spec = { ...rollout.spec, emergency: { reason: 'incident', until } };
        return;
      }
      case 'abort':
        if (rollout) rollout.spec = { ...rollout.spec, aborted: true };
        return;
      case 'rollback':
        if (rollout && rollout.spec.rollbackOf === undefined) rollout.spec = { ...rollout.spec, rollback: true };
        return;
    }
  }

  /** Ends all disturbances, and lets the cluster work until every rollout has ended. */
  end(): void {
    const { fleet, controller } = this;
    controller.circumstances.canaryHold = undefined;
    controller.circumstances.freeze = undefined;
    controller.circumstances.impact = undefined;
    let delay = 15;
    for (let round = 0; ; round++) {
      const before = JSON.stringify(controller.rollouts);
      for (const rollout of controller.open) rollout.spec = { ...rollout.spec, paused: false };
      for (const one of fleet.workloads.values()) {
        const isBad = one.isShaped && fleet.bad.get(one.objects ?? '')?.(one) === true;
        if (one.health === 'down' || (one.health === 'failing' && !isBad)) one.health = 'starting';
      }
      controller.reconcilePlatform();
      this.rest();
      this.rest();
      const writes = controller.steps.length;
      for (let index = 0; index < controller.rollouts.length; index++) this.decide(index);
      if (controller.open.length === 0 && controller.steps.length === writes && round > 3) return;
      delay = JSON.stringify(controller.rollouts) === before ? Math.min(delay * 2, 1800) : 15;
      controller.wait(delay);
      if (round > 500)
        throw new Error(
          `does not end: ${JSON.stringify(controller.rollouts.map(({ name, status }) => [name, status]))}`,
        );
    }
  }

  /** Workloads from before the history that can move to a revision and have not. */
  behind(revision: string) {
    const old = [...this.fleet.workloads.values()].filter(({ created }) => created === undefined);
    return old.filter(({ isShaped, isStuck, objects }) => isShaped && !isStuck && objects !== revision);
  }

  /** Revisions of the workloads that the Platform shapes. */
  get revisions(): Readonly<Record<string, string | undefined>> {
    const shaped = [...this.fleet.workloads.values()].filter(({ isShaped }) => isShaped);
    return Object.fromEntries(shaped.map(({ uid, objects }) => [uid, objects]));
  }
}

const drawnFleet = fc.array(drawnWorkload, { minLength: 1, maxLength: 14 });
const histories = (event: fc.Arbitrary<Event>) => fc.array(event, { maxLength: 300, size: 'max' });

test('rollouts keep their promises in every history, and all of them end', () => {
  fc.assert(
    fc.property(policy, drawnFleet, histories(anything), fc.nat(3), (drawnPolicy, drawn, events, badness) => {
      const history = new History(drawnPolicy, drawn);
      if (badness > 0)
        history.fleet.bad.set('rev-b', ({ uid }) => uid.length + Number(uid.slice(-1)) <= 4 + badness * 2);
      history.controller.change('rev-b');
      for (const event of events) history.happen(event);
      history.end();
      expect(history.controller.rollouts.every(({ status }) => isRolloutEnded(status))).toBe(true);
      const last = history.controller.rollouts.findLast(({ spec }) => spec.rollbackOf === undefined);
      const { current, completed } = history.controller.revisions;
      // A completed rollout, or a Platform that is what it was, leaves no workload elsewhere that it could move in time.
      const isStopped = history.controller.rollouts.some(({ spec }) => spec.rollbackOf !== undefined && spec.aborted);
      if (current === completed && last && !isStopped && drawnPolicy.stalledAfter === '4h')
        expect(history.behind(current)).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

test('a rollout that is interrupted anywhere ends like one that is not', () => {
  fc.assert(
    fc.property(policy, drawnFleet, histories(fc.oneof(...harmless)), (drawnPolicy, drawn, events) => {
      // The controller may be down for long: what is released waits for it.
      const patient = { ...drawnPolicy, stalledAfter: '4h' };
      const history = new History(patient, drawn);
      history.controller.change('rev-b');
      for (const event of events) history.happen(event);
      history.end();
      const undisturbed = new History(patient, drawn);
      undisturbed.controller.change('rev-b');
      undisturbed.end();
      expect(history.revisions).toEqual(undisturbed.revisions);
      const facts = ({ controller }: History) =>
        controller.rollouts.map(({ name, status }) => [name, status?.phase, status?.workloads, status?.completed]);
      expect(facts(history)).toEqual(facts(undisturbed));
    }),
    { numRuns: 100 },
  );
});

test('the budget includes what a superseded rollout has released', () => {
  const healthy = drawnWorkload.map((drawn) => ({ ...drawn, isShaped: true, isStuck: false, isBroken: false }));
  const fleets = fc.array(healthy, { minLength: 4, maxLength: 10 });
  fc.assert(
    fc.property(policy, fleets, histories(fc.oneof(...harmless)), histories(fc.oneof(...harmless)), (...drawn) => {
      const [drawnPolicy, workloads, events, later] = drawn;
      const history = new History({ ...drawnPolicy, stalledAfter: '4h' }, workloads);
      history.controller.change('rev-b');
      for (const event of events) history.happen(event);
      history.controller.change('rev-c');
      for (const event of later) history.happen(event);
      history.end();
      expect(history.behind('rev-c')).toEqual([]);
    }),
    { numRuns: 60 },
  );
});
