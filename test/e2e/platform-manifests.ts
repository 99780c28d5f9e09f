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
    members: [{ kind: 'User', name: 'ada', role: 'view' }],
    quota: { pods: '50', 'requests.cpu': '10' },
    infrastructure: true,
    podSecurity: 'privileged',
    host: { network: true, paths: ['/var/log'] },
    maxContainer: { memory: '8Gi' },
    defaultPool: 'general',
    labels: { division: 'infrastructure' },
  },
};

/** Valid platform manifests with most of their fields set. */
export const platformManifests: readonly ManifestInput[] = [project, defaultPlatform, defaultProfile, ...richCluster];
