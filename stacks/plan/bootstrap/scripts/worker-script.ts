/** Script that joins a machine to its cluster as a worker; idempotent. */
export const workerScript = `#!/bin/bash
# Joins this machine to its cluster as a worker. Idempotent.
source /opt/pinion/lib/machine.sh

CA=/etc/kubernetes/pki/ca.crt

main() {
  require aws curl kubectl kubelet nft openssl
  learn_instance
  apply_host
  restrict_pods
  mkdir -p /etc/kubernetes/pki /etc/kubernetes/manifests
  until read_parameter ca-certificate "$CA"; do
    say 'waiting for the first control plane node'
    sleep "$PAUSE"
  done
  is_member || write_bootstrap_configuration
  cat >/etc/pinion/kubelet.env <<END
NODE_ARGUMENTS=--hostname-override=$NODE --provider-id=$PROVIDER_ID$(resolver)
END
  systemctl start --no-block kubelet.service
}

# With systemd-resolved, /etc/resolv.conf names a loopback address, which pods cannot reach.
resolver() {
  local file=/run/systemd/resolve/resolv.conf
  [[ ! -e $file ]] || printf ' --resolv-conf=%s' "$file"
}

# A valid certificate needs no token; the kubelet renews it.
is_member() {
  openssl x509 -checkend 0 -noout -in /var/lib/kubelet/pki/kubelet-client-current.pem >/dev/null 2>&1
}

write_bootstrap_configuration() {
  rm -f /etc/kubernetes/kubelet.conf
  until read_parameter bootstrap-token "$SCRATCH/token"; do
    say 'waiting for a bootstrap token'
    sleep "$PAUSE"
  done
  cat >/etc/kubernetes/bootstrap-kubelet.conf <<END
apiVersion: v1
kind: Config
clusters: [{name: $CLUSTER, cluster: {server: "https://$ENDPOINT:$API_PORT", certificate-authority: $CA}}]
users: [{name: bootstrap, user: {token: "$(cat "$SCRATCH/token")"}}]
contexts: [{name: bootstrap, context: {cluster: $CLUSTER, user: bootstrap}}]
current-context: bootstrap
END
  rm "$SCRATCH/token"
}

main
`;
