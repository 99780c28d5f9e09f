/** How a master comes by what outlives its machines: its interface and its volumes. */
export const attachScript = `# What outlives the machines of a master, attached to this one.

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
`;
