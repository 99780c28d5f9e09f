import { apiVersion, metadataKeys, type Status } from '../../../lib/api';
import { type SendableObject } from '../../control-plane/client';
import { thiefOf } from './actors';
import { allowed, type Attack, type AttackContext, type AttackTable, harmless, refusedBy } from './attack';
import { objectOf } from './goals/goal';
import { cart } from './members';
import { restrictedPod } from './restricted-pod';
import { outcomeOf } from './run-attacks';
import { deployment, own } from './stolen-controller-attacks';

/** A record that names a PlatformRevision that does not exist, at which no workload can be expanded. */
const forged = { annotations: { [metadataKeys.expansion]: 'inputs/templates/rev-forged' } };
const annotated = ({ metadata, ...rest }: SendableObject): SendableObject => ({
  ...rest,
  metadata: { ...metadata, ...forged },
});
const policy = refusedBy('expansion-records.pinterest.com', /only pinion's controller writes/);
const cartDeployment = objectOf('apps/v1', 'Deployment', 'cart', {}, 'plain');

interface Live {
  readonly metadata: { readonly uid: string };
  readonly status?: Partial<Status<'PinterestService'>>;
}
const liveCart = async ({ scene }: Pick<AttackContext, 'scene'>, project: string): Promise<Live> =>
  (await scene.cluster.client.get(cart(project))).body as unknown as Live;

const configMap = (project: string): SendableObject =>
  ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'revision', namespace: project },
  }) as SendableObject;

/** A ConfigMap that names the workload as its owner: the controller reads it among the objects of the workload. */
const byConfigMap = (project: string): Attack => ({
  name: `choose the revision of a workload of ${project} by an own ConfigMap`,
  as: 'edit',
  async does(context) {
    const { uid } = (await liveCart(context, project)).metadata;
    const ownerReferences = [{ apiVersion, kind: 'PinterestService', name: 'cart', uid, controller: true }];
    const { metadata, ...rest } = annotated(configMap(project));
    const object = { ...rest, metadata: { ...metadata, ownerReferences } } as SendableObject;
    const { discovery } = context.scene.cluster.client;
    return outcomeOf(await context.client.request('POST', await discovery.collectionPath(object), object));
  },
  expects: harmless(async (context) => {
    const { scene } = context;
    const { client } = scene.cluster;
    const before = (await liveCart(context, project)).status?.platformRevision?.name;
    // It lists the ConfigMap in the status of its owner, or deletes it as an object that the workload does not have.
    const after = await client.waitFor('the controller to have read the ConfigMap', async () => {
      const { status } = await liveCart(context, project);
      const isListed = status?.children?.['ConfigMap/revision'] !== undefined;
      return isListed || (await client.get(configMap(project))).status === 404 ? status : undefined;
    });
    await client.delete(configMap(project));
    if (before === undefined) throw new Error('the workload follows no revision');
    const { name, applied } = after.platformRevision ?? {};
    if (after.phase === 'Invalid' || name !== before || applied?.includes('rev-forged'))
      throw new Error(`the record decided: ${JSON.stringify(after)}`);
  }),
});

/** Records of expansions, by which a member would choose the PlatformRevision that a workload is expanded at. */
export const expansionRecords: AttackTable = {
  title: 'records of expansions',
  attacks: [
    // Of a protected project, the controller expands only verified workloads, of which the scene has none.
    byConfigMap('plain'),
    ...(['edit', 'admin'] as const).flatMap((as): readonly Attack[] => [
      {
        name: `${as}: change the record of a Deployment of plain`,
        as,
        does: { patch: cartDeployment, with: { metadata: forged } },
        expects: policy,
      },
      {
        name: `${as}: remove the record of a Deployment of plain`,
        as,
        does: { patch: cartDeployment, with: { metadata: { annotations: { [metadataKeys.expansion]: null } } } },
        expects: policy,
      },
      {
        name: `${as}: create a Deployment with a record in plain`,
        as,
        does: { create: annotated(deployment('plain')) },
        expects: policy,
      },
      {
        name: `${as}: create a Job with a record in plain`,
        as,
        does: {
          create: annotated(
            own('batch/v1', 'Job', 'forged', 'plain', {
              spec: { template: { spec: { ...restrictedPod(), restartPolicy: 'Never' } } },
            }),
          ),
        },
        expects: policy,
      },
    ]),
    {
      name: 'edit: annotate a Deployment of plain beside its record',
      as: 'edit',
      does: { patch: cartDeployment, with: { metadata: { annotations: { 'mesh.example.com/revision': '7' } } } },
      expects: allowed,
    },
    {
      name: 'the controller records an expansion',
      as: thiefOf('controller'),
      does: { patch: cartDeployment, with: { metadata: forged } },
      expects: allowed,
    },
  ],
};
