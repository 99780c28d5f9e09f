import { appKinds, hardened, type PartInput } from './part-input';

const waitForNames = `#!/bin/sh
# Ends as soon as the cluster's DNS answers; fails after WAIT_SECONDS.
name="kubernetes.default.svc.\${CLUSTER_DOMAIN:-cluster.local}"
trap 'exit 143' TERM
started=$(date +%s)
until nslookup "$name." >/dev/null 2>&1; do
  waited=$(($(date +%s) - started))
  echo "network not ready after \${waited}s: $name does not resolve"
  if [ "$waited" -ge "$WAIT_SECONDS" ]; then exit 1; fi
  sleep 1 &
  wait $!
done
echo "network ready: $name resolves"
`;

/** Part that delays the app until DNS works. */
export const network: PartInput = {
  name: 'network',
  summary:
    "Pod: delays the app until the pod's network resolves a DNS query; it lives in the pod because only from there the pod's own network can be tested.",
  injection: 'OptOut',
  kinds: [...appKinds],
  valueEnv: { CLUSTER_DOMAIN: 'clusterDomain' },
  settings: {
    wait: {
      type: 'integer',
      default: 300,
      env: 'WAIT_SECONDS',
      summary: 'Seconds until the start fails and the kubelet retries it.',
    },
  },
  pod: {
    files: { '/etc/pinion/network/wait.sh': waitForNames },
    initContainers: [
      hardened(
        {
          name: 'pinion-network',
          image: 'docker.io/library/busybox:1.37.0',
          command: ['/bin/sh', '/etc/pinion/network/wait.sh'],
        },
        { cpu: 10, memory: 16, memoryLimit: 32 },
      ),
    ],
  },
};
