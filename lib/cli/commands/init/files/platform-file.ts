import { writeYaml } from '../../../../yaml';
import { type ProjectChoices } from '../project-choices';

const platformText = `# The cluster. The platform team maintains it: replace it by "npx --no-install pinion platform pull".
apiVersion: pinterest.com/v1
kind: Platform
metadata: { name: cluster }
spec:
  cluster: main
  environment: dev
  kubernetesVersion: '1.36' # or '1.35'; in quotes, because YAML reads 1.36 as a number
  domain: apps.example.com
  tiers:
    - { name: standard, priority: 100000 } # becomes a PriorityClass
  defaultTier: standard
  resources: # for containers that set none
    requests: { cpu: 100m, memory: 128Mi }
    limits: { memory: 256Mi }
  ingress:
    internal: { ingressClassName: nginx }
  defaultQuota: { pods: '200', requests.cpu: '100', requests.memory: 400Gi }
  rollouts: {} # changes of the Platform reach workloads in waves
---
# The project: its namespace, owners, access and quota.
apiVersion: pinterest.com/v1
kind: Project
`;

/** Returns `pinion.platform.yaml`: a Platform for a test cluster, and the Project. */
export const platformFile = ({ project, starter }: ProjectChoices): string =>
  platformText + writeYaml({ metadata: { name: project }, spec: { team: project, ...starter.project } });
