import { type LoadInput } from '../../lib/capacity';

/** Returns a valid load with the changes of a test. */
export const makeLoad = (more: Partial<LoadInput> = {}): LoadInput => ({
  cluster: 'shop',
  region: 'us-east-1',
  zones: ['us-east-1a', 'us-east-1b', 'us-east-1c'],
  kubernetes: '1.36',
  nodes: 1000,
  pods: 20_000,
  ...more,
});
