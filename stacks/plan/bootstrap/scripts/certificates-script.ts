/** Script that renews the certificates of a control plane node before they expire. */
export const certificatesScript = `#!/bin/bash
# Renews the certificates of this node when fewer than 90 of their 365 days are left. Each node has its own weekday.
source /opt/pinion/lib/machine.sh

KUBEADM=/etc/kubernetes/kubeadm.yaml

main() {
  require crictl kubeadm kubectl openssl
  # All certificates are issued and renewed together, so one stands for all.
  if openssl x509 -checkend $((90 * 86400)) -noout -in /etc/kubernetes/pki/apiserver.crt >/dev/null; then
    return
  fi
  kubeadm certs renew all --config "$KUBEADM" >&2
  rm -f /etc/kubernetes/kubelet.conf
  kubeadm init phase kubeconfig kubelet --config "$KUBEADM" >&2
  kubectl config set-cluster "$CLUSTER" --server "https://$ADDRESS:$API_PORT" \\
    --kubeconfig /etc/kubernetes/kubelet.conf >/dev/null
  systemctl restart kubelet.service
  # etcd reads certificates on each connection; these only at startup. The kubelet restarts them.
  restart kube-controller-manager
  restart kube-scheduler
  restart kube-apiserver
}

restart() {
  local id
  for id in $(crictl ps --quiet --name "^$1$"); do
    crictl stop --timeout 120 "$id" >&2
  done
}

main
`;
