import { describeRoll } from './roll/suite';

describeRoll({ nodes: 50, services: 10, jobs: 5 });
