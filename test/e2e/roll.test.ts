import { describeRoll } from './roll/suite';

describeRoll({ nodes: 20, services: 4, jobs: 2 });
