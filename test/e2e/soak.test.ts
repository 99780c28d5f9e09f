import { describeSoak } from './soak/soak';

describeSoak('a short soak', { each: 2, actions: 8, warmUp: 2, waves: 3, growth: 3e6 });
