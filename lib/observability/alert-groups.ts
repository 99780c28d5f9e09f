import { type AlertGroup } from './alert';
import { apiServerAlerts } from './alerts/api-server';
import { controllerAlerts } from './alerts/controller';
import { etcdAlerts } from './alerts/etcd';
import { flowControlAlerts } from './alerts/flow-control';
import { listAndWatchAlerts } from './alerts/lists-and-watches';
import { masterAlerts } from './alerts/masters';
import { canaryAlerts, submissionAlerts } from './alerts/platform-parts';
import { quotaAlerts } from './alerts/quota';
import { registrarAlerts } from './alerts/registrar';

/** All alerts, in the order in which they are looked through: the control plane first, then what stands on it. */
export const alertGroups: readonly AlertGroup[] = [
  apiServerAlerts,
  flowControlAlerts,
  listAndWatchAlerts,
  etcdAlerts,
  masterAlerts,
  controllerAlerts,
  registrarAlerts,
  quotaAlerts,
  canaryAlerts,
  submissionAlerts,
];
