import { apiServerBoard } from './api-server';
import { type Board } from './board';
import { clientBoard } from './clients';
import { etcdBoard } from './etcd';
import { gatewayBoard } from './gateway';
import { overviewBoard } from './overview';
import { quotaBoard } from './quota';
import { rolloutBoard } from './rollouts';
import { workloadBoard } from './workloads';
import { controllerBoard } from './controller';

/** All dashboards, with the overview first. */
export const boards: readonly Board[] = [
  overviewBoard,
  apiServerBoard,
  etcdBoard,
  controllerBoard,
  quotaBoard,
  workloadBoard,
  rolloutBoard,
  gatewayBoard,
  clientBoard,
];
