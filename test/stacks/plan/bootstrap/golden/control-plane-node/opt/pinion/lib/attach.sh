# Attaches what outlives the machine of a control plane node: its network interface and its volumes.

# The interface carries the fixed address of this node. The previous machine may still hold it.
attach_interface() {
  local found id mac owner='' link
  found=$(aws ec2 describe-network-interfaces --filters "$INTERFACE_FILTERS" \
    --query 'NetworkInterfaces[].[NetworkInterfaceId, MacAddress]' --output text)
  [[ $(wc -l <<<"$found") == 1 && -n $found ]] || fail "expected one interface of member $MEMBER, found: ${found:-none}"
  read -r id mac <<<"$found"
  while true; do
    owner=$(aws ec2 describe-network-interfaces --network-interface-ids "$id" \
      --query 'NetworkInterfaces[0].Attachment.InstanceId' --output text)
    [[ $owner != "$INSTANCE" ]] || break
    if [[ $owner == None ]]; then
      aws ec2 attach-network-interface --network-interface-id "$id" --instance-id "$INSTANCE" \
        --device-index 1 >/dev/null || say "cannot attach $id yet"
    else
      say "$id is still attached to $owner"
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

# It is not the primary interface, so replies need a policy route to leave through it. Connections to the other control
# plane nodes leave through it too: etcd compares the address of a peer with the names in its certificate.
route_interface() {
  local link=$1 peer
  ip link set dev "$link" up
  ip address replace "$ADDRESS/32" dev "$link"
  ip route replace default via "$GATEWAY" dev "$link" onlink table "$ROUTE_TABLE"
  # Not grep -q: it ends at the first match, ip then dies of SIGPIPE, and pipefail reports a rule that exists as missing.
  ip rule show | grep "from $ADDRESS lookup $ROUTE_TABLE" > /dev/null ||
    ip rule add from "$ADDRESS" table "$ROUTE_TABLE" priority 1000
  for peer in "${PEERS[@]}"; do
    ip route replace "${peer#*=}/32" via "$GATEWAY" dev "$link" onlink src "$ADDRESS"
  done
}

# The volume holds a member's data and outlives machines. It is never detached from a machine that still runs.
attach_volume() {
  local index=$1 letters=(f g h) name found id state owner device
  name=${ETCDS[$index]}
  found=$(aws ec2 describe-volumes --filters "${VOLUME_FILTERS[$index]}" --query 'Volumes[].VolumeId' --output text)
  [[ $found == vol-* && $found != *[[:space:]]* ]] || fail "expected one volume of etcd $name, found: ${found:-none}"
  id=$found
  while true; do
    found=$(aws ec2 describe-volumes --volume-ids "$id" \
      --query 'Volumes[0].[State, Attachments[0].InstanceId]' --output text)
    read -r state owner <<<"$found"
    [[ $owner != "$INSTANCE" ]] || break
    if [[ $state == available ]]; then
      aws ec2 attach-volume --volume-id "$id" --instance-id "$INSTANCE" \
        --device "/dev/sd${letters[$index]}" >/dev/null || say "cannot attach $id yet"
    else
      say "$id is $state, attached to $owner"
    fi
    sleep "$PAUSE"
  done
  until device=$(device_of "$id" "${letters[$index]}"); do
    say "waiting for the device of $id"
    sleep "$PAUSE"
  done
  mount_volume "$device" "/var/lib/etcd/$name"
}

# Nitro instances name disks by volume ID, older ones by the device letter of the attachment.
device_of() {
  local path
  for path in "/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_${1/-/}" "/dev/xvd$2"; do
    if [[ -e $path ]]; then
      readlink --canonicalize "$path"
      return
    fi
  done
  return 1
}

# Formats a volume only if it is empty.
mount_volume() {
  local device=$1 folder=$2 found=0
  mkdir -p "$folder"
  if ! mountpoint -q "$folder"; then
    blkid --probe "$device" >/dev/null || found=$?
    if [[ $found == 2 ]]; then
      cmp --silent --bytes=1048576 "$device" /dev/zero || fail "$device holds data but no file system"
      mkfs.ext4 -q -m 0 "$device"
    elif [[ $found != 0 ]]; then
      fail "cannot identify the contents of $device"
    fi
    mount -t ext4 -o noatime "$device" "$folder"
  fi
  # Grows the file system after the volume was enlarged.
  resize2fs "$(findmnt --noheadings --output SOURCE "$folder")" 2>/dev/null
  mkdir -p "$folder/data"
}
