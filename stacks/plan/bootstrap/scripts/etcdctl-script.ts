/** Script that runs etcdctl against a member on this machine: `etcdctl-of main member list`. */
export const etcdctlScript = `#!/bin/bash
# Runs etcdctl against the local member of a database: etcdctl-of main endpoint status
source /opt/pinion/lib/machine.sh

name=$1
shift
port=\${CLIENT_PORTS[$name]}
exec etcdctl --endpoints "\${ETCD_ENDPOINTS:-https://$ADDRESS:$port}" --cacert /etc/kubernetes/pki/etcd/ca.crt \\
  --cert /etc/kubernetes/pki/etcd/healthcheck-client.crt --key /etc/kubernetes/pki/etcd/healthcheck-client.key "$@"
`;
