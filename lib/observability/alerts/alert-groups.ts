import { type AlertGroup } from './alert';
import { apiServerAlerts } from './api-server';
import { controllerAlerts } from './controller';
import { etcdAlerts } from './etcd';
import { flowControlAlerts } from './flow-control';
import { listAndWatchAlerts } from './lists-and-watches';
import { controlPlaneAlerts } from './control-plane';
import { clientAlerts } from './clients';
import { canaryAlerts } from './canary';
import { quotaAlerts } from './quota';
import { registrarAlerts } from './registrar';
import { gatewayAlerts } from './gateway';
import { rolloutAlerts } from './rollouts';
import { submissionAlerts } from './submission';
import { workloadAlerts } from './workloads';

/** All alert groups: the control plane first, then the components that depend on it. */
export const alertGroups: readonly AlertGroup[] = [
  apiServerAlerts,
  flowControlAlerts,
  listAndWatchAlerts,
  etcdAlerts,
  controlPlaneAlerts,
  controllerAlerts,
  workloadAlerts,
  rolloutAlerts,
  registrarAlerts,
  quotaAlerts,
  canaryAlerts,
  submissionAlerts,
  gatewayAlerts,
  clientAlerts,
];
