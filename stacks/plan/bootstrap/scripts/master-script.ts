/** Makes a machine a master; whatever of it is done already is left as it is. */
export const masterScript = `#!/bin/bash
# Makes this machine the master $MEMBER of its cluster. Run again, it changes nothing.
source /opt/pinion/lib/machine.sh

PKI=/etc/kubernetes/pki
KUBEADM=/etc/kubernetes/kubeadm.yaml
# Seconds between two looks at something that is awaited.
PAUSE=\${PINION_PAUSE:-5}

main() {
  local index
  require aws blkid curl etcd etcdctl etcdutl ip kubeadm kubectl kubelet mkfs.ext4 openssl resize2fs
  learn_instance
  apply_host
  attach_interface
  for index in "\${!ETCDS[@]}"; do
    attach_volume "$index"
  done
  write_kubeadm_configuration
  share_keys
  write_certificates
  write_encryption_configuration
  start_etcds
  start_kubernetes
}

# The interface carries the address that everybody knows this master by. A predecessor may still hold it.
attach_interface() {
  local found id mac owner='' link
  found=$(aws ec2 describe-network-interfaces --filters "$INTERFACE_FILTERS" \\
    --query 'NetworkInterfaces[].[NetworkInterfaceId, MacAddress]' --output text)
  [[ $(wc -l <<<"$found") == 1 && -n $found ]] || fail "not one interface of master $MEMBER, but: $found"
  read -r id mac <<<"$found"
  while true; do
    owner=$(aws ec2 describe-network-interfaces --network-interface-ids "$id" \\
      --query 'NetworkInterfaces[0].Attachment.InstanceId' --output text)
    [[ $owner != "$INSTANCE" ]] || break
    if [[ $owner == None ]]; then
      aws ec2 attach-network-interface --network-interface-id "$id" --instance-id "$INSTANCE" \\
        --device-index 1 >/dev/null || say "cannot attach $id yet"
    else
      say "$id is still held by $owner"
    fi
    sleep "$PAUSE"
  done
  until link=$(link_with "$mac") && [[ -n $link ]]; do
    say "waiting for the interface with address $mac"
    sleep "$PAUSE"
  done
  route_interface "$link"
}

link_with() {
  ip -o link show | awk -v mac="$1" 'index(tolower($0), tolower(mac)) { sub(/[:@].*/, "", $2); print $2 }'
}

# It is not the first interface, so answers must be told to leave by where the question came in. The other masters are
# reached from it too: etcd compares the address of a peer with the names in its certificate.
route_interface() {
  local link=$1 peer
  ip link set dev "$link" up
  ip address replace "$ADDRESS/32" dev "$link"
  ip route replace default via "$GATEWAY" dev "$link" onlink table "$ROUTE_TABLE"
  ip rule show | grep -q "from $ADDRESS lookup $ROUTE_TABLE" ||
    ip rule add from "$ADDRESS" table "$ROUTE_TABLE" priority 1000
  for peer in "\${PEERS[@]}"; do
    ip route replace "\${peer#*=}/32" via "$GATEWAY" dev "$link" onlink src "$ADDRESS"
  done
}

# The volume holds a member's data, and outlives machines. Nobody takes it from a predecessor that still runs.
attach_volume() {
  local index=$1 letters=(f g h) name found id state owner device
  name=\${ETCDS[$index]}
  found=$(aws ec2 describe-volumes --filters "\${VOLUME_FILTERS[$index]}" --query 'Volumes[].VolumeId' --output text)
  [[ $found == vol-* && $found != *[[:space:]]* ]] || fail "not one volume of etcd $name, but: $found"
  id=$found
  while true; do
    found=$(aws ec2 describe-volumes --volume-ids "$id" \\
      --query 'Volumes[0].[State, Attachments[0].InstanceId]' --output text)
    read -r state owner <<<"$found"
    [[ $owner != "$INSTANCE" ]] || break
    if [[ $state == available ]]; then
      aws ec2 attach-volume --volume-id "$id" --instance-id "$INSTANCE" \\
        --device "/dev/sd\${letters[$index]}" >/dev/null || say "cannot attach $id yet"
    else
      say "$id is $state, held by $owner"
    fi
    sleep "$PAUSE"
  done
  until device=$(device_of "$id" "\${letters[$index]}"); do
    say "waiting for the device of $id"
    sleep "$PAUSE"
  done
  mount_volume "$device" "/var/lib/etcd/$name"
}

# Disks of Nitro machines are named by their volume, older ones by the letter that they were attached with.
device_of() {
  local path
  for path in "/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_\${1/-/}" "/dev/xvd$2"; do
    if [[ -e $path ]]; then
      readlink --canonicalize "$path"
      return
    fi
  done
  return 1
}

# Formats a volume only if it holds nothing at all.
mount_volume() {
  local device=$1 folder=$2 found=0
  mkdir -p "$folder"
  if ! mountpoint -q "$folder"; then
    blkid --probe "$device" >/dev/null || found=$?
    if [[ $found == 2 ]]; then
      cmp --silent --bytes=1048576 "$device" /dev/zero || fail "$device holds something that is no file system"
      mkfs.ext4 -q -m 0 "$device"
    elif [[ $found != 0 ]]; then
      fail "cannot tell what $device holds"
    fi
    mount -t ext4 -o noatime "$device" "$folder"
  fi
  # A volume that was enlarged is used whole.
  resize2fs "$(findmnt --noheadings --output SOURCE "$folder")" 2>/dev/null
  mkdir -p "$folder/data"
}

write_kubeadm_configuration() {
  mkdir -p /etc/kubernetes
  sed "s|@NODE@|$NODE|; s|@PROVIDER_ID@|$PROVIDER_ID|" /etc/pinion/kubeadm.yaml >"$KUBEADM"
}

phase() { kubeadm init phase "$@" --config "$KUBEADM" >&2; }

# What all masters must have the same is made by whoever comes first.
share_keys() {
  mkdir -p "$PKI/etcd"
  share_authority ca ca "$PKI/ca"
  share_authority etcd-ca etcd-ca "$PKI/etcd/ca"
  share_authority front-proxy-ca front-proxy-ca "$PKI/front-proxy-ca"
  share service-account-key "$PKI/sa.key" openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048
  openssl pkey -in "$PKI/sa.key" -pubout -out "$PKI/sa.pub"
  share encryption-key /etc/kubernetes/encryption-key openssl rand -base64 32
  # Workers know the cluster by it; it is no secret.
  publish ca-certificate "$PKI/ca.crt" String || true
}

# An authority is one parameter, certificate and key, so that no half of another one is ever read.
share_authority() {
  local parameter=$1 name=$2 base=$3
  make_authority() {
    [[ -s $base.key ]] || phase certs "$name"
    cat "$base.crt" "$base.key"
  }
  share "$parameter" "$SCRATCH/authority.pem" make_authority
  sed -n '/BEGIN CERTIFICATE/,/END CERTIFICATE/p' "$SCRATCH/authority.pem" >"$base.crt"
  sed -n '/BEGIN.*PRIVATE KEY/,/END.*PRIVATE KEY/p' "$SCRATCH/authority.pem" >"$base.key"
  rm "$SCRATCH/authority.pem"
}

# share PARAMETER FILE COMMAND: the file is what the parameter holds; where there is none, what the command prints.
share() {
  local parameter=$1 file=$2
  shift 2
  read_parameter "$parameter" "$file" && return
  "$@" >"$file"
  publish "$parameter" "$file" SecureString || read_parameter "$parameter" "$file"
}

# Writes a parameter that nobody has written yet; fails where another machine was first.
publish() {
  local parameter=$1 file=$2 type=$3 key=()
  [[ $type == String || -z $PARAMETER_KEY ]] || key=(--key-id "$PARAMETER_KEY")
  aws ssm put-parameter --name "$PARAMETERS/$parameter" --type "$type" "\${key[@]}" --no-overwrite \\
    --value "file://$file" >/dev/null 2>"$SCRATCH/error" && return
  grep -q ParameterAlreadyExists "$SCRATCH/error" ||
    fail "cannot write $PARAMETERS/$parameter: $(cat "$SCRATCH/error")"
  return 1
}

write_certificates() {
  phase certs all
  phase kubeconfig all
  # A master uses its own API server: one that is ill must not look well through the others.
  kubectl config set-cluster "$CLUSTER" --server "https://$ADDRESS:$API_PORT" \\
    --kubeconfig /etc/kubernetes/kubelet.conf >/dev/null
}

write_encryption_configuration() {
  cat >/etc/kubernetes/apiserver/encryption.yaml <<END
apiVersion: apiserver.config.k8s.io/v1
kind: EncryptionConfiguration
resources:
- resources: [secrets]
  providers:
  - secretbox:
      keys:
      - name: key1
        secret: $(cat /etc/kubernetes/encryption-key)
  # Reads what was written before there was a key.
  - identity: {}
END
}

# An API server that finds no etcd is restarted more and more slowly, so it starts after. Where the other masters are
# not there yet, that may be long, and is not waited for.
start_etcds() {
  local name seconds=\${PINION_ETCD_SECONDS:-300}
  for name in "\${ETCDS[@]}"; do
    systemctl start --no-block "etcd-$name.service"
  done
  for name in "\${ETCDS[@]}"; do
    until /opt/pinion/bin/etcdctl-of "$name" endpoint health >&2; do
      ((seconds -= PAUSE)) || true
      if ((seconds <= 0)); then
        say "etcd $name is not healthy yet"
        return
      fi
      sleep "$PAUSE"
    done
  done
}

start_kubernetes() {
  phase control-plane all
  phase kubelet-start
  systemctl enable --now pinion-settle.timer pinion-snapshot.timer pinion-certificates.timer
}

main
`;

/** etcdctl with what it needs to reach a member of this machine: `etcdctl-of main member list`. */
export const etcdctlScript = `#!/bin/bash
# etcdctl against this machine's member of a database: etcdctl-of main endpoint status
source /opt/pinion/lib/machine.sh

name=$1
shift
port=\${CLIENT_PORTS[$name]}
exec etcdctl --endpoints "\${ETCD_ENDPOINTS:-https://$ADDRESS:$port}" --cacert /etc/kubernetes/pki/etcd/ca.crt \\
  --cert /etc/kubernetes/pki/etcd/healthcheck-client.crt --key /etc/kubernetes/pki/etcd/healthcheck-client.key "$@"
`;
