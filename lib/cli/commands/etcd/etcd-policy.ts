import { type EtcdPolicy, defaultEtcdPolicy } from '../../../operations';
import { type EtcdMaintenanceOptions } from './etcd-options';

/** Returns the maintenance policy for the options of a command. */
export function etcdPolicy(
  options: Pick<EtcdMaintenanceOptions, 'quota' | 'revision' | 'timeout' | 'corrupt'>,
): EtcdPolicy {
  const { quota, revision, timeout, corrupt } = options;
  return {
    ...defaultEtcdPolicy,
    ...(quota !== undefined && { quota }),
    ...(revision !== undefined && { revision }),
    ...(timeout !== undefined && { unhealthyTimeout: timeout }),
    corrupt: corrupt === true,
  };
}
