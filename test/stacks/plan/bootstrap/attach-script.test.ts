import { spawnSync } from 'node:child_process';
import { attachScript } from '../../../../stacks/plan/bootstrap/scripts/attach-script';

/** Runs `route_interface` with a fake `ip` whose rules are these lines; `ip rule add` fails if the rule exists. */
const route = (rules: string) =>
  spawnSync('bash', ['--norc', '-s'], {
    encoding: 'utf8',
    input: `set -euo pipefail
ADDRESS=10.0.0.9 GATEWAY=10.0.0.1 ROUTE_TABLE=100 PEERS=()
ip() {
  case "$1 $2" in
    'rule show') ${rules} ;;
    'rule add') echo "added $4"; [[ $(ip rule show) != *"from $ADDRESS lookup"* ]] ;;
  esac
}
${attachScript}
route_interface eth1
`,
  });

test('keeps a policy route that exists, however many rules follow it', () => {
  const many = `echo '1000: from 10.0.0.9 lookup 100'; for rule in {1..20000}; do echo "$rule: from all lookup main"; done`;
  const { status, stdout, stderr } = route(many);
  expect([status, stdout, stderr]).toEqual([0, '', '']);
});

test('adds a policy route that is missing', () => {
  const { status, stdout, stderr } = route("echo '0: from all lookup local'");
  expect([status, stdout, stderr]).toEqual([0, 'added 10.0.0.9\n', '']);
});
