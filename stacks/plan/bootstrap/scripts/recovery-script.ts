/** Script with the recovery procedures of etcd, run by an operator on a control plane node. */
export const recoveryScript = `#!/bin/bash
# Recovers etcd on this control plane node. Start with:
#
#   etcd-recover status DATABASE
#
# 1. The volume survived: nothing to do. The new machine attaches it and is the same member.
#
# 2. The volume is lost, and a majority of members is healthy. On the node with the new, empty volume:
#      etcd-recover rejoin DATABASE
#
# 3. The majority of members is lost. On every control plane node, each step on all nodes before the next:
#      etcd-recover hold
#      etcd-recover restore DATABASE SNAPSHOT      the same on each, from: etcd-recover snapshots DATABASE
#      etcd-recover release                        waits for the others, so start it on all
#    Revisions are bumped far above all earlier ones, and earlier ones are marked as compacted, so that watches of clients
#    restart instead of waiting for an old revision.
source /opt/pinion/lib/machine.sh

MANIFEST=/etc/kubernetes/manifests/kube-apiserver.yaml
HELD=/var/lib/pinion/held

main() {
  local command=\${1:-} name=\${2:-}
  require aws etcdctl etcdutl
  case $command in
    status | snapshots | rejoin | restore)
      [[ -n $name && -n \${CLIENT_PORTS[$name]:-} ]] || fail "DATABASE must be one of: \${ETCDS[*]}"
      ;;
  esac
  case $command in
    status) status "$name" ;;
    snapshots) snapshots "$name" ;;
    rejoin) rejoin "$name" ;;
    hold) hold ;;
    restore) restore "$name" "\${3:?SNAPSHOT is missing}" ;;
    release) release ;;
    *) fail 'usage: etcd-recover status | snapshots | rejoin | hold | restore | release' ;;
  esac
}

# Runs etcdctl against the other members; the timeout leaves time for a leader election.
others() {
  local name=$1 peer endpoints=''
  shift
  for peer in "\${PEERS[@]}"; do
    endpoints+="\${endpoints:+,}https://\${peer#*=}:\${CLIENT_PORTS[$name]}"
  done
  ETCD_ENDPOINTS=$endpoints /opt/pinion/bin/etcdctl-of "$name" --command-timeout 30s "$@"
}

status() {
  others "$1" member list --write-out table || say 'the other members have no quorum'
  /opt/pinion/bin/etcdctl-of "$1" endpoint status --write-out table || say 'the local member does not answer'
}

snapshots() {
  aws s3api list-objects-v2 --bucket "$SNAPSHOT_BUCKET" --prefix "$SNAPSHOT_PATH/$1/" \\
    --query 'Contents[].[Key, Size]' --output text
}

has_data() { [[ -d /var/lib/etcd/$1/data/member/wal ]]; }

# Prints ID and learner state of the member with the address of this node, if any.
own_entry() {
  others "$1" member list | awk -F ', ' -v peer="https://$ADDRESS:\${PEER_PORTS[$1]}" '$4 == peer { print $1, $6 }'
}

rejoin() {
  local name=$1 id learns entry
  mountpoint -q "/var/lib/etcd/$name" || fail "the volume of etcd $name is not mounted"
  if ! has_data "$name"; then
    # etcd started without a WAL leaves an empty database, which must not join.
    systemctl stop "etcd-$name.service"
    rm -rf "/var/lib/etcd/$name/data"
    mkdir -p "/var/lib/etcd/$name/data"
    entry=$(own_entry "$name")
    read -r id learns <<<"$entry"
    if [[ -n $id ]]; then
      others "$name" member remove "$id" >&2
    fi
    # A learner does not vote, so quorum is unaffected if it never catches up.
    others "$name" member add "$MEMBER" --learner --peer-urls "https://$ADDRESS:\${PEER_PORTS[$name]}" >&2
    echo ETCD_INITIAL_CLUSTER_STATE=existing >"/etc/pinion/etcd-$name.join"
    systemctl start --no-block "etcd-$name.service"
  fi
  entry=$(own_entry "$name")
  read -r id learns <<<"$entry"
  while [[ $learns == true ]]; do
    others "$name" member promote "$id" >&2 || sleep "$PAUSE"
    entry=$(own_entry "$name")
    read -r id learns <<<"$entry"
  done
  rm -f "/etc/pinion/etcd-$name.join"
  say "etcd $name: $MEMBER is a voting member"
}

# Stops all writes while the databases differ. A node that is still being set up has no manifest yet.
hold() {
  local name
  mkdir -p "$HELD"
  [[ ! -e $MANIFEST ]] || mv "$MANIFEST" "$HELD/"
  for name in "\${ETCDS[@]}"; do
    systemctl stop "etcd-$name.service"
  done
}

restore() {
  local name=$1 key=$2 data="/var/lib/etcd/$1/data" file="/var/lib/etcd/$1/snapshot.db" mark
  [[ -d $HELD ]] || fail 'run "etcd-recover hold" on every control plane node first'
  mark=$(basename "$key" .db)
  rm -rf "$data.restored"
  aws s3 cp --only-show-errors "s3://$SNAPSHOT_BUCKET/$key" "$file"
  etcdutl snapshot restore "$file" --data-dir "$data.restored" --bump-revision 1000000000 --mark-compacted \\
    --name "$MEMBER" --initial-advertise-peer-urls "https://$ADDRESS:\${PEER_PORTS[$name]}" \\
    --initial-cluster "\${INITIAL_CLUSTERS[$name]}" --initial-cluster-token "$CLUSTER-$name-$mark" >&2
  # The previous data is kept until an operator removes it: it may hold writes that the snapshot lacks.
  [[ ! -e $data ]] || mv "$data" "$data.before-$mark"
  mv "$data.restored" "$data"
  rm "$file"
}

release() {
  local name
  for name in "\${ETCDS[@]}"; do
    systemctl start --no-block "etcd-$name.service"
  done
  for name in "\${ETCDS[@]}"; do
    until /opt/pinion/bin/etcdctl-of "$name" endpoint health >&2; do sleep "$PAUSE"; done
  done
  [[ ! -e $HELD/kube-apiserver.yaml ]] || mv "$HELD/kube-apiserver.yaml" "$MANIFEST"
  rm -rf "$HELD"
}

main "$@"
`;
