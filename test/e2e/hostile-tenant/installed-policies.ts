import { apiVersion, metadataKeys } from '../../../lib/api';
import { controllerName } from '../../../lib/expand';
import { type SendableObject } from '../../control-plane/client';
import { smallTemplate } from '../pinion-suite';
import { thiefOf } from './actors';
import { allowed, type AttackTable, refusedBy } from './attack';
import { objectOf } from './goals/goal';
import { cart } from './members';
import { restrictedPod } from './restricted-pod';
import { own } from './stolen-controller-attacks';

const administrator = 'platform administrator' as const;
const pinned = `registry.example.com/app@sha256:${'a'.repeat(64)}`;
const tagged = 'registry.example.com/app:1.0.0';
/** Workload of `shop` as its deployer writes it. */
const deployed = (stage: string, image: string): SendableObject => {
  const { spec } = smallTemplate();
  const containers = spec.containers.map((container) => ({ ...container, image }));
  return {
    apiVersion,
    kind: 'PinterestService',
    metadata: { name: 'deployed', namespace: 'shop', labels: { [metadataKeys.stage]: stage } },
    spec: { template: { spec: { ...spec, containers } } },
  } as SendableObject;
};
/** The same with a variant that overrides the image. */
const withVariant = (image: string): SendableObject => {
  const { spec, ...rest } = deployed('production', pinned) as SendableObject & { readonly spec: object };
  return { ...rest, spec: { ...spec, variants: [{ name: 'v1' }, { name: 'v2', image }] } } as SendableObject;
};
const sequence = (value: string) => ({ metadata: { annotations: { [metadataKeys.deploymentSequence]: value } } });
const revision = (labels: object): SendableObject => {
  const { metadata, ...rest } = own('apps/v1', 'ControllerRevision', 'forged', 'shop', { revision: 9, data: {} });
  const { labels: managed = {} } = metadata as { readonly labels?: object };
  return { ...rest, metadata: { ...metadata, labels: { ...managed, ...labels } } } as SendableObject;
};
const configMap = (labels: object): SendableObject =>
  ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'settings', namespace: 'shop', labels },
  }) as SendableObject;
const pod = (serviceAccountName?: string): SendableObject =>
  objectOf(
    'v1',
    'Pod',
    'runner',
    { spec: { ...restrictedPod(), ...(serviceAccountName && { serviceAccountName }) } },
    'plain',
  );

/** For each policy that no other area needs: a request that RBAC and all other policies accept, and the rightful one beside it. */
export const installedPolicyAttacks: AttackTable = {
  title: 'policies of the installation',
  attacks: [
    {
      name: 'delete a Project with workloads',
      as: administrator,
      does: { delete: objectOf(apiVersion, 'Project', 'plain') },
      expects: refusedBy('in-use.pinterest.com', /still has \d+ workloads/),
    },
    {
      name: 'delete a Project without workloads',
      as: administrator,
      does: { delete: objectOf(apiVersion, 'Project', 'bank') },
      expects: allowed,
    },
    {
      name: 'delete the namespace of a Project with workloads',
      as: administrator,
      does: { delete: objectOf('v1', 'Namespace', 'plain') },
      expects: refusedBy('project-namespace.pinterest.com', /still has \d+ workloads/),
    },
    {
      name: 'delete the profile that the Platform uses',
      as: administrator,
      does: { delete: objectOf(apiVersion, 'RuntimeProfile', 'default-1') },
      expects: refusedBy('policy', /the Platform uses this RuntimeProfile|still has/),
    },
    {
      name: 'deploy again what a later deployment replaced',
      as: 'deployer of plain',
      does: { patch: cart('plain'), with: sequence('3') },
      expects: refusedBy('deployment-order.pinterest.com'),
    },
    {
      name: 'deploy what replaces an earlier deployment',
      as: 'deployer of plain',
      does: { patch: cart('plain'), with: sequence('8') },
      expects: allowed,
    },
    {
      name: 'deploy to shop in a stage that does not own the cluster',
      as: 'deployer of shop',
      does: { create: deployed('staging', pinned) },
      expects: refusedBy('stage-ownership.pinterest.com'),
    },
    {
      name: 'deploy an image without a digest to shop',
      as: 'deployer of shop',
      does: { create: deployed('production', tagged) },
      expects: refusedBy('image-digests.pinterest.com'),
    },
    {
      name: 'deploy a variant whose image has no digest to shop',
      as: 'deployer of shop',
      does: { create: withVariant(tagged) },
      expects: refusedBy('image-digests.pinterest.com'),
    },
    {
      name: 'deploy a variant whose image has a digest to shop',
      as: 'deployer of shop',
      does: { create: withVariant(pinned) },
      expects: allowed,
    },
    {
      name: 'deploy an image with a digest to shop in the stage that owns the cluster',
      as: 'deployer of shop',
      does: { create: deployed('production', pinned) },
      expects: allowed,
    },
    {
      name: 'adopt the namespace of the controller by a Project',
      as: administrator,
      does: { create: objectOf(apiVersion, 'Project', controllerName, { spec: { team: 'evil', adopt: true } }) },
      expects: refusedBy('project-names.pinterest.com'),
    },
    // The controller itself replaces the status; guarded-writes.test.ts shows that it may.
    {
      name: 'report that a workload is ready',
      as: administrator,
      does: { patch: cart('plain'), with: { status: { observedGeneration: 9 } }, subresource: 'status' },
      expects: refusedBy('status-writes.pinterest.com'),
    },
    {
      name: 'write a ConfigMap of a workload of shop',
      as: 'edit',
      does: { create: configMap({ 'app.kubernetes.io/managed-by': 'pinion' }) },
      expects: refusedBy('protected-configuration.pinterest.com'),
    },
    { name: 'write an own ConfigMap in shop', as: 'edit', does: { create: configMap({}) }, expects: allowed },
    {
      name: 'run a pod with the account of deployments',
      as: 'edit',
      does: { create: pod('deployer') },
      expects: refusedBy('deployer-account.pinterest.com'),
    },
    { name: 'run a pod with another account', as: 'edit', does: { create: pod() }, expects: allowed },
    {
      name: 'forge the record of a verified workload',
      as: administrator,
      does: { create: revision({ [metadataKeys.verified]: 'any' }) },
      expects: refusedBy('verified-records.pinterest.com'),
    },
    {
      name: 'write a ControllerRevision that is no record, as the controller',
      as: thiefOf('controller'),
      does: { create: revision({}) },
      expects: refusedBy('controller-revisions.pinterest.com'),
    },
    {
      name: 'record a verified workload, as the controller',
      as: thiefOf('controller'),
      does: { create: revision({ [metadataKeys.verified]: 'any' }) },
      expects: allowed,
    },
  ],
};
