import { type SimulatedControlPlane } from './simulated-control-plane';
import { Incident, type SimulatedMinute } from './incident';
import { type Load } from '../load/load';

/** Timeline of an incident; a minute is undefined if that did not happen. */
export interface IncidentSimulation {
  readonly controlPlane: SimulatedControlPlane;
  readonly minutes: readonly SimulatedMinute[];
  readonly seatsExhausted: number | undefined;
  readonly memoryExhausted: number | undefined;
  readonly quotaExhausted: number | undefined;
}

/** Simulated minutes. */
const lengthMinutes = 15;
/** Simulates the incident of a load on a control plane, second by second. Pure: equal inputs give equal minutes. */
export function simulateIncident(load: Load, plane: SimulatedControlPlane): IncidentSimulation {
  const state = new Incident(load, plane);
  const minutes: SimulatedMinute[] = [];
  for (let minute = 1; minute <= lengthMinutes; minute++) {
    for (let second = 0; second < 60; second++) state.tick();
    minutes.push(state.minute(minute));
  }
  const first = (found: (one: SimulatedMinute) => boolean): number | undefined => minutes.find(found)?.minute;
  return {
    controlPlane: plane,
    minutes,
    seatsExhausted: first(({ seatsNeeded: seatsWanted, seats }) => seatsWanted > seats),
    memoryExhausted: first(({ memoryBytes, memoryLimitBytes }) => memoryBytes > memoryLimitBytes),
    quotaExhausted: first(({ etcdBytes, quotaBytes }) => etcdBytes >= quotaBytes),
  };
}
