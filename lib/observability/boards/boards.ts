import { apiServerBoard } from './api-server';
import { type Board } from './board';
import { etcdBoard } from './etcd';
import { overviewBoard } from './overview';
import { controllerBoard, quotaBoard, workloadBoard } from './platform';

/** All dashboards, the one to begin with first. */
export const boards: readonly Board[] = [
  overviewBoard,
  apiServerBoard,
  etcdBoard,
  controllerBoard,
  quotaBoard,
  workloadBoard,
];
