import { type Input } from 'pinion/api';
import { deniesByDefault } from './outward-policy';
import { type PlatformFacts } from './platform-facts';

type Access = NonNullable<Input<'PinterestService'>['spec']['access']>;

/** Opens ports to machines and to what is outside, where the Platform lets nobody in who is not named. */
export const openTo = (facts: PlatformFacts, ...ports: number[]): { access?: Access } =>
  deniesByDefault(facts) ? { access: { from: [{ cidr: '0.0.0.0/0', ports }] } } : {};
