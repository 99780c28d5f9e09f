import { dump, loadAll } from 'js-yaml';
import { readDocuments, writeDocuments } from '../lib/yaml';

const count = 10_000;
const rounds = 7;

const sidecar = {
  name: 'logs',
  image: 'registry.example.com/logs:2.3.1',
  restartPolicy: 'Always',
  env: ['LEVEL', 'TARGET', 'CLUSTER', 'ZONE'].map((name) => ({ name, value: `${name.toLowerCase()}-value` })),
  resources: { requests: { cpu: '50m', memory: '64Mi' }, limits: { memory: '128Mi' } },
};

function deepFreeze<T extends object>(value: T): T {
  for (const member of Object.values(value)) if (typeof member === 'object' && member) deepFreeze(member as object);
  return Object.freeze(value);
}

function makeDeployment(index: number, initContainers?: readonly object[]): object {
  const name = `service-${index}`;
  const labels = { 'app.kubernetes.io/name': name, 'app.kubernetes.io/managed-by': 'pinion', tier: 'gold' };
  const env = [
    { name: 'PORT', value: '8080' },
    { name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
  ];
  const resources = { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } };
  const image = `registry.example.com/${name}:1.${index % 40}.2`;
  const containers = [{ name: 'app', image, ports: [{ containerPort: 8080 }], env, resources }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: `project-${index % 100}`, labels },
    spec: {
      replicas: index % 7,
      selector: { matchLabels: { 'app.kubernetes.io/name': name } },
      template: { metadata: { labels }, spec: { initContainers, containers } },
    },
  };
}

/** Returns the minimum time in milliseconds of each contender, in alternating runs. */
function measure(contenders: Record<string, () => number>): Record<string, number> {
  const minTimes: Record<string, number> = {};
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of Object.entries(contenders)) {
      const started = performance.now();
      if (run() === 0) throw new Error(`${name} did nothing`);
      minTimes[name] = Math.min(minTimes[name] ?? Infinity, performance.now() - started);
    }
  }
  return minTimes;
}

function report(name: string, value: number, goal: string, isReached: boolean): void {
  console.log(`RATIO ${name} ${value.toFixed(2)} goal ${goal} ${isReached ? 'ok' : 'short'}`);
}

function measureWriting(objects: readonly object[]): Record<string, number> {
  return measure({
    json: () => objects.reduce((sum, object) => sum + Buffer.byteLength(JSON.stringify(object)), 0),
    ours: () => [...writeDocuments(objects)].reduce((sum, chunk) => sum + Buffer.byteLength(chunk), 0),
  });
}

function main(): void {
  const plain = Array.from({ length: count }, (_, index) => makeDeployment(index));
  const profile = deepFreeze([sidecar, { ...sidecar, name: 'metrics' }, { ...sidecar, name: 'proxy' }]);
  const shared = Array.from({ length: count }, (_, index) => makeDeployment(index, profile));
  const sample = plain.slice(0, count / 20);

  const writing = measureWriting(plain);
  const sharing = measureWriting(shared);
  const peer = measure({
    dump: () => sample.reduce((sum: number, object) => sum + dump(object, { noRefs: true, lineWidth: -1 }).length, 0),
    ours: () => [...writeDocuments(sample)].join('').length,
  });
  const text = [...writeDocuments(sample)].join('');
  const reading = measure({ peer: () => loadAll(text).length, ours: () => readDocuments(text, 'f').documents.length });

  const [bytes, json, ours] = [JSON.stringify(plain[0]).length, writing.json ?? 0, writing.ours ?? 0];
  console.log(`${count} Deployments of ${bytes} bytes of JSON; minimum of ${rounds} rounds`);
  console.log(`JSON.stringify ${json.toFixed(0)} ms, YAML ${ours.toFixed(0)} ms`);
  const rate = (count / ours) * 1000;
  console.log(
    `YAML ${rate.toFixed(0)} objects/s; js-yaml ${((sample.length / (peer.dump ?? 0)) * 1000).toFixed(0)} objects/s`,
  );
  report('yaml-write-vs-json-stringify', ours / json, '<=2.5', ours / json <= 2.5);
  const sharedRatio = (sharing.ours ?? 0) / (sharing.json ?? 1);
  report('yaml-write-shared-vs-json-stringify', sharedRatio, '<=1.5', sharedRatio <= 1.5);
  const peerRatio = (peer.dump ?? 0) / (peer.ours ?? 1);
  report('yaml-write-vs-js-yaml-dump', peerRatio, '>=5', peerRatio >= 5);
  const readRatio = (reading.ours ?? 0) / (reading.peer ?? 1);
  report('yaml-read-vs-js-yaml-load', readRatio, '<=1.5', readRatio <= 1.5);
}

main();
