/** Script that sets up the cluster once the local API server is ready, and again every few hours; idempotent. */
export const postBootstrapScript = `#!/bin/bash
# Creates what the cluster needs before nodes can join. Runs on every control plane node; idempotent.
source /opt/pinion/lib/machine.sh

main() {
  require aws kubectl openssl
  learn_instance
  until kube get --raw /readyz >/dev/null; do
    say 'waiting for the local API server'
    sleep "$PAUSE"
  done
  make_administrators
  kube apply --server-side --force-conflicts --field-manager pinion-control-plane --filename /etc/pinion/objects.yaml >&2
  label_node
  publish_discovery
  share_bootstrap_token
}

kube() { kubectl --kubeconfig /etc/kubernetes/admin.conf --server "https://$ADDRESS:$API_PORT" "$@"; }

# A new cluster has no administrators yet. super-admin.conf, which bypasses RBAC, is used only here: any other use in the
# audit log is break-glass access.
make_administrators() {
  [[ $(kube auth can-i create clusterrolebindings || true) == no ]] || return 0
  kubectl --kubeconfig /etc/kubernetes/super-admin.conf --server "https://$ADDRESS:$API_PORT" \\
    apply --server-side --field-manager pinion-control-plane --filename /etc/pinion/administrators.yaml >&2
}

# Kubelets may not set the control plane label themselves. Service load balancers exclude control plane nodes.
label_node() {
  if kube get node "$NODE" >/dev/null 2>&1; then
    kube label node "$NODE" --overwrite node-role.kubernetes.io/control-plane= \\
      node.kubernetes.io/exclude-from-external-load-balancers= >&2
  else
    say "node $NODE is not registered yet"
    UNSETTLED=1
  fi
}

# Publishes the OIDC discovery document and public keys, with which AWS verifies service account tokens.
publish_discovery() {
  local path
  for path in /.well-known/openid-configuration /openid/v1/jwks; do
    kube get --raw "$path" >"$SCRATCH/discovery"
    aws s3api put-object --bucket "$DISCOVERY_BUCKET" --key "\${DISCOVERY_PATH:+$DISCOVERY_PATH/}\${path#/}" \\
      --body "$SCRATCH/discovery" --content-type application/json >/dev/null
  done
}

# Machines request their first certificate with this token; the node approver has to approve it. It is valid for three
# days and replaced when fewer than 36 hours are left.
share_bootstrap_token() {
  local id secret expiration
  if read_parameter bootstrap-token "$SCRATCH/token" && is_fresh "$(cut -d. -f1 "$SCRATCH/token")"; then
    return
  fi
  id=$(openssl rand -hex 3)
  secret=$(openssl rand -hex 8)
  expiration=$(date --utc --date '3 days' +%Y-%m-%dT%H:%M:%SZ)
  kube create --filename - >&2 <<END
apiVersion: v1
kind: Secret
type: bootstrap.kubernetes.io/token
metadata: {name: bootstrap-token-$id, namespace: kube-system}
stringData:
  token-id: "$id"
  token-secret: "$secret"
  expiration: "$expiration"
  usage-bootstrap-authentication: "true"
  auth-extra-groups: $BOOTSTRAP_GROUP
END
  printf '%s.%s' "$id" "$secret" >"$SCRATCH/token"
  local key=()
  [[ -z $PARAMETER_KEY ]] || key=(--key-id "$PARAMETER_KEY")
  aws ssm put-parameter --name "$PARAMETERS/bootstrap-token" --type SecureString "\${key[@]}" --overwrite \\
    --value "file://$SCRATCH/token" >/dev/null
  rm "$SCRATCH/token"
}

is_fresh() {
  local expiration
  expiration=$(kube --namespace kube-system get secret "bootstrap-token-$1" --ignore-not-found \\
    --output 'jsonpath={.data.expiration}' | base64 --decode)
  [[ -n $expiration && $(date --date "$expiration" +%s) -gt $(date --date '36 hours' +%s) ]]
}

UNSETTLED=0
main
exit "$UNSETTLED"
`;
