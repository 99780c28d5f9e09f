import { type SimulatedControlPlane } from './simulated-control-plane';
import { Incident, type SimulatedMinute } from './incident';
import { type Load } from '../load/load';

/** Timeline of an incident; a minute is undefined if the resource was not exhausted. */
export interface IncidentSimulation {
  readonly controlPlane: SimulatedControlPlane;
  readonly minutes: readonly SimulatedMinute[];
  readonly seatsExhausted: number | undefined;
  readonly memoryExhausted: number | undefined;
  readonly quotaExhausted: number | undefined;
}

/** Length of a simulation. */
const simulatedMinutes = 15;

/** Simulates the incident of a load on a control plane, second by second. Equal inputs give equal results. */
export function simulateIncident(load: Load, plane: SimulatedControlPlane): IncidentSimulation {
  const state = new Incident(load, plane);
  const minutes: SimulatedMinute[] = [];
  for (let minute = 1; minute <= simulatedMinutes; minute++) {
    for (let second = 0; second < 60; second++) state.tick();
    minutes.push(state.endMinute(minute));
  }
  const firstMinute = (matches: (one: SimulatedMinute) => boolean): number | undefined => minutes.find(matches)?.minute;
  return {
    controlPlane: plane,
    minutes,
    seatsExhausted: firstMinute(({ seatsNeeded, seats }) => seatsNeeded > seats),
    memoryExhausted: firstMinute(({ memoryBytes, memoryLimitBytes }) => memoryBytes > memoryLimitBytes),
    quotaExhausted: firstMinute(({ etcdBytes, quotaBytes }) => etcdBytes >= quotaBytes),
  };
}
