import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { podTraffic } from '../../../../stacks/plan/bootstrap/pod-traffic';
import { runCommand } from '../../../control-plane/command';
import { workerSubnets } from './example-cluster';

/** Where requests go: both addresses of the metadata service, another worker, and the DNS cache of this machine. */
const metadata = ['http://169.254.169.254:80', 'http://[fd00:ec2::254]:80'];
const nodePort = 'http://10.0.32.77:30443';
const open = ['http://10.0.32.77:443', 'http://192.168.77.2:30443', 'http://[fd02::2]:80', 'http://169.254.20.10:80'];
const all = [...metadata, nodePort, ...open];

const server = `for (const port of [80, 443, 30443]) require('node:http').createServer((_, answer) => answer.end()).listen(port, '::');`;

/**
 * A machine that forwards between a pod and a neighbor, which is the metadata service and another worker. Prints who
 * reaches which address, before and after the rules on standard input are applied twice.
 */
const script = `set -e
mount -t tmpfs tmpfs /run
mount -t sysfs sysfs /sys
ip link set lo up
ip address add 169.254.20.10/32 dev lo
echo 1 >/proc/sys/net/ipv4/ip_forward
echo 1 >/proc/sys/net/ipv6/conf/all/forwarding
connect() {
  ip netns add $1
  ip link add $1 type veth peer name eth0 netns $1
  ip link set $1 up
  ip -n $1 link set lo up
  ip -n $1 link set eth0 up
  ip address add $2.1/24 dev $1
  ip -n $1 address add $2.2/24 dev eth0
  ip -n $1 route add default via $2.1
  ip address add $3::1/64 dev $1 nodad
  ip -n $1 address add $3::2/64 dev eth0 nodad
  ip -n $1 route add default via $3::1
}
connect pod 100.64.1 fd01
connect other 192.168.77 fd02
for address in 169.254.169.254 10.0.32.77; do
  ip -n other address add $address/32 dev eth0
  ip route add $address via 192.168.77.2
done
ip -n other address add fd00:ec2::254/128 dev eth0 nodad
ip route add fd00:ec2::254 via fd02::2
node -e "$SERVER" &
ip netns exec other node -e "$SERVER" &
ip netns exec pod node -e "$SERVER" &
for place in '' 'ip netns exec other' 'ip netns exec pod'; do
  until $place curl --silent --max-time 1 --output /dev/null http://127.0.0.1:30443; do sleep 0.1; done
done
reach() {
  moment=$1 seconds=$2
  shift 2
  for url in $URLS; do
    "$@" curl --silent --globoff --max-time $seconds --output /dev/null "$url" && echo "$moment $url" &
    requests="$requests $!"
  done
  for request in $requests; do wait $request || true; done
  requests=
}
reach before 30 ip netns exec pod
cat >/run/rules
nft --file /run/rules
nft --file /run/rules
reach pod 10 ip netns exec pod
reach machine 30 env
# A load balancer in the subnets of workers, whose own port is in the range of node ports.
ip netns exec other curl --silent --interface 10.0.32.77 --local-port 31000 --max-time 10 --output /dev/null http://100.64.1.2:80 &&
  echo "pod answers" || true
`;

const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'];
const missing = ['curl', 'ip', 'nft', 'unshare'].find(
  (tool) => !folders.some((folder) => existsSync(join(folder, tool))),
);
const flags = ['--net', '--mount', '--pid', '--fork', '--mount-proc', '--kill-child=SIGKILL'];
const mayUnshare = (): boolean => spawnSync('unshare', [...flags, 'true']).status === 0;
const skipReason =
  missing !== undefined ? `there is no ${missing}` : mayUnshare() ? undefined : 'this user may not create namespaces';
const title = 'pods reach neither the metadata service nor node ports of workers; the machine does';
const testNamespaces = skipReason === undefined ? test : test.skip;

testNamespaces(
  skipReason === undefined ? title : `${title} (SKIPPED: ${skipReason})`,
  async () => {
    const { code, stdout, stderr } = await runCommand(
      'unshare',
      [...flags, 'bash', '-c', script],
      podTraffic(workerSubnets).content,
      { ...process.env, PATH: folders.join(delimiter), SERVER: server, URLS: all.join(' ') },
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const reached = (moment: string) => all.filter((url) => stdout.split('\n').includes(`${moment} ${url}`));
    expect(reached('before')).toEqual(all);
    expect(reached('pod')).toEqual(open);
    expect(reached('machine')).toEqual(all);
    expect(stdout).toContain('pod answers\n');
  },
  60_000,
);
