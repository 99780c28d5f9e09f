/** What the scripts of a machine share; each sources it. */
export const machineScript = `# What the scripts of this machine share: settings, the machine's place in EC2, parameters.
set -euo pipefail
umask 077
source /etc/pinion/machine.conf
export AWS_REGION AWS_DEFAULT_REGION=$AWS_REGION AWS_PAGER='' AWS_RETRY_MODE=standard AWS_MAX_ATTEMPTS=10
# Credentials are asked for once, for one second, otherwise: too short for a machine that is overloaded.
export AWS_METADATA_SERVICE_TIMEOUT=5 AWS_METADATA_SERVICE_NUM_ATTEMPTS=5

# Secrets on their way to or from Systems Manager lie here, in memory.
SCRATCH=/run/pinion
mkdir -p "$SCRATCH"

# Seconds between two looks at something that is awaited.
PAUSE=\${PINION_PAUSE:-5}

say() { printf '%s\\n' "$*" >&2; }

fail() {
  say "$*"
  exit 1
}

require() {
  local program
  for program in "$@"; do
    command -v "$program" >/dev/null || fail "the image of this machine lacks $program"
  done
}

# Metadata of this instance. Its session token goes by standard input: a command line is read by everybody.
metadata() {
  local base=\${AWS_EC2_METADATA_SERVICE_ENDPOINT:-http://169.254.169.254} token
  base=\${base%/}
  token=$(curl --silent --show-error --fail --max-time 5 --retry 5 --request PUT \\
    --header 'X-aws-ec2-metadata-token-ttl-seconds: 300' "$base/latest/api/token")
  printf 'X-aws-ec2-metadata-token: %s' "$token" |
    curl --silent --show-error --fail --max-time 5 --retry 5 --header @- "$base/latest/meta-data/$1"
}

# The node is named as AWS names the machine, so that others can ask AWS about it.
learn_instance() {
  INSTANCE=$(metadata instance-id)
  ZONE=$(metadata placement/availability-zone)
  NODE=$(metadata local-hostname)
  NODE=\${NODE%% *}
  PROVIDER_ID="aws:///$ZONE/$INSTANCE"
}

# Puts what it reads into a file, at once and only where that differs: programs that run may read it at any time.
put() {
  cat >"$1.new"
  if cmp --silent "$1.new" "$1"; then
    rm "$1.new"
  else
    mv "$1.new" "$1"
  fi
}

# Reads a parameter into a file, whose only last line feed is ours: else each reading would add one. Fails only where
# there is none; whatever else is wrong ends the script.
read_parameter() {
  local name=$1 file=$2
  if aws ssm get-parameter --name "$PARAMETERS/$name" --with-decryption \\
    --query Parameter.Value --output text >"$SCRATCH/answer" 2>"$SCRATCH/error"; then
    printf '%s\\n' "$(cat "$SCRATCH/answer")" | put "$file"
    rm "$SCRATCH/answer"
    return 0
  fi
  grep -q ParameterNotFound "$SCRATCH/error" && return 1
  fail "cannot read $PARAMETERS/$name: $(cat "$SCRATCH/error")"
}

# The profile's files are there; what reads them at its start is told.
apply_host() {
  local unit package
  systemctl daemon-reload
  for unit in systemd-modules-load systemd-sysctl systemd-journald; do
    systemctl restart "$unit.service" || say "$unit did not take all of its settings"
  done
  for package in "\${HOST_PACKAGES[@]}"; do
    # Not every package is a service.
    systemctl try-restart "$package.service" 2>/dev/null || true
  done
  for unit in "\${HOST_UNITS[@]}"; do
    systemctl enable --now "$unit"
  done
}
`;
