/** Script that bootstraps a machine as a control plane node; idempotent. */
export const controlPlaneScript = `#!/bin/bash
# Makes this machine control plane node $MEMBER of its cluster. Idempotent.
source /opt/pinion/lib/machine.sh
source /opt/pinion/lib/attach.sh

PKI=/etc/kubernetes/pki
KUBEADM=/etc/kubernetes/kubeadm.yaml

main() {
  local index
  require aws blkid curl etcd etcdctl etcdutl ip kubeadm kubectl kubelet mkfs.ext4 nft openssl resize2fs
  learn_instance
  apply_host
  restrict_pods
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

write_kubeadm_configuration() {
  mkdir -p /etc/kubernetes
  sed "s|@NODE@|$NODE|; s|@PROVIDER_ID@|$PROVIDER_ID|" /etc/pinion/kubeadm.yaml | put "$KUBEADM"
}

phase() { kubeadm init phase "$@" --config "$KUBEADM" >&2; }

# Keys shared by all control plane nodes are created by the first one.
share_keys() {
  mkdir -p "$PKI/etcd"
  share_authority ca ca "$PKI/ca"
  share_authority etcd-ca etcd-ca "$PKI/etcd/ca"
  share_authority front-proxy-ca front-proxy-ca "$PKI/front-proxy-ca"
  share service-account-key "$PKI/sa.key" openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048
  openssl pkey -in "$PKI/sa.key" -pubout | put "$PKI/sa.pub"
  share encryption-key /etc/kubernetes/encryption-key openssl rand -base64 32
  # Workers verify the cluster with it; it is public.
  publish ca-certificate "$PKI/ca.crt" String || true
}

# A certificate authority is one parameter with certificate and key, so that they always match.
share_authority() {
  local parameter=$1 name=$2 base=$3
  make_authority() {
    [[ -s $base.key ]] || phase certs "$name"
    cat "$base.crt" "$base.key"
  }
  share "$parameter" "$SCRATCH/authority.pem" make_authority
  sed -n '/BEGIN CERTIFICATE/,/END CERTIFICATE/p' "$SCRATCH/authority.pem" | put "$base.crt"
  sed -n '/BEGIN.*PRIVATE KEY/,/END.*PRIVATE KEY/p' "$SCRATCH/authority.pem" | put "$base.key"
  rm "$SCRATCH/authority.pem"
}

# share PARAMETER FILE COMMAND: writes the parameter to the file; creates it from the output of the command if missing.
share() {
  local parameter=$1 file=$2
  shift 2
  read_parameter "$parameter" "$file" && return
  "$@" >"$file"
  publish "$parameter" "$file" SecureString || read_parameter "$parameter" "$file"
}

# Creates a parameter; fails if another machine created it first.
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
  # The kubelet uses the local API server, so that the node is not Ready when that one fails.
  kubectl config set-cluster "$CLUSTER" --server "https://$ADDRESS:$API_PORT" \\
    --kubeconfig /etc/kubernetes/kubelet.conf >/dev/null
}

write_encryption_configuration() {
  put /etc/kubernetes/apiserver/encryption.yaml <<END
apiVersion: apiserver.config.k8s.io/v1
kind: EncryptionConfiguration
resources:
- resources: [secrets]
  providers:
  - secretbox:
      keys:
      - name: key1
        secret: $(cat /etc/kubernetes/encryption-key)
  # Reads secrets that were written before the key existed.
  - identity: {}
END
}

# The API server starts after etcd, since the kubelet backs off when it crashes. etcd has no quorum until other control
# plane nodes are up, so this wait is limited.
start_etcds() {
  local name end=$((SECONDS + \${PINION_ETCD_SECONDS:-300}))
  for name in "\${ETCDS[@]}"; do
    systemctl start --no-block "etcd-$name.service"
  done
  for name in "\${ETCDS[@]}"; do
    until /opt/pinion/bin/etcdctl-of "$name" endpoint health >&2; do
      if ((SECONDS >= end)); then
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
  systemctl enable --now pinion-post-bootstrap.timer pinion-snapshot.timer pinion-certificates.timer
}

main
`;
