import { type ControlPlane } from './control-plane';
import { Incident, type Minute } from './incident';
import { type Load } from './load';

/** An incident from its first to its last minute; a minute is undefined where that never happened. */
export interface Rehearsal {
  readonly plane: ControlPlane;
  readonly minutes: readonly Minute[];
  readonly outOfSeats: number | undefined;
  readonly outOfMemory: number | undefined;
  readonly outOfQuota: number | undefined;
}

/** Minutes that an incident is followed for. */
const lengthMinutes = 15;
/** Plays the incident of a load on a control plane, second by second. Pure: equal inputs give equal minutes. */
export function rehearse(load: Load, plane: ControlPlane): Rehearsal {
  const state = new Incident(load, plane);
  const minutes: Minute[] = [];
  for (let minute = 1; minute <= lengthMinutes; minute++) {
    for (let second = 0; second < 60; second++) state.pass();
    minutes.push(state.minute(minute));
  }
  const first = (found: (one: Minute) => boolean): number | undefined => minutes.find(found)?.minute;
  return {
    plane,
    minutes,
    outOfSeats: first(({ seatsWanted, seats }) => seatsWanted > seats),
    outOfMemory: first(({ memoryBytes, memoryLimitBytes }) => memoryBytes > memoryLimitBytes),
    outOfQuota: first(({ etcdBytes, quotaBytes }) => etcdBytes >= quotaBytes),
  };
}
