/** A native workload and the result of its import. */
export interface ImportCase {
  readonly title: string;
  readonly objects: string;
  readonly word: string;
  readonly more?: readonly string[];
  readonly spec: Readonly<Record<string, unknown>>;
  /** Expected parts of the comments above the manifest. */
  readonly comments: readonly string[];
  /** Texts that the comments do not have. */
  readonly absentComments?: readonly string[];
}

/** The cluster that the cases are imported into. */
export const platformFile = `apiVersion: pinterest.com/v1
kind: Platform
metadata: {name: cluster}
spec:
  cluster: main
  domain: apps.example.com
  tiers: [{name: critical, priority: 1000000}, {name: standard, priority: 1000}]
  defaultTier: standard
  resources: {requests: {cpu: 100m, memory: 128Mi}, limits: {memory: 256Mi}}
  pools:
    - name: general
      accelerators: [nvidia.com/gpu]
    - name: highmem
      nodeSelector: {node.example.com/pool: highmem}
      tolerations: [{key: highmem, operator: Exists, effect: NoSchedule}]
  ingress: {internal: {ingressClassName: internal}, external: {ingressClassName: external}}
---
apiVersion: pinterest.com/v1
kind: Project
metadata: {name: machines}
spec: {team: platform, infrastructure: true, podSecurity: privileged, host: {network: true, paths: [/var/log]}}
`;

const cart = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: cart
  namespace: shop
  labels: {app: cart, division: retail, app.kubernetes.io/managed-by: Helm}
  annotations: {deployment.kubernetes.io/revision: "3"}
  uid: 4b4b
  resourceVersion: "12"
spec:
  replicas: 4
  revisionHistoryLimit: 10
  progressDeadlineSeconds: 600
  minReadySeconds: 15
  strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1, maxUnavailable: 25%}}
  selector: {matchLabels: {app: cart}}
  template:
    metadata:
      creationTimestamp: null
      labels: {app: cart}
      annotations:
        kubectl.kubernetes.io/restartedAt: "2026-01-01T00:00:00Z"
        prometheus.io/scrape: "true"
        prometheus.io/port: "9100"
    spec:
      restartPolicy: Always
      dnsPolicy: ClusterFirst
      schedulerName: default-scheduler
      securityContext: {}
      serviceAccountName: cart
      terminationGracePeriodSeconds: 60
      priorityClassName: critical
      nodeSelector: {node.example.com/pool: highmem, disk: ssd}
      tolerations: [{effect: NoSchedule, key: highmem, operator: Exists}]
      containers:
        - name: app
          image: registry.example.com/cart:1.4.2
          imagePullPolicy: IfNotPresent
          terminationMessagePath: /dev/termination-log
          terminationMessagePolicy: File
          ports: [{name: http, containerPort: 8080, protocol: TCP}]
          resources: {requests: {cpu: 250m, memory: 256Mi}, limits: {memory: 512Mi}}
          readinessProbe:
            httpGet: {path: /healthz, port: http, scheme: HTTP}
            timeoutSeconds: 1
            periodSeconds: 5
            successThreshold: 1
            failureThreshold: 3
status: {replicas: 4}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: cart, namespace: shop, annotations: {eks.amazonaws.com/role-arn: "arn:aws:iam::123456789012:role/cart"}}
---
apiVersion: v1
kind: Service
metadata: {name: cart, namespace: shop}
spec:
  type: ClusterIP
  selector: {app: cart}
  ports: [{name: http, port: 80, targetPort: http, protocol: TCP}]
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: cart-public, namespace: shop}
spec:
  ingressClassName: external
  tls: [{hosts: [cart.example.com], secretName: cart-tls}]
  rules:
    - host: cart.example.com
      http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: cart, port: {name: http}}}}]}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: cart, namespace: shop}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: cart}
  minReplicas: 3
  maxReplicas: 30
  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 65}}}]
  behavior: {scaleDown: {stabilizationWindowSeconds: 600}}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: cart-budget, namespace: shop}
spec: {minAvailable: 2, selector: {matchLabels: {app: cart}}}
`;

const service = {
  adopt: true,
  autoscaling: { minReplicas: 3, maxReplicas: 30, cpu: 65, scaleDown: { stabilization: '10m' } },
  loadBalancer: {
    port: 80,
    targetPort: 'http',
    exposure: 'External',
    hosts: ['cart.example.com'],
    tls: { secretName: 'cart-tls' },
  },
  rollout: { maxSurge: 1, maxUnavailable: '25%', minReady: '15s' },
  disruption: { minAvailable: 2 },
  iamRole: 'arn:aws:iam::123456789012:role/cart',
  apiAccess: true,
  tier: 'critical',
  metrics: { port: 9100 },
  placement: { pool: 'highmem' },
  termination: { gracePeriod: '1m' },
  template: {
    metadata: { labels: { app: 'cart' } },
    spec: {
      nodeSelector: { disk: 'ssd' },
      containers: [
        {
          name: 'app',
          image: 'registry.example.com/cart:1.4.2',
          ports: [{ name: 'http', containerPort: 8080 }],
          resources: { requests: { cpu: '250m', memory: '256Mi' }, limits: { memory: '512Mi' } },
          readinessProbe: { httpGet: { path: '/healthz', port: 'http' }, periodSeconds: 5 },
        },
      ],
    },
  },
};

/** Expected results for each kind. */
export const importCases: readonly ImportCase[] = [
  {
    title: 'a Deployment with all common related objects',
    objects: cart,
    word: 'deployment/cart',
    spec: service,
    comments: [
      "Deployment cart selects its pods by app=cart. Selectors are immutable and the pods lack pinion's labels",
      'kubectl delete deployment/cart -n shop --cascade=orphan',
      "kubectl delete replicaset -n shop -l 'app=cart,!pinterest.com/workload'",
      'PodDisruptionBudget cart-budget: metadata.name: the new one is named cart; delete this one',
      'Ingress cart-public: metadata.name: the new Ingress is named cart',
    ],
  },
  {
    title: 'a Deployment with another name',
    objects: cart,
    word: 'deploy/cart',
    more: ['--name', 'cart-next'],
    spec: Object.fromEntries(Object.entries(service).filter(([field]) => field !== 'adopt')),
    comments: [
      'Nothing is adopted: cart-next starts its own pods alongside Deployment cart',
      'kubectl delete deployment/cart -n shop',
      'HorizontalPodAutoscaler cart: metadata.name: the new one is named cart-next',
    ],
  },
  {
    title: 'a small Deployment without a Service',
    objects: `apiVersion: apps/v1
kind: Deployment
metadata: {name: worker, namespace: shop}
spec:
  replicas: 2
  strategy: {type: Recreate}
  selector: {matchLabels: {app: worker}}
  template:
    metadata: {labels: {app: worker}}
    spec: {automountServiceAccountToken: false, containers: [{name: app, image: 'registry.example.com/worker:1'}]}
`,
    word: 'Deployment/worker',
    spec: {
      adopt: true,
      replicas: 2,
      rollout: { strategy: 'Recreate' },
      template: {
        metadata: { labels: { app: 'worker' } },
        spec: { containers: [{ name: 'app', image: 'registry.example.com/worker:1' }] },
      },
    },
    comments: [],
  },
  {
    title: 'a StatefulSet with volumes',
    objects: `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: cache, namespace: shop}
spec:
  replicas: 3
  serviceName: cache
  podManagementPolicy: Parallel
  revisionHistoryLimit: 10
  updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 1}}
  selector: {matchLabels: {app: cache}}
  volumeClaimTemplates:
    - metadata: {name: data}
      spec: {accessModes: [ReadWriteOnce], storageClassName: fast, resources: {requests: {storage: 20Gi}}}
  template:
    metadata: {labels: {app: cache}}
    spec:
      automountServiceAccountToken: false
      terminationGracePeriodSeconds: 30
      containers:
        - name: app
          image: registry.example.com/cache:7
          ports: [{name: cache, containerPort: 6379}]
          volumeMounts: [{name: data, mountPath: /data}, {name: tmp, mountPath: /tmp}]
      volumes: [{name: tmp, emptyDir: {}}]
---
apiVersion: v1
kind: Service
metadata: {name: cache, namespace: shop}
spec: {clusterIP: None, publishNotReadyAddresses: true, selector: {app: cache}, ports: [{name: cache, port: 6379}]}
`,
    word: 'sts/cache',
    spec: {
      adopt: true,
      replicas: 3,
      volumeClaimTemplates: [{ name: 'data', mountPath: '/data', size: '20Gi', storageClass: 'fast' }],
      podManagementPolicy: 'Parallel',
      update: { partition: 1 },
      membersService: 'cache',
      ports: [{ name: 'cache', port: 6379, protocol: 'TCP' }],
      publishNotReadyAddresses: true,
      termination: { gracePeriod: '30s' },
      template: {
        metadata: { labels: { app: 'cache' } },
        spec: {
          containers: [
            {
              name: 'app',
              image: 'registry.example.com/cache:7',
              ports: [{ name: 'cache', containerPort: 6379 }],
              volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
            },
          ],
          volumes: [{ name: 'tmp', emptyDir: {} }],
        },
      },
    },
    comments: ['It keeps its volumes only under this name'],
  },
  {
    title: 'a CronJob',
    objects: `apiVersion: v1
kind: List
items:
  - apiVersion: batch/v1
    kind: CronJob
    metadata: {name: report, namespace: shop}
    spec:
      schedule: "0 3 * * *"
      concurrencyPolicy: Allow
      startingDeadlineSeconds: 120
      successfulJobsHistoryLimit: 3
      failedJobsHistoryLimit: 1
      jobTemplate:
        spec:
          backoffLimit: 2
          activeDeadlineSeconds: 3600
          ttlSecondsAfterFinished: 86400
          template:
            spec:
              automountServiceAccountToken: false
              restartPolicy: OnFailure
              containers: [{name: app, image: 'registry.example.com/report:1', args: [--all]}]
`,
    word: 'cj/report',
    spec: {
      adopt: true,
      schedule: '0 3 * * *',
      concurrencyPolicy: 'Allow',
      startingDeadline: '2m',
      history: { failed: 1 },
      retries: 2,
      activeDeadline: '1h',
      ttlAfterFinished: '1d',
      template: { spec: { containers: [{ name: 'app', image: 'registry.example.com/report:1', args: ['--all'] }] } },
    },
    comments: [
      'Active runs finish unchanged',
      'was that of the controller manager and is now Etc/UTC',
      'a failed container is now replaced with its pod',
    ],
  },
  {
    title: 'a DaemonSet with host access',
    objects: `apiVersion: apps/v1
kind: DaemonSet
metadata: {name: log-agent, namespace: machines}
spec:
  revisionHistoryLimit: 10
  updateStrategy: {type: RollingUpdate, rollingUpdate: {maxUnavailable: 10%, maxSurge: 0}}
  selector: {matchLabels: {app: log-agent}}
  template:
    metadata: {labels: {app: log-agent}}
    spec:
      automountServiceAccountToken: false
      hostNetwork: true
      priorityClassName: system-node-critical
      tolerations: [{operator: Exists}]
      containers:
        - name: agent
          image: registry.example.com/log-agent:2
          volumeMounts: [{name: logs, mountPath: /host/log, readOnly: true}]
      volumes: [{name: logs, hostPath: {path: /var/log, type: ""}}]
`,
    word: 'daemonsets/log-agent',
    spec: {
      adopt: true,
      critical: true,
      update: { maxUnavailable: '10%' },
      host: { network: true, paths: [{ name: 'logs', path: '/var/log', mountPath: '/host/log' }] },
      template: {
        metadata: { labels: { app: 'log-agent' } },
        spec: { containers: [{ name: 'agent', image: 'registry.example.com/log-agent:2' }] },
      },
    },
    comments: ['then delete the old pods node by node'],
  },
];
