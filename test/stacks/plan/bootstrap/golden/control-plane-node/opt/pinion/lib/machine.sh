# Shared by the scripts of this machine: settings, instance metadata, parameters.
set -euo pipefail
umask 077
source /etc/pinion/machine.conf
export AWS_REGION AWS_DEFAULT_REGION=$AWS_REGION AWS_PAGER='' AWS_RETRY_MODE=standard AWS_MAX_ATTEMPTS=10
# The default is one attempt of one second, too short on an overloaded machine.
export AWS_METADATA_SERVICE_TIMEOUT=5 AWS_METADATA_SERVICE_NUM_ATTEMPTS=5

# Temporary files with secrets of Systems Manager, in memory.
SCRATCH=/run/pinion
mkdir -p "$SCRATCH"

# Seconds between two attempts.
PAUSE=${PINION_PAUSE:-5}

say() { printf '%s\n' "$*" >&2; }

fail() {
  say "$*"
  exit 1
}

require() {
  local program
  for program in "$@"; do
    command -v "$program" >/dev/null || fail "$program not found; add it to the machine image"
  done
}

# Metadata of this instance. The session token is passed on standard input, since command lines are world-readable.
metadata() {
  local base=${AWS_EC2_METADATA_SERVICE_ENDPOINT:-http://169.254.169.254} token
  base=${base%/}
  token=$(curl --silent --show-error --fail --max-time 5 --retry 5 --request PUT \
    --header 'X-aws-ec2-metadata-token-ttl-seconds: 300' "$base/latest/api/token")
  printf 'X-aws-ec2-metadata-token: %s' "$token" |
    curl --silent --show-error --fail --max-time 5 --retry 5 --header @- "$base/latest/meta-data/$1"
}

# The node has the host name of the instance, so that the node approver can look it up.
learn_instance() {
  INSTANCE=$(metadata instance-id)
  ZONE=$(metadata placement/availability-zone)
  NODE=$(metadata local-hostname)
  NODE=${NODE%% *}
  PROVIDER_ID="aws:///$ZONE/$INSTANCE"
}

# Writes standard input to a file, atomically and only if it differs, since running programs may read it at any time.
put() {
  cat >"$1.new"
  if cmp --silent "$1.new" "$1"; then
    rm "$1.new"
  else
    mv "$1.new" "$1"
  fi
}

# Reads a parameter into a file that ends with exactly one newline. Fails only if the parameter does not exist; any other
# error ends the script.
read_parameter() {
  local name=$1 file=$2
  if aws ssm get-parameter --name "$PARAMETERS/$name" --with-decryption \
    --query Parameter.Value --output text >"$SCRATCH/answer" 2>"$SCRATCH/error"; then
    printf '%s\n' "$(cat "$SCRATCH/answer")" | put "$file"
    rm "$SCRATCH/answer"
    return 0
  fi
  grep -q ParameterNotFound "$SCRATCH/error" && return 1
  fail "cannot read $PARAMETERS/$name: $(cat "$SCRATCH/error")"
}

# Restricts the traffic of pods, before one of them can start.
restrict_pods() {
  nft --file /etc/pinion/pod-traffic.nft
}

# Restarts what reads the files of the runtime profile only at startup.
apply_host() {
  local unit package
  systemctl daemon-reload
  for unit in systemd-modules-load systemd-sysctl systemd-journald; do
    systemctl restart "$unit.service" || say "$unit rejected some of its settings"
  done
  for package in "${HOST_PACKAGES[@]}"; do
    # Not every package has a service.
    systemctl try-restart "$package.service" 2>/dev/null || true
  done
  for unit in "${HOST_UNITS[@]}"; do
    systemctl enable --now "$unit"
  done
}
