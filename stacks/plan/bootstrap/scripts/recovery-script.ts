/** The three recoveries of etcd, as commands that a person gives on a master. */
export const recoveryScript = `#!/bin/bash
# Recovers etcd on this master. Look first, then do what fits:
#
#   etcd-recover status DATABASE
#
# 1. The volume survived. Nothing is to be done: a new machine attaches it and is the same member.
#
# 2. The volume is lost, and more than half of the members live. On the master with the new, empty volume:
#      etcd-recover rejoin DATABASE
#
# 3. More than half of the members are lost. On every master, each step on all of them before the next:
#      etcd-recover hold
#      etcd-recover restore DATABASE SNAPSHOT      the same one on each, from: etcd-recover snapshots DATABASE
#      etcd-recover release                        waits for the others, so begin it on all
#    Revisions go on far above any that was ever seen, and old ones count as compacted: clients that watch begin anew
#    instead of waiting for a revision that came before.
source /opt/pinion/lib/machine.sh

MANIFEST=/etc/kubernetes/manifests/kube-apiserver.yaml
HELD=/var/lib/pinion/held

main() {
  local command=\${1:-} name=\${2:-}
  require aws etcdctl etcdutl
  case $command in
    status | snapshots | rejoin | restore)
      [[ -n $name && -n \${CLIENT_PORTS[$name]:-} ]] || fail "name one of: \${ETCDS[*]}"
      ;;
  esac
  case $command in
    status) status "$name" ;;
    snapshots) snapshots "$name" ;;
    rejoin) rejoin "$name" ;;
    hold) hold ;;
    restore) restore "$name" "\${3:?name the snapshot}" ;;
    release) release ;;
    *) fail 'etcd-recover status | snapshots | rejoin | hold | restore | release' ;;
  esac
}

# Runs etcdctl against the other members, with time for them to elect a leader.
others() {
  local name=$1 peer endpoints=''
  shift
  for peer in "\${PEERS[@]}"; do
    endpoints+="\${endpoints:+,}https://\${peer#*=}:\${CLIENT_PORTS[$name]}"
  done
  ETCD_ENDPOINTS=$endpoints /opt/pinion/bin/etcdctl-of "$name" --command-timeout 30s "$@"
}

status() {
  others "$1" member list --write-out table || say 'the other members do not agree on anything'
  /opt/pinion/bin/etcdctl-of "$1" endpoint status --write-out table || say 'the member of this master does not answer'
}

snapshots() {
  aws s3api list-objects-v2 --bucket "$SNAPSHOT_BUCKET" --prefix "$SNAPSHOT_PATH/$1/" \\
    --query 'Contents[].[Key, Size]' --output text
}

has_data() { [[ -d /var/lib/etcd/$1/data/member/wal ]]; }

# Identifier of the member with this master's address, and whether it learns; nothing where there is none.
own_entry() {
  others "$1" member list | awk -F ', ' -v peer="https://$ADDRESS:\${PEER_PORTS[$1]}" '$4 == peer { print $1, $6 }'
}

rejoin() {
  local name=$1 id learns entry
  mountpoint -q "/var/lib/etcd/$name" || fail "the volume of etcd $name is not mounted"
  if ! has_data "$name"; then
    # What begins to run without a log leaves an empty database, which is not to be joined with.
    systemctl stop "etcd-$name.service"
    rm -rf "/var/lib/etcd/$name/data"
    mkdir -p "/var/lib/etcd/$name/data"
    entry=$(own_entry "$name")
    read -r id learns <<<"$entry"
    if [[ -n $id ]]; then
      others "$name" member remove "$id" >&2
    fi
    # A learner has no vote, so nothing is lost should it never catch up.
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
  say "etcd $name: $MEMBER is a member with a vote"
}

# Nothing may write while the databases of the masters differ. A master that is only being made has no manifest yet.
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
  [[ -d $HELD ]] || fail 'run "etcd-recover hold" on every master first'
  mark=$(basename "$key" .db)
  rm -rf "$data.restored"
  aws s3 cp --only-show-errors "s3://$SNAPSHOT_BUCKET/$key" "$file"
  etcdutl snapshot restore "$file" --data-dir "$data.restored" --bump-revision 1000000000 --mark-compacted \\
    --name "$MEMBER" --initial-advertise-peer-urls "https://$ADDRESS:\${PEER_PORTS[$name]}" \\
    --initial-cluster "\${INITIAL_CLUSTERS[$name]}" --initial-cluster-token "$CLUSTER-$name-$mark" >&2
  # The lost state is kept until somebody removes it: it may hold what the snapshot does not.
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
