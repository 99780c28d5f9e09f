/** Empties a node that its Auto Scaling group is about to end. */
export const drainScript = `#!/bin/bash
# Waits until this machine is to end, moves its pods away, and only then lets it end. It acts with the node's own
# rights, which reach no pod of another node, and asks for evictions, which respect disruption budgets.
source /opt/pinion/lib/machine.sh

main() {
  require aws curl kubectl
  learn_instance
  until is_leaving; do sleep "$PAUSE"; done
  say "$NODE is to end; its pods are moved away"
  kube patch node "$NODE" --patch '{"spec": {"unschedulable": true}}' >&2 || say 'cannot cordon'
  move_pods
  # A spot machine that is taken has no hook to be told.
  if ends_by_group; then
    aws autoscaling complete-lifecycle-action --auto-scaling-group-name "$GROUP" --lifecycle-hook-name "$HOOK" \\
      --instance-id "$INSTANCE" --lifecycle-action-result CONTINUE
  fi
}

kube() { kubectl --kubeconfig /etc/kubernetes/kubelet.conf "$@"; }

is_leaving() { ends_by_group || is_taken; }

ends_by_group() { [[ $(metadata autoscaling/target-lifecycle-state 2>/dev/null) == Terminated ]]; }

is_taken() { metadata spot/instance-action >/dev/null 2>&1; }

# Evicts until nothing is left but what belongs to the node, or the time is over: then the machine ends all the same.
move_pods() {
  local pods namespace name owner phase end=$((SECONDS + DRAIN_SECONDS))
  while ((SECONDS < end)); do
    pods=$(kube get pods --all-namespaces --field-selector "spec.nodeName=$NODE" --no-headers --output \\
      'custom-columns=A:.metadata.namespace,B:.metadata.name,C:.metadata.ownerReferences[0].kind,D:.status.phase' |
      awk '$3 != "DaemonSet" && $3 != "Node" && $4 != "Succeeded" && $4 != "Failed"') || pods=unknown
    [[ -n $pods ]] || return 0
    while [[ $pods != unknown ]] && read -r namespace name owner phase; do
      evict "$namespace" "$name" || say "$namespace/$name ($owner, $phase) cannot go yet"
    done <<<"$pods"
    sleep "$PAUSE"
  done
  say 'the time is over with pods still here'
}

evict() {
  kube create --raw "/api/v1/namespaces/$1/pods/$2/eviction" --filename - >/dev/null <<END
{"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"namespace": "$1", "name": "$2"}}
END
}

main
`;
