import { group } from '../../../../lib/api';
import { objectOf as object, type Goal } from './goal';

const admission = 'admissionregistration.k8s.io/v1';
const policyName = `deployment-order.${group}`;

/** Goals: other admission. */
export const policyGoals: readonly Goal[] = [
  { name: 'delete an admission policy', does: { delete: object(admission, 'ValidatingAdmissionPolicy', policyName) } },
  {
    name: 'delete the binding of an admission policy',
    does: { delete: object(admission, 'ValidatingAdmissionPolicyBinding', policyName) },
  },
  {
    name: 'let an admission policy only warn',
    does: {
      patch: object(admission, 'ValidatingAdmissionPolicyBinding', policyName),
      with: { spec: { validationActions: ['Warn'] } },
    },
  },
  {
    name: 'exempt a namespace from an admission policy',
    does: {
      patch: object(admission, 'ValidatingAdmissionPolicyBinding', policyName),
      with: { spec: { matchResources: { namespaceSelector: { matchLabels: { exempt: 'false' } } } } },
    },
  },
  {
    name: 'empty an admission policy',
    does: {
      patch: object(admission, 'ValidatingAdmissionPolicy', policyName),
      with: { spec: { validations: [{ expression: 'true' }] } },
    },
  },
  {
    name: 'let an admission policy fail open',
    does: {
      patch: object(admission, 'ValidatingAdmissionPolicy', policyName),
      with: { spec: { failurePolicy: 'Ignore' } },
    },
  },
  {
    name: 'stop the workload policy of a kind',
    does: { delete: object(admission, 'ValidatingAdmissionPolicyBinding', `pinterestservices.${group}`) },
  },
  {
    name: 'create a mutating webhook',
    does: { create: object(admission, 'MutatingWebhookConfiguration', 'root', { webhooks: [] }) },
  },
  {
    name: 'create a validating webhook',
    does: { create: object(admission, 'ValidatingWebhookConfiguration', 'root', { webhooks: [] }) },
  },
  {
    name: 'create a mutating policy',
    does: {
      create: object(admission, 'MutatingAdmissionPolicy', 'root', {
        spec: {
          matchConstraints: {
            resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
          },
          reinvocationPolicy: 'Never',
          mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } }],
        },
      }),
    },
  },
];
