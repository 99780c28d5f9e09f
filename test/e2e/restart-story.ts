import { generateKeyPairSync } from 'node:crypto';
import { apiVersion, metadataKeys } from '../../lib/api';
import { publicKeyText } from '../../lib/artifact';
import { defaultProfile, installManifests } from '../../lib/expand';
import { keyPair, publisher, signedWith } from '../artifact/artifact-fixture';
import { expectStatus } from '../control-plane/api-response';
import { type SendableObject } from '../control-plane/client';
import { type RestartStep } from './controller-restarts';
import { type ImageWatch } from './image-watch';
import { type PinionCluster } from './pinion-suite';
import {
  annotated,
  artifactOf,
  type Changes,
  deployed,
  emergency,
  evil,
  imageOf,
  inSeconds,
  kind,
  members,
  platform,
  platformWith,
  project as name,
  type Sent,
  stages,
  trusted,
  type verifiedProject,
  withImage,
} from './verified-project';

/** Binding of the policy that a step removes, with the labels of the installation. */
const digests = installManifests({
  image: 'registry.example.com/pinion/controller:0.2.0',
  documents: [platform, defaultProfile],
  singleController: true,
}).find(
  ({ kind, metadata }) => kind.endsWith('Binding') && metadata.name === 'image-digests.pinterest.com',
) as SendableObject;

/** What the steps act on. */
export interface RestartScene {
  readonly pinion: PinionCluster;
  readonly project: ReturnType<typeof verifiedProject>;
  readonly watch: ImageWatch;
  /** Returns the next sequence number of a deployment. */
  readonly nextSequence: () => number;
}

/** Images by the step that makes them run, so that each is seen only if its proof was accepted. */
const [v1, v2, v3, v4, v5, v6, v7] = ['11.0.0', '12.0.0', '13.0.0', '14.0.0', '15.0.0', '16.0.0', '17.0.0'] as const;
const urgent = imageOf('18.0.0');

/** Deployments of `cart`, and what an attacker writes in between. */
export class RestartStory {
  #sequence = 0;
  #isRotated = false;
  readonly #newCi = keyPair();
  readonly #newKey = generateKeyPairSync('ed25519').privateKey;

  constructor(private readonly scene: RestartScene) {}

  /** A proven update, forged specs, and a rollback. */
  get deployments(): readonly RestartStep[] {
    const { send } = this.scene.project;
    const latest = (change: (sent: Sent) => Sent) => () => send(change(this.#latest(v2)));
    return [
      { name: 'update', act: () => this.#deploy(v2), state: 'Verified', image: imageOf(v2) },
      { name: 'edited spec', act: latest((sent) => withImage(sent, evil)), state: 'OtherWorkload', image: imageOf(v2) },
      {
        name: 'rollback',
        act: () => this.#deploy(v1, { intent: 'rollback' }),
        state: 'Verified',
        image: imageOf(v1),
      },
    ];
  }

  /** A first deployment, then everything that changes a workload, its proof, or what is trusted. */
  get all(): readonly RestartStep[] {
    const first = { name: 'first deployment', act: () => this.#deploy(v1), state: 'Verified', image: imageOf(v1) };
    return [first, ...this.deployments, ...this.#operations, ...this.#forgeries, ...this.#trust, ...this.#emergency];
  }

  get #operations(): readonly RestartStep[] {
    const path = `/apis/${apiVersion}/namespaces/${name}/pinterestservices/cart`;
    const patch = async (suffix: string, body: object): Promise<void> =>
      void expectStatus(
        await this.scene.pinion.cluster
          .as('oscar')
          .request('PATCH', `${path}${suffix}`, body, { contentType: 'application/merge-patch+json' }),
        [200],
      );
    const annotations = { [metadataKeys.restart]: '2026-11-23T12:00:00Z' };
    const unchanged = { state: 'Verified', image: imageOf(v1) };
    return [
      { name: 'scaling', act: () => patch('/scale', { spec: { replicas: 3 } }), ...unchanged },
      { name: 'restart', act: () => patch('', { metadata: { annotations } }), ...unchanged },
    ];
  }

  get #forgeries(): readonly RestartStep[] {
    const { project, pinion } = this.scene;
    const image = imageOf(v1);
    const forged = { [metadataKeys.artifact]: 'shop/web@9.9.9' };
    const copy = (sent: Sent): Sent => ({ ...sent, metadata: { ...sent.metadata, name: 'till' } });
    const send = (change: (sent: Sent) => Sent) => () => project.send(change(this.#latest(v1, { intent: 'rollback' })));
    const till = { apiVersion, kind, metadata: { name: 'till', namespace: name } };
    return [
      {
        name: 'forged spec',
        act: send((sent) => annotated(withImage(sent, evil), forged)),
        state: 'OtherWorkload',
        image,
      },
      {
        name: 'spec without a proof',
        act: send((sent) => annotated(withImage(sent, evil), { [metadataKeys.proof]: undefined })),
        state: 'ProofMissing',
        image,
      },
      { name: 'proven spec again', act: send((sent) => sent), state: 'Verified', image },
      { name: 'copied proof', act: send(copy), state: 'OtherWorkload', image, workload: 'till' },
      {
        name: 'removed copy',
        act: async () => void expectStatus(await pinion.cluster.client.delete(till), [200]),
        state: 'Verified',
        image,
      },
      { name: 'replay', act: () => this.#replay(), state: 'Superseded', image },
    ];
  }

  get #trust(): readonly RestartStep[] {
    const { pinion } = this.scene;
    const [former, next] = [trusted, publisher({ keys: [publicKeyText(this.#newCi)] })];
    const trust = (publishers: readonly ReturnType<typeof publisher>[]) => () =>
      pinion.project(name, { members, stages: stages([...publishers]) }).then(() => undefined);
    const newKey = publicKeyText(this.#newKey);
    const keys = async (texts: readonly string[]) => void (await pinion.apply(platformWith(texts)));
    const ofBoth = async (): Promise<void> => {
      await keys([...(platform.spec.deploymentKeys ?? []), newKey]);
      await trust([former, next])();
    };
    const { client } = pinion.cluster;
    const steps: readonly (readonly [string, () => Promise<void>, string, string])[] = [
      ['deployment after a replay', () => this.#deploy(v3), 'Verified', v3],
      ['new keys', ofBoth, 'Verified', v3],
      ['deployment with new keys', () => ((this.#isRotated = true), this.#deploy(v4)), 'Verified', v4],
      ['former keys removed', async () => (await keys([newKey]), trust([next])()), 'Verified', v4],
      ['lost trust', trust([publisher({ keys: [publicKeyText(keyPair())] })]), 'Verified', v4],
      ['deployment without trust', () => this.#deploy(v5, {}, false), 'UntrustedPublisher', v4],
      ['trust again', async () => (this.#permit(v5), trust([former, next])()), 'Verified', v5],
      ['Project changed during a deployment', () => this.#changedProject([former, next]), 'Verified', v6],
      ['policy removed', async () => void expectStatus(await client.delete(digests), [200]), 'Verified', v6],
      // The controller that started after the step before knows it.
      ['deployment without a policy', () => this.#deploy(v7, {}, false), 'PoliciesChanged', v6],
      [
        'policy again',
        async () => (this.#permit(v7), void expectStatus(await client.apply(digests), [201])),
        'Verified',
        v7,
      ],
    ];
    return steps.map(([title, act, state, version]) => ({ name: title, act, state, image: imageOf(version) }));
  }

  get #emergency(): readonly RestartStep[] {
    const { pinion, project, nextSequence, watch } = this.scene;
    return [
      {
        name: 'break-glass change',
        act: async () => {
          watch.permit(urgent);
          const sent = emergency(withImage(this.#latest(v7), urgent), inSeconds(3600));
          expectStatus(await pinion.cluster.as('rita').apply(sent), [200]);
        },
        state: 'BreakGlass',
        image: urgent,
      },
      {
        name: 'end of break-glass',
        act: () => project.deployByService(this.#signed(v7, (this.#sequence = nextSequence()))),
        state: 'Verified',
        image: imageOf(v7),
      },
    ];
  }

  #permit(version: string): void {
    this.scene.watch.permit(imageOf(version));
  }

  /** Returns a version as CI and the submission service sign it now. */
  #signed(version: string, sequence: number, changes: Changes = {}): Sent {
    const from = artifactOf(version, ...(this.#isRotated ? [this.#newKey] : []));
    const envelope = this.#isRotated ? { envelope: signedWith(this.#newCi, from.prepared) } : {};
    return deployed(from, sequence, { ...envelope, ...changes });
  }

  /** Returns a version with the sequence number of the last deployment. */
  #latest(version: string, changes: Changes = {}): Sent {
    return this.#signed(version, this.#sequence, changes);
  }

  /** Deploys a version; `isPermitted` is whether its proof will be accepted. */
  async #deploy(version: string, changes: Changes = {}, isPermitted = true): Promise<void> {
    if (isPermitted) this.#permit(version);
    this.#sequence = this.scene.nextSequence();
    await this.scene.project.send(this.#signed(version, this.#sequence, changes));
  }

  /** Admission rejects a decreasing sequence number, but not its removal. */
  async #replay(): Promise<void> {
    const { send } = this.scene.project;
    const former = this.#signed(v2, this.#sequence - 1);
    await send(annotated(former, { [metadataKeys.deploymentSequence]: undefined }));
    await send(former);
  }

  /** Deploys while the Project gets another protected stage and another member. */
  async #changedProject(publishers: readonly ReturnType<typeof publisher>[]): Promise<void> {
    const canary = { name: 'canary', clusters: ['prod-2'], publishers: [trusted] };
    await Promise.all([
      this.#deploy(v6),
      this.scene.pinion.project(name, {
        members: [...members, { kind: 'Group', name: 'auditors', role: 'view' }],
        stages: [...stages([...publishers]), canary],
      }),
    ]);
  }
}
