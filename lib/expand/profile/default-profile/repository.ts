import { appKinds, hardened, type PartInput } from './part-input';

const folder = '/var/run/pinion/repository';
const port = 19103;
const gitSyncUser = 65533;

const container = (name: string, args: readonly string[]) =>
  hardened(
    {
      name,
      image: 'registry.k8s.io/git-sync/git-sync:v4.4.2',
      args: [
        '--repo=$(REPOSITORY)',
        '--ref=$(REFERENCE)',
        `--root=${folder}`,
        '--link=current',
        '--depth=1',
        '--period=$(PERIOD)',
        ...args,
      ],
      env: [{ name: 'HOME', value: '/tmp' }],
      volumeMounts: [
        { name: 'pinion-repository', mountPath: folder },
        { name: 'pinion-repository-scratch', mountPath: '/tmp' },
      ],
    },
    { cpu: 10, memory: 64, memoryLimit: 256 },
    gitSyncUser,
  );

/** Part that clones the company's repository of shared configuration before the app starts and pulls it while the app runs. */
export const repository: PartInput = {
  name: 'repository',
  summary:
    "Pod: an init container that downloads the company's configuration repository before the app starts, and a sidecar that pulls each new commit; it lives in the pod so that each app reads complete commits and chooses its own reference. Exits on SIGTERM immediately.",
  injection: 'OptOut',
  kinds: [...appKinds],
  after: ['network', 'secrets'],
  needsValues: ['configurationRepository'],
  valueEnv: { REPOSITORY: 'configurationRepository' },
  settings: {
    reference: { default: 'HEAD', env: 'REFERENCE', summary: 'Branch, tag or commit to follow.' },
    period: { default: '60s', env: 'PERIOD', summary: 'Time between two pulls of the repository.' },
  },
  pod: {
    initContainers: [container('pinion-repository-init', ['--one-time', '--max-failures=10'])],
    sidecars: [
      {
        ...container('pinion-repository', ['--max-failures=-1', `--http-bind=:${port}`, '--http-metrics=true']),
        ports: [{ name: 'pinion-repo', containerPort: port }],
        livenessProbe: { tcpSocket: { port }, periodSeconds: 15, failureThreshold: 6 },
      },
    ],
    volumes: [
      { name: 'pinion-repository', emptyDir: { sizeLimit: '1Gi' } },
      { name: 'pinion-repository-scratch', emptyDir: { sizeLimit: '64Mi' } },
    ],
    volumeMounts: [{ name: 'pinion-repository', mountPath: folder, readOnly: true }],
    env: [{ name: 'PINION_REPOSITORY', value: `${folder}/current` }],
  },
};
