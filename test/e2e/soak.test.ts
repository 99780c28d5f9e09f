import { describeSoak } from './soak/soak';

describeSoak('a short soak', { each: 1, actions: 8, warmUp: 2, waves: 2, growth: 3e6 });
