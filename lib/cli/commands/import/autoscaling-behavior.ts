import { durationOf, entriesAt, fieldsAt, numberAt, type Fields } from './fields';
import { type NativeObject } from './native-object';
import { type RelatedObjects } from './related-objects';

type Direction = 'scaleUp' | 'scaleDown';

/** Behavior that Kubernetes applies by default. */
const defaults: Readonly<Record<Direction, Fields>> = {
  scaleUp: {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [
      { type: 'Pods', value: 4, periodSeconds: 15 },
      { type: 'Percent', value: 100, periodSeconds: 15 },
    ],
  },
  scaleDown: {
    stabilizationWindowSeconds: 300,
    selectPolicy: 'Max',
    policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
  },
};

/** Returns the behavior of an autoscaler in one direction, defaults included. */
function completeBehavior(scaler: Fields, direction: Direction): Fields {
  const own = fieldsAt(scaler, 'spec', 'behavior', direction);
  return own['selectPolicy'] === 'Disabled' ? { selectPolicy: 'Disabled' } : { ...defaults[direction], ...own };
}

/** Returns the behavior of an autoscaler, defaults included. */
export const completeBehaviors = (scaler: Fields): Fields => ({
  scaleUp: completeBehavior(scaler, 'scaleUp'),
  scaleDown: completeBehavior(scaler, 'scaleDown'),
});

/** Converts the behavior of an autoscaler, with notes on the policies that differ. */
export const behaviorOf = (scaler: NativeObject, { note }: RelatedObjects): Fields =>
  Object.fromEntries(
    (['scaleUp', 'scaleDown'] as const).flatMap((direction) => {
      const fields = convertedBehavior(direction, completeBehavior(scaler, direction), (field, message) =>
        note(scaler, `spec.behavior.${direction}.${field}`, message),
      );
      return Object.keys(fields).length > 0 ? [[direction, fields]] : [];
    }),
  );

function convertedBehavior(
  direction: Direction,
  behavior: Fields,
  note: (field: string, message: string) => void,
): Fields {
  if (behavior['selectPolicy'] === 'Disabled') {
    if (direction === 'scaleDown') return { disabled: true };
    note('selectPolicy', 'no counterpart for an autoscaler that adds no pods; set replicas instead');
    return {};
  }
  const seconds = numberAt(behavior, 'stabilizationWindowSeconds');
  const policies = entriesAt(behavior, 'policies');
  const percent = policies.find(({ type, periodSeconds }) => type === 'Percent' && periodSeconds === 60);
  const value = numberAt(percent, 'value');
  const isDefault = policies.every((policy) =>
    (defaults[direction]['policies'] as readonly unknown[]).includes(policy),
  );
  notePolicies(
    direction,
    policies.filter((policy) => policy !== percent),
    { percent: value ?? 100, isDefault },
    note,
  );
  return {
    ...(seconds !== undefined &&
      seconds !== defaults[direction]['stabilizationWindowSeconds'] && { stabilization: durationOf(seconds) }),
    ...(value !== undefined && value !== 100 && { percentPerMinute: value }),
  };
}

function notePolicies(
  direction: Direction,
  policies: readonly Fields[],
  { percent, isDefault }: { readonly percent: number; readonly isDefault: boolean },
  note: (field: string, message: string) => void,
): void {
  const isSupported = ({ type, value, periodSeconds }: Fields): boolean =>
    direction === 'scaleUp' && type === 'Pods' && value === 4 && periodSeconds === 60;
  const others = policies.filter((policy) => !isSupported(policy));
  if (others.length === 0) return;
  const from = isDefault
    ? `the Kubernetes default, ${direction === 'scaleUp' ? '100 percent or 4 pods' : '100 percent'} per 15 seconds,`
    : others.map((policy) => JSON.stringify(policy)).join(', ');
  const now = `${percent} percent${direction === 'scaleUp' ? ' or 4 pods' : ''} per minute`;
  note(
    'policies',
    `only a percentage per minute has a counterpart: ${from} is now ${now}; set autoscaling.${direction}.percentPerMinute`,
  );
}
