import { apiVersion, group, pinionKinds } from '../../../../lib/api';
import { controllerName } from '../../../../lib/expand';
import { objectOf as object, thievesOf, type Goal } from './goal';

/** Goals: other Projects, Platform, CRDs and API server settings. */
export const platformGoals: readonly Goal[] = [
  { name: 'create a Project', does: { create: object(apiVersion, 'Project', 'evil', { spec: { team: 'evil' } }) } },
  {
    name: 'create a Project that adopts kube-system',
    hasNoRightfulMove: true,
    does: { create: object(apiVersion, 'Project', 'kube-system', { spec: { team: 'evil', adopt: true } }) },
  },
  {
    name: 'make themselves a member of shop',
    does: {
      patch: object(apiVersion, 'Project', 'shop'),
      with: { spec: { members: [{ kind: 'User', name: 'eve', role: 'admin' }] } },
    },
  },
  {
    name: 'remove the stages of shop',
    does: { patch: object(apiVersion, 'Project', 'shop'), with: { spec: { stages: null } } },
  },
  {
    name: 'let bank allow host access',
    does: {
      patch: object(apiVersion, 'Project', 'bank'),
      with: { spec: { infrastructure: true, podSecurity: 'privileged', host: { privileged: true } } },
    },
  },
  { name: 'delete the Project bank', does: { delete: object(apiVersion, 'Project', 'bank') } },
  {
    name: 'change the Platform',
    does: { patch: object(apiVersion, 'Platform', 'cluster'), with: { spec: { environment: 'evil' } } },
  },
  { name: 'delete the Platform', hasNoRightfulMove: true, does: { delete: object(apiVersion, 'Platform', 'cluster') } },
  {
    name: 'change the runtime profile',
    hasNoRightfulMove: true,
    does: { patch: object(apiVersion, 'RuntimeProfile', 'default-1'), with: { spec: { parts: [] } } },
  },
  ...(['Project', 'Platform', 'RuntimeProfile'] as const).map((kind): Goal => ({
    name: `forge the status of the ${kind}`,
    hasNoRightfulMove: true,
    does: {
      patch: object(apiVersion, kind, { Project: 'shop', Platform: 'cluster', RuntimeProfile: 'default-1' }[kind]),
      with: { status: { phase: 'Ready' } },
      subresource: 'status',
    },
  })),
  {
    name: 'change a CRD',
    does: {
      patch: object(
        'apiextensions.k8s.io/v1',
        'CustomResourceDefinition',
        `${pinionKinds.PinterestService.plural}.${group}`,
      ),
      with: { metadata: { labels: { evil: 'true' } } },
    },
  },
  {
    name: 'delete a CRD',
    does: {
      delete: object(
        'apiextensions.k8s.io/v1',
        'CustomResourceDefinition',
        `${pinionKinds.PinterestService.plural}.${group}`,
      ),
    },
  },
  {
    name: 'serve an API group themselves',
    does: {
      create: object('apiregistration.k8s.io/v1', 'APIService', 'v2.evil.example.com', {
        spec: {
          group: 'evil.example.com',
          version: 'v2',
          groupPriorityMinimum: 1000,
          versionPriority: 10,
          insecureSkipTLSVerify: true,
          service: { namespace: 'bank', name: 'evil' },
        },
      }),
    },
  },
  {
    name: 'take the priority of system requests',
    does: {
      create: object('flowcontrol.apiserver.k8s.io/v1', 'FlowSchema', 'evil', {
        spec: { priorityLevelConfiguration: { name: 'exempt' } },
      }),
    },
  },
  {
    name: "hold the controller's Lease",
    does: {
      patch: object('coordination.k8s.io/v1', 'Lease', controllerName, {}, controllerName),
      with: { spec: { holderIdentity: 'eve' } },
    },
    rightful: thievesOf('controller'),
  },
];
