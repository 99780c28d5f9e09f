import { type ControlPlane } from '../../test/control-plane/control-plane';
import { inParallel } from '../controller/in-parallel';

const nodes = 250;

/** Returns a pod of about 4.6 KB, as pods with sidecars are. */
const podOf = (index: number): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: `pod-${index}`,
    namespace: 'default',
    labels: { app: `app-${index % 50}`, tier: index % 2 === 0 ? 'front' : 'back' },
  },
  spec: {
    nodeName: `node-${index % nodes}`,
    containers: ['app', 'proxy', 'logs', 'metrics'].map((name) => ({
      name,
      image: `registry.example.com/platform/${name}:1.2.3`,
      args: Array.from({ length: 4 }, (_, argument) => `--option-${argument}=value-${argument}-of-${name}`),
      env: Array.from({ length: 6 }, (_, variable) => ({ name: `VARIABLE_${variable}`, value: `value ${variable}` })),
      resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
    })),
  },
});

/** Creates pods with the numbers from `first` on. */
export async function createPods({ client }: ControlPlane, first: number, count: number): Promise<void> {
  await client.apply({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: 'default' } });
  const indexes = Array.from({ length: count }, (_, index) => first + index);
  await inParallel('pods', indexes, 16, async (index) => {
    const { status, body } = await client.request('POST', '/api/v1/namespaces/default/pods', podOf(index));
    if (status !== 201) throw new Error(JSON.stringify(body));
  });
}

/** Allows the service account `reader` to read pods. */
export async function grantReads({ client }: ControlPlane): Promise<void> {
  const [apiGroup, metadata] = ['rbac.authorization.k8s.io', { name: 'reader' }];
  const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch'] }];
  const subjects = [{ kind: 'ServiceAccount', name: 'reader', namespace: 'default' }];
  const roleRef = { apiGroup, kind: 'ClusterRole', name: 'reader' };
  await client.apply({ apiVersion: `${apiGroup}/v1`, kind: 'ClusterRole', metadata, rules } as never);
  await client.apply({
    apiVersion: `${apiGroup}/v1`,
    kind: 'ClusterRoleBinding',
    metadata,
    roleRef,
    subjects,
  } as never);
}
