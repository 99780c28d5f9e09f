import { loadAll } from 'js-yaml';
import { controlPlaneFiles, type ControlPlaneSpec } from '../../../../stacks/plan/bootstrap';
import { withMutatingPolicies } from '../../../../stacks/plan/bootstrap/control-plane/mutating-policies';
import { controlPlane, firstControlPlaneNode } from './example-cluster';

const [gate, api] = ['MutatingAdmissionPolicy=true', 'admissionregistration.k8s.io/v1beta1=true'];

test('an API server of 1.35 serves mutating admission policies', () => {
  expect(withMutatingPolicies('1.35.4', { 'goaway-chance': '0' })).toEqual({
    'goaway-chance': '0',
    'feature-gates': gate,
    'runtime-config': api,
  });
});

test('gates and APIs of the plan are kept, and those that it turns off stay off', () => {
  const planned = { 'feature-gates': 'GenericWorkload=true', 'runtime-config': 'api/alpha=false,batch/v2' };
  expect(withMutatingPolicies('1.35.4', planned)).toEqual({
    'feature-gates': `GenericWorkload=true,${gate}`,
    'runtime-config': `api/alpha=false,batch/v2,${api}`,
  });
  const off = {
    'feature-gates': 'MutatingAdmissionPolicy=false',
    'runtime-config': 'admissionregistration.k8s.io/v1beta1=false',
  };
  expect(withMutatingPolicies('1.35.4', off)).toEqual(off);
});

test('an API server of 1.36 serves them without a flag', () => {
  expect(withMutatingPolicies('1.36.3', {})).toEqual({});
});

test('kubeadm gives the flags to the API server of 1.35 only', () => {
  const namesOf = (kubernetesVersion: ControlPlaneSpec['cluster']['kubernetesVersion']): string[] => {
    const spec = { ...controlPlane, cluster: { ...controlPlane.cluster, kubernetesVersion } };
    const file = controlPlaneFiles(spec, firstControlPlaneNode).find(({ path }) => path === '/etc/pinion/kubeadm.yaml');
    const documents = loadAll(file?.content ?? '') as {
      readonly apiServer?: { readonly extraArgs: readonly { readonly name: string }[] };
    }[];
    return documents.flatMap(({ apiServer }) => (apiServer?.extraArgs ?? []).map(({ name }) => name));
  };
  expect(namesOf('1.35.6')).toEqual(expect.arrayContaining(['feature-gates', 'runtime-config']));
  expect(namesOf('1.36.3').filter((name) => ['feature-gates', 'runtime-config'].includes(name))).toEqual([]);
});
