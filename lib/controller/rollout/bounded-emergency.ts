import { type RolloutSpec } from './rollout-workload';

/** Maximum time until the end of an emergency in milliseconds: 24 hours, and a minute by which clocks may differ. */
const maxAhead = (24 * 60 + 1) * 60_000;

/**
 * Returns the spec of a rollout without an emergency that has ended or whose end is too far ahead, as one that was set without the
 * admission policy may be. Pure.
 */
export function withBoundedEmergency({ emergency, ...spec }: RolloutSpec, now: number): RolloutSpec {
  const ahead = emergency === undefined ? 0 : Date.parse(emergency.until) - now;
  return emergency !== undefined && ahead > 0 && ahead <= maxAhead ? { ...spec, emergency } : spec;
}
