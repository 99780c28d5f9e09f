import { apiVersion, type ManifestInput } from '../../lib/api';
import { defaultPlatform, defaultProfile } from '../../lib/expand';
import { richCluster } from './platform-rule-cases';

/** Project with every field set. */
const project: ManifestInput<'Project'> = {
  apiVersion,
  kind: 'Project',
  metadata: { name: 'machines' },
  spec: {
    team: 'platform',
    costCenter: 'cc-7',
    links: { runbook: 'https://wiki.example.com/machines' },
    onCall: '#platform-oncall',
    businessHours: { timeZone: 'Europe/Berlin', days: ['Mon', 'Tue'], from: '08:00', to: '16:00' },
    members: [
      { kind: 'User', name: 'ada', role: 'view' },
      { name: 'release', role: 'edit' },
    ],
    stages: [
      { name: 'staging', clusters: ['test-1'] },
      {
        name: 'production',
        clusters: ['prod-1', 'prod-2'],
        deployers: ['release'],
        publishers: [
          {
            issuer: 'https://token.actions.githubusercontent.com',
            repository: 'commerce/shop',
            ref: 'refs/heads/main',
            claims: {
              repository_id: '4711',
              repository_owner_id: '815',
              workflow_ref: 'commerce/shop/.github/workflows/deploy.yaml@refs/heads/main',
            },
          },
        ],
        breakGlass: ['oncall'],
        promotion: { from: 'staging', soak: '1h', approvals: 2, approvers: ['leads'] },
      },
    ],
    quota: { pods: '50', 'requests.cpu': '10' },
    infrastructure: true,
    podSecurity: 'privileged',
    host: { network: true, paths: ['/var/log'] },
    maxContainer: { memory: '8Gi' },
    hosts: ['www.example.com', '*.cdn.example.com'],
    defaultPool: 'general',
    labels: { division: 'infrastructure' },
  },
};

/** Valid platform manifests with most of their fields set. */
export const platformManifests: readonly ManifestInput[] = [project, defaultPlatform, defaultProfile, ...richCluster];
