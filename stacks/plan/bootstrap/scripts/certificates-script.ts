/** Renews a master's certificates while they are still good. */
export const certificatesScript = `#!/bin/bash
# Renews the certificates of this master when less than 90 of their 365 days are left. Each master has its own day.
source /opt/pinion/lib/machine.sh

KUBEADM=/etc/kubernetes/kubeadm.yaml

main() {
  require crictl kubeadm kubectl openssl
  # All were made together and are renewed together, so one speaks for all.
  if openssl x509 -checkend $((90 * 86400)) -noout -in /etc/kubernetes/pki/apiserver.crt >/dev/null; then
    return
  fi
  kubeadm certs renew all --config "$KUBEADM" >&2
  rm -f /etc/kubernetes/kubelet.conf
  kubeadm init phase kubeconfig kubelet --config "$KUBEADM" >&2
  kubectl config set-cluster "$CLUSTER" --server "https://$ADDRESS:$API_PORT" \\
    --kubeconfig /etc/kubernetes/kubelet.conf >/dev/null
  systemctl restart kubelet.service
  # etcd reads certificates at each connection; these read theirs when they start. The kubelet starts them again.
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
