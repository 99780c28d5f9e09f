import { appKinds, hardened, type PartInput } from './part-input';

const source = '/var/run/pinion-source/configuration';
const target = '/var/run/pinion/configuration';

const publish = `#!/bin/sh
# Publishes what the project's ConfigMap holds as TARGET/current, whole or not at all.
# "once" ends after the first copy; "watch" goes on, and keeps the last good copy where the ConfigMap is empty or gone.
source=${source}
target=${target}

publish() {
  from=$(readlink -f "$source/..data") || return 0
  [ -n "$(ls -A "$from" 2>/dev/null)" ] || return 0
  version="v-\${from##*/}"
  previous=$(readlink "$target/current" 2>/dev/null)
  [ "$previous" = "$version" ] && return 0
  rm -rf "$target/.next"
  cp -rL "$from" "$target/.next" || return 0
  rm -rf "\${target:?}/$version"
  mv "$target/.next" "$target/$version" || return 1
  ln -sfn "$version" "$target/.current" && mv -T "$target/.current" "$target/current" || return 1
  for old in "$target"/v-*; do
    case "\${old##*/}" in "$version" | "$previous") ;; *) rm -rf "$old" ;; esac
  done
  echo "published $version"
}

mkdir -p "$target/empty" || exit 1
[ -L "$target/current" ] || ln -s empty "$target/current" || exit 1
if [ "$1" = once ]; then
  publish
  exit
fi
trap 'exit 0' TERM INT
while :; do
  publish
  touch /tmp/alive
  sleep "$INTERVAL_SECONDS" &
  wait $!
done
`;

const container = (name: string, mode: 'once' | 'watch') =>
  hardened(
    {
      name,
      image: 'docker.io/library/busybox:1.37.0',
      command: ['/bin/sh', '/etc/pinion/configuration/publish.sh', mode],
      volumeMounts: [
        { name: 'pinion-configuration', mountPath: target },
        { name: 'pinion-configuration-source', mountPath: source, readOnly: true },
        { name: 'pinion-configuration-scratch', mountPath: '/tmp' },
      ],
    },
    { cpu: 5, memory: 16, memoryLimit: 32 },
  );

/** Part that mounts the project's shared settings before the app starts and updates them without a rollout. */
export const configuration: PartInput = {
  name: 'configuration',
  summary:
    "Pod: an init container that mounts the project's shared settings (ConfigMap pinion-configuration) before the app starts, and a sidecar that replaces them atomically on changes; it lives in the pod because restricted pods cannot mount host paths. Exits on SIGTERM immediately.",
  injection: 'Required',
  kinds: [...appKinds],
  after: ['network'],
  settings: {
    interval: {
      type: 'integer',
      default: 15,
      env: 'INTERVAL_SECONDS',
      summary: 'Seconds between two checks of the settings.',
    },
  },
  pod: {
    files: { '/etc/pinion/configuration/publish.sh': publish },
    initContainers: [container('pinion-configuration-init', 'once')],
    sidecars: [
      {
        ...container('pinion-configuration', 'watch'),
        startupProbe: { exec: { command: ['test', '-e', '/tmp/alive'] }, periodSeconds: 1, failureThreshold: 60 },
      },
    ],
    volumes: [
      { name: 'pinion-configuration', emptyDir: { sizeLimit: '64Mi' } },
      { name: 'pinion-configuration-scratch', emptyDir: { sizeLimit: '1Mi' } },
      { name: 'pinion-configuration-source', configMap: { name: 'pinion-configuration', optional: true } },
    ],
    volumeMounts: [{ name: 'pinion-configuration', mountPath: target, readOnly: true }],
    env: [{ name: 'PINION_CONFIGURATION', value: `${target}/current` }],
  },
};
