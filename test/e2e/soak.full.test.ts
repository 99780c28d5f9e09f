import { describeSoak } from './soak/soak';

describeSoak('a soak test', { each: 4, actions: 20, warmUp: 5, waves: 40, growth: 1.5e6 });
