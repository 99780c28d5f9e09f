import { type LoadInput } from '../../lib/capacity';

/** Returns a valid load with overridden fields. */
export const makeLoad = (overrides: Partial<LoadInput> = {}): LoadInput => ({
  cluster: 'shop',
  region: 'us-east-1',
  zones: ['us-east-1a', 'us-east-1b', 'us-east-1c'],
  kubernetes: '1.36',
  nodes: 1000,
  pods: 20_000,
  ...overrides,
});
