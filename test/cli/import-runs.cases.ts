import { type ImportCase } from './import.cases';

const pod = (name: string, more = '') =>
  `{automountServiceAccountToken: false, restartPolicy: Never, containers: [{name: ${name}, image: 'registry.example.com/${name}:1'${more}}]}`;
const containersOf = (name: string, more: object = {}) => ({
  spec: { containers: [{ name, image: `registry.example.com/${name}:1`, ...more }] },
});

/** Runs to completion that are imported, and the expected results. */
export const runCases: readonly ImportCase[] = [
  {
    title: 'a Job',
    objects: `apiVersion: batch/v1
kind: Job
metadata: {name: resize, namespace: shop}
spec:
  completions: 5
  parallelism: 2
  backoffLimit: 4
  activeDeadlineSeconds: 1800
  podFailurePolicy: {rules: [{action: Ignore, onPodConditions: [{type: DisruptionTarget, status: 'True'}]}]}
  template: {spec: ${pod('resize')}}
`,
    word: 'job/resize',
    spec: {
      shards: 5,
      parallelism: 2,
      retries: 4,
      activeDeadline: '30m',
      failurePolicy: { maxFailedShards: 0 },
      podFailurePolicy: {
        rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }],
      },
      template: containersOf('resize'),
    },
    comments: [
      'Nothing is adopted: Job resize cannot change',
      'kubectl delete job/resize -n shop',
      '4 retries of all pods together are now 4 for each of the 5 shards',
      'it is now deleted a day after it ends',
    ],
  },
  {
    title: 'a Job whose indexes have names',
    objects: `apiVersion: batch/v1
kind: Job
metadata: {name: ring, namespace: shop}
spec:
  completionMode: Indexed
  completions: 4
  parallelism: 4
  backoffLimitPerIndex: 1
  maxFailedIndexes: 2
  successPolicy: {rules: [{succeededIndexes: '0,2-3', succeededCount: 2}]}
  ttlSecondsAfterFinished: 3600
  suspend: true
  template: {spec: {subdomain: peers, ${pod('ring', ", env: [{name: FIRST, value: 'ring-0.peers:90'}]").slice(1)}}
`,
    word: 'job/ring',
    spec: {
      shards: 4,
      suspend: true,
      dnsNames: true,
      failurePolicy: { maxFailedShards: 2 },
      retries: 1,
      successPolicy: { shards: [0, 2, 3], count: 2 },
      ttlAfterFinished: '1h',
      template: containersOf('ring', { env: [{ name: 'FIRST', value: 'ring-0.peers:90' }] }),
    },
    comments: [
      'host names of pods change from ring-0.peers to ring-0.ring and so on; change the old name in env FIRST of container ring (ring-0.peers)',
    ],
  },
  {
    title: 'a JobSet with one replicated Job, whose Jobs each have a topology domain to themselves',
    objects: `apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: train, namespace: shop, annotations: {alpha.jobset.sigs.k8s.io/exclusive-topology: rack}}
spec:
  failurePolicy: {maxRestarts: 3, rules: [{name: host, action: RestartJobSet}]}
  successPolicy: {operator: Any}
  startupPolicy: {startupPolicyOrder: InOrder}
  ttlSecondsAfterFinished: 600
  replicatedJobs:
    - name: workers
      replicas: 2
      template:
        spec:
          completions: 4
          parallelism: 4
          backoffLimit: 0
          template: {spec: ${pod('train', ', env: [{name: ADDRESS, value: train-workers-0-0.train}]')}}
`,
    word: 'jobset/train',
    spec: {
      dnsNames: true,
      retries: 0,
      failurePolicy: { maxRestarts: 3, rules: [{ action: 'RestartJobSet' }] },
      successPolicy: { operator: 'Any' },
      ttlAfterFinished: '10m',
      replicatedJobs: [
        {
          name: 'workers',
          replicas: 2,
          shards: 4,
          maxFailedShards: 0,
          exclusiveTopology: 'rack',
          template: containersOf('train', { env: [{ name: 'ADDRESS', value: 'train-workers-0-0.train' }] }),
        },
      ],
    },
    comments: ['spec.failurePolicy.rules[0].name: rules have no name: host'],
  },
  {
    title: 'a JobSet with one replicated Job whose pods read the index of their Job',
    objects: `apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: indexed, namespace: shop}
spec:
  network: {enableDNSHostnames: false}
  ttlSecondsAfterFinished: 86400
  replicatedJobs:
    - {name: workers, replicas: 3, template: {spec: {backoffLimit: 0, template: {spec: ${pod('train', ', env: [{name: INDEX, valueFrom: {fieldRef: {fieldPath: "metadata.labels[\'jobset.sigs.k8s.io/job-index\']"}}}, {name: JOB, valueFrom: {fieldRef: {fieldPath: "metadata.labels[\'jobset.sigs.k8s.io/replicatedjob-name\']"}}}, {name: COUNT, valueFrom: {fieldRef: {fieldPath: "metadata.labels[\'jobset.sigs.k8s.io/replicatedjob-replicas\']"}}}]')}}}}}
`,
    word: 'jobset/indexed',
    spec: {
      shards: 3,
      failurePolicy: { maxFailedShards: 0 },
      retries: 0,
      template: containersOf('train', {
        env: [
          { name: 'INDEX', value: '$(PINION_SHARD_INDEX)' },
          { name: 'JOB', value: 'workers' },
          { name: 'COUNT', value: '$(PINION_SHARD_COUNT)' },
        ],
      }),
    },
    comments: ['template.spec.containers[train].env[INDEX]: is now "$(PINION_SHARD_INDEX)"; was valueFrom'],
    absentComments: ['is not carried over'],
  },
  {
    title: 'a JobSet with one Job whose pods read its index',
    objects: `apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: alone-indexed, namespace: shop}
spec:
  network: {enableDNSHostnames: false}
  ttlSecondsAfterFinished: 86400
  replicatedJobs:
    - {name: workers, replicas: 1, template: {spec: {completions: 2, parallelism: 2, backoffLimit: 0, template: {spec: ${pod('train', ', env: [{name: INDEX, valueFrom: {fieldRef: {fieldPath: "metadata.labels[\'jobset.sigs.k8s.io/job-index\']"}}}, {name: JOB, valueFrom: {fieldRef: {fieldPath: "metadata.labels[\'jobset.sigs.k8s.io/replicatedjob-name\']"}}}, {name: COUNT, valueFrom: {fieldRef: {fieldPath: "metadata.labels[\'jobset.sigs.k8s.io/replicatedjob-replicas\']"}}}]')}}}}}
`,
    word: 'jobset/alone-indexed',
    spec: {
      shards: 2,
      failurePolicy: { maxFailedShards: 0 },
      retries: 0,
      template: containersOf('train', {
        env: [
          { name: 'INDEX', value: '0' },
          { name: 'JOB', value: 'workers' },
          { name: 'COUNT', value: '1' },
        ],
      }),
    },
    comments: [],
  },
  {
    title: 'a JobSet with Jobs of several pods that read the index of their Job',
    objects: `apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: pairs, namespace: shop}
spec:
  network: {enableDNSHostnames: false}
  ttlSecondsAfterFinished: 86400
  replicatedJobs:
    - {name: workers, replicas: 3, template: {spec: {completions: 2, parallelism: 2, backoffLimit: 0, template: {spec: ${pod('train', ', env: [{name: INDEX, valueFrom: {fieldRef: {fieldPath: "metadata.labels[\'jobset.sigs.k8s.io/job-index\']"}}}, {name: JOB, valueFrom: {fieldRef: {fieldPath: "metadata.labels[\'jobset.sigs.k8s.io/replicatedjob-name\']"}}}, {name: COUNT, valueFrom: {fieldRef: {fieldPath: "metadata.labels[\'jobset.sigs.k8s.io/replicatedjob-replicas\']"}}}]')}}}}}
`,
    word: 'jobset/pairs',
    spec: {
      shards: 6,
      failurePolicy: { maxFailedShards: 0 },
      retries: 0,
      template: containersOf('train', {
        env: [
          { name: 'INDEX', valueFrom: { fieldRef: { fieldPath: "metadata.labels['jobset.sigs.k8s.io/job-index']" } } },
          { name: 'JOB', value: 'workers' },
          { name: 'COUNT', value: '3' },
        ],
      }),
    },
    comments: [
      "template.spec.containers[train].env[INDEX]: reads metadata.labels['jobset.sigs.k8s.io/job-index'], which pods no longer have, so that it is empty",
    ],
  },
  {
    title: 'a JobSet without Jobs',
    objects: `apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: idle, namespace: shop}
spec:
  network: {enableDNSHostnames: false}
  ttlSecondsAfterFinished: 86400
  replicatedJobs:
    - {name: workers, replicas: 0, template: {spec: {backoffLimit: 3, template: {spec: ${pod('train')}}}}}
`,
    word: 'jobset/idle',
    spec: { suspend: true, template: containersOf('train') },
    comments: [
      'spec.replicatedJobs[0].replicas: has 0 Jobs, and the custom resource would have one, so that it is suspended',
    ],
  },
  {
    title: 'a JobSet with one replicated Job, whose Jobs are equal',
    objects: `apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: plain, namespace: shop}
spec:
  failurePolicy: {maxRestarts: 3, restartStrategy: BlockingRecreate}
  startupPolicy: {startupPolicyOrder: InOrder}
  network: {publishNotReadyAddresses: true}
  replicatedJobs:
    - name: workers
      replicas: 2
      template:
        spec:
          completions: 4
          parallelism: 4
          backoffLimit: 2147483647
          template: {spec: ${pod('plain', ', env: [{name: ADDRESS, value: plain-workers-0-0.plain}]')}}
`,
    word: 'jobset/plain',
    spec: {
      shards: 8,
      dnsNames: true,
      retries: 1000,
      failurePolicy: { maxFailedShards: 0, maxRestarts: 3 },
      template: containersOf('plain', { env: [{ name: 'ADDRESS', value: 'plain-workers-0-0.plain' }] }),
    },
    comments: [
      '2 Jobs workers of 4 pods become one Job of 8 shards',
      'backoffLimit: 2147483647 retries are now 1000, the maximum',
      'spec.failurePolicy.restartStrategy: has no counterpart and is not carried over: "BlockingRecreate"',
      'host names of pods change from plain-workers-0-0.plain to plain-0.plain and so on; change the old name in env ADDRESS of container plain',
    ],
  },
  {
    title: 'a JobSet of which any Job of one pod is enough',
    objects: `apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: race, namespace: shop}
spec:
  network: {enableDNSHostnames: false}
  successPolicy: {operator: Any}
  replicatedJobs:
    - {name: workers, replicas: 3, template: {spec: {backoffLimit: 0, template: {spec: ${pod('race')}}}}}
`,
    word: 'jobset/race',
    spec: {
      shards: 3,
      retries: 0,
      failurePolicy: { maxFailedShards: 0 },
      successPolicy: { count: 1 },
      template: containersOf('race'),
    },
    comments: ['spec.successPolicy: one Job was enough, {"operator":"Any"}; one shard is now enough'],
  },
  {
    title: 'a JobSet of which any Job is enough, with only one Job',
    objects: `apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: alone, namespace: shop}
spec:
  network: {enableDNSHostnames: false}
  successPolicy: {operator: Any}
  replicatedJobs:
    - {name: workers, template: {spec: {completions: 4, parallelism: 4, backoffLimit: 0, template: {spec: ${pod('alone')}}}}}
`,
    word: 'jobset/alone',
    spec: { shards: 4, retries: 0, failurePolicy: { maxFailedShards: 0 }, template: containersOf('alone') },
    comments: [
      'spec.successPolicy: the only Job was enough, {"operator":"Any"}, with all its 4 pods; all 4 shards must succeed',
    ],
  },
  {
    title: 'a JobSet with several replicated Jobs that start in order',
    objects: `apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: ordered, namespace: shop}
spec:
  startupPolicy: {startupPolicyOrder: InOrder}
  coordinator: {replicatedJob: driver, jobIndex: 0, podIndex: 0}
  successPolicy: {operator: Any, targetReplicatedJobs: [workers]}
  ttlSecondsAfterFinished: 86400
  failurePolicy:
    maxRestarts: 2
    rules:
      - {name: failurePolicyRule0, action: FailJobSet, targetReplicatedJobs: [driver], onJobFailureReasons: [BackoffLimitExceeded]}
      - {name: one, action: RestartJob, targetReplicatedJobs: [workers]}
      - {name: text, action: FailJobSet, onJobFailureMessagePatterns: ['exit 42']}
  replicatedJobs:
    - name: driver
      groupName: default
      replicas: 1
      template:
        metadata: {annotations: {alpha.jobset.sigs.k8s.io/exclusive-topology: zone}, labels: {step: drive}}
        spec: {backoffLimit: 0, template: {spec: ${pod('driver', ', env: [{name: HOST, valueFrom: {fieldRef: {fieldPath: "metadata.annotations[\'jobset.sigs.k8s.io/coordinator\']"}}}]')}}}
    - {name: idle, groupName: spare, replicas: 0, template: {spec: {template: {spec: ${pod('idle')}}}}}
    - name: workers
      groupName: crew
      replicas: 3
      template:
        spec:
          completions: 5
          parallelism: 2
          backoffLimitPerIndex: 1
          maxFailedIndexes: 2
          activeDeadlineSeconds: 600
          podFailurePolicy: {rules: [{action: Ignore, onPodConditions: [{type: DisruptionTarget}]}]}
          template: {spec: {terminationGracePeriodSeconds: 60, automountServiceAccountToken: false, containers: [{name: worker, image: 'registry.example.com/worker:1', env: [{name: RUN, valueFrom: {fieldRef: {fieldPath: "metadata.labels['jobset.sigs.k8s.io/restart-attempt']"}}}]}]}}
`,
    word: 'jobset/ordered',
    spec: {
      coordinator: { job: 'driver' },
      successPolicy: { operator: 'Any', jobs: ['workers'] },
      failurePolicy: {
        maxRestarts: 2,
        rules: [
          { action: 'FailJobSet', jobs: ['driver'], reasons: ['FailedIndexes', 'MaxFailedIndexesExceeded'] },
          { action: 'RestartJobSet', jobs: ['workers'] },
        ],
      },
      termination: { gracePeriod: '1m' },
      replicatedJobs: [
        {
          name: 'driver',
          exclusiveTopology: 'zone',
          retries: 0,
          template: containersOf('driver', { env: [{ name: 'HOST', value: '$(PINION_COORDINATOR)' }] }),
        },
        {
          name: 'workers',
          replicas: 3,
          shards: 5,
          parallelism: 2,
          dependsOn: [{ name: 'driver', status: 'Ready' }],
          retries: 1,
          maxFailedShards: 2,
          activeDeadline: '10m',
          podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }] },
          template: containersOf('worker', {
            env: [
              {
                name: 'RUN',
                valueFrom: { fieldRef: { fieldPath: "metadata.labels['jobset.sigs.k8s.io/restart-attempt']" } },
              },
            ],
          }),
        },
      ],
    },
    comments: [
      'spec.replicatedJobs[1]: has 0 replicas, so that it is omitted: {"name":"idle"',
      'spec.replicatedJobs[2].groupName: has no counterpart and is not carried over: "crew"',
      'spec.replicatedJobs[0].template.metadata.labels: has no counterpart and is not carried over: {"step":"drive"}',
      'spec.failurePolicy.rules[0].onJobFailureReasons: retries are now those of each shard, so that the reason BackoffLimitExceeded is FailedIndexes or MaxFailedIndexesExceeded',
      'spec.failurePolicy.rules[1].name: rules have no name: one',
      'spec.failurePolicy.rules[1].action: RestartJob restarted only the failed Job; RestartJobSet restarts the whole set',
      'spec.failurePolicy.rules[2]: no rule can depend on the message of a Job, so it is not carried over: {"name":"text"',
      "env[RUN]: reads metadata.labels['jobset.sigs.k8s.io/restart-attempt'], which pods no longer have, so that it is empty",
      'all jobs have one termination, now {"gracePeriod":"1m"}; before, driver had none',
    ],
  },
  {
    title: 'a JobSet with three replicated Jobs that start in order, and one without Jobs',
    objects: `apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: steps, namespace: shop}
spec:
  network: {enableDNSHostnames: false}
  ttlSecondsAfterFinished: 86400
  startupPolicy: {startupPolicyOrder: InOrder}
  replicatedJobs:
    - {name: idle, replicas: 0, template: {spec: {backoffLimit: 3, template: {spec: ${pod('idle')}}}}}
    - {name: load, template: {spec: {backoffLimit: 3, template: {spec: ${pod('load')}}}}}
    - {name: train, template: {spec: {backoffLimit: 3, template: {spec: ${pod('train')}}}}}
    - {name: report, template: {spec: {backoffLimit: 3, template: {spec: ${pod('report')}}}}}
`,
    word: 'jobset/steps',
    spec: {
      replicatedJobs: [
        { name: 'load', template: containersOf('load') },
        { name: 'train', dependsOn: [{ name: 'load', status: 'Ready' }], template: containersOf('train') },
        {
          name: 'report',
          dependsOn: [
            { name: 'load', status: 'Ready' },
            { name: 'train', status: 'Ready' },
          ],
          template: containersOf('report'),
        },
      ],
    },
    comments: ['spec.replicatedJobs[0]: has 0 replicas, so that it is omitted'],
    absentComments: ['is replaced by'],
  },
  {
    title: 'a JobSet whose replicated Jobs share claims',
    objects: `apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: claims, namespace: shop}
spec:
  network: {enableDNSHostnames: false}
  ttlSecondsAfterFinished: 86400
  volumeClaimPolicies:
    - {templates: [{metadata: {name: model}, spec: {accessModes: [ReadWriteMany], resources: {requests: {storage: 1Gi}}}}], retentionPolicy: {whenDeleted: Retain}}
  replicatedJobs:
    - {name: load, template: {spec: {backoffLimit: 1, template: {spec: ${pod('load', ', volumeMounts: [{name: model, mountPath: /model}]')}}}}}
    - {name: train, dependsOn: [{name: load, status: Complete}], template: {spec: {backoffLimit: 1, template: {spec: ${pod('train')}}}}}
`,
    word: 'jobset/claims',
    spec: {
      retries: 1,
      replicatedJobs: [
        {
          name: 'load',
          template: {
            spec: {
              ...containersOf('load', { volumeMounts: [{ name: 'model', mountPath: '/model' }] }).spec,
              volumes: [{ name: 'model', persistentVolumeClaim: { claimName: 'model-claims' } }],
            },
          },
        },
        { name: 'train', dependsOn: [{ name: 'load', status: 'Complete' }], template: containersOf('train') },
      ],
    },
    comments: [
      'the custom resource creates no claims that jobs share; create PersistentVolumeClaim model-claims before, and delete what you do not keep: [{"templates":[{"metadata":{"name":"model"}',
    ],
  },
  {
    title: 'a PyTorchJob whose members are equal',
    objects: `apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: mnist, namespace: shop}
spec:
  nprocPerNode: "2"
  elasticPolicy: {rdzvBackend: c10d, minReplicas: 1, maxReplicas: 3, maxRestarts: 100, metrics: [{type: Resource}]}
  runPolicy:
    backoffLimit: 2
    activeDeadlineSeconds: 7200
    ttlSecondsAfterFinished: 86400
    cleanPodPolicy: Running
    schedulingPolicy: {minAvailable: 2, scheduleTimeoutSeconds: 120, queue: research}
  pytorchReplicaSpecs:
    Worker:
      replicas: 3
      restartPolicy: ExitCode
      template: {spec: ${pod('pytorch', ', ports: [{name: pytorchjob-port, containerPort: 23457}], resources: {limits: {nvidia.com/gpu: 2, memory: 8Gi}}')}}
`,
    word: 'pytorchjob/mnist',
    spec: {
      framework: 'pytorch',
      roles: { worker: { replicas: 3, restartPolicy: 'ExitCode' } },
      port: 23457,
      processesPerNode: 2,
      elastic: { minReplicas: 1, maxReplicas: 3, maxRestarts: 100 },
      retries: 2,
      activeDeadline: '2h',
      gang: { minAvailable: 2, timeout: '2m' },
      accelerators: { count: 2 },
      template: containersOf('pytorch', {
        ports: [{ name: 'pytorchjob-port', containerPort: 23457 }],
        resources: { limits: { memory: '8Gi' } },
      }),
    },
    comments: [
      'spec.elasticPolicy.metrics: has no counterpart and is not carried over: [{"type":"Resource"}]',
      'spec.runPolicy.schedulingPolicy.queue: has no counterpart and is not carried over: "research"',
      '2 failures of all members together failed the job',
      'host names of members change from mnist-worker-0',
    ],
  },
  {
    title: 'a TFJob whose roles differ',
    objects: `apiVersion: kubeflow.org/v1
kind: TFJob
metadata: {name: dist, namespace: shop}
spec:
  successPolicy: AllWorkers
  enableDynamicWorker: true
  tfReplicaSpecs:
    Master: {template: {spec: ${pod('tensorflow', ', args: [--chief]')}}}
    PS: {replicas: 2, restartPolicy: Always, template: {spec: ${pod('tensorflow', ', resources: {limits: {amd.com/gpu: 1}}')}}}
`,
    word: 'tfjob/dist',
    spec: {
      framework: 'tensorflow',
      roles: {
        chief: { restartPolicy: 'Never', template: containersOf('tensorflow', { args: ['--chief'] }) },
        ps: {
          replicas: 2,
          restartPolicy: 'Always',
          template: containersOf('tensorflow', { resources: { limits: { 'amd.com/gpu': 1 } } }),
        },
      },
      successPolicy: 'AllWorkers',
      cleanPodPolicy: 'None',
    },
    comments: ['spec.enableDynamicWorker: has no counterpart and is not carried over: true'],
  },
  {
    title: 'a JAXJob, which succeeds when all members do',
    objects: `apiVersion: kubeflow.org/v1
kind: JAXJob
metadata: {name: spmd, namespace: shop}
spec:
  runPolicy: {cleanPodPolicy: Running, activeDeadlineSeconds: 3600}
  jaxReplicaSpecs:
    Worker:
      replicas: 4
      template: {spec: ${pod('jax', ', ports: [{name: jaxjob-port, containerPort: 6666}], resources: {limits: {nvidia.com/gpu: 8}}')}}
`,
    word: 'jaxjob/spmd',
    spec: {
      framework: 'jax',
      roles: { worker: { replicas: 4, restartPolicy: 'Never' } },
      port: 6666,
      successPolicy: 'AllWorkers',
      activeDeadline: '1h',
      accelerators: { count: 8 },
      template: containersOf('jax', { ports: [{ name: 'jaxjob-port', containerPort: 6666 }] }),
    },
    comments: ['host names of members change from spmd-worker-0'],
  },
];
