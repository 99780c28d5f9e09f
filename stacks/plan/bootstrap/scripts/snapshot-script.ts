/** Script that saves a snapshot of each etcd database to the snapshot bucket. */
export const snapshotScript = `#!/bin/bash
# Saves a snapshot of each database to the bucket. The control plane nodes take turns.
source /opt/pinion/lib/machine.sh

FOLDER=/var/lib/pinion/snapshots

main() {
  local name failed=0
  require aws etcdctl etcdutl
  if (($# > 0)); then
    keep "$1"
    return
  fi
  for name in "\${ETCDS[@]}"; do
    # A failed snapshot does not stop the others.
    "$0" "$name" || failed=1
  done
  return "$failed"
}

keep() {
  local name=$1 file time
  mkdir -p "$FOLDER"
  time=$(date --utc +%Y%m%dT%H%M%SZ)
  file="$FOLDER/$name.db"
  rm -f "$file"
  /opt/pinion/bin/etcdctl-of "$name" snapshot save "$file" >&2
  etcdutl snapshot status "$file" >&2
  aws s3 cp --only-show-errors "$file" "s3://$SNAPSHOT_BUCKET/$SNAPSHOT_PATH/$name/$time-$MEMBER.db"
  rm "$file"
}

main "$@"
`;
