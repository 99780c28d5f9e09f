import { type KeyObject } from 'node:crypto';
import { isProtectedStage, metadataKeys, type PlatformManifest, type Problem } from '../../api';
import {
  partDigest,
  proofText,
  publicKeyText,
  signAuthorization,
  stageRule,
  workloadPart,
  type ArtifactResource,
  type ArtifactStage,
  type Authorization,
  type SignedArtifact,
  type StoredSignature,
} from '../../artifact';
import { type DeploymentTarget } from '../targets/deployment-target';
import { type ArtifactCache } from './artifact-cache';
import { type Mark } from './mark';

/** Dependencies of the authorizer. */
export interface AuthorizerOptions {
  readonly artifacts: ArtifactCache;
  /** Private key of the service. @default - none; workloads are not authorized */
  readonly deploymentKey?: KeyObject | undefined;
}

/** Adds proofs and authorizations to the workloads of protected stages, with which controllers verify them. */
export class WorkloadAuthorizer {
  constructor(private readonly options: AuthorizerOptions) {}

  /** Returns a stage whose workloads carry their proof and their authorization for a target; unprotected stages as they are. */
  async authorize(target: DeploymentTarget, project: string, stage: ArtifactStage, mark: Mark): Promise<ArtifactStage> {
    const { artifacts, deploymentKey } = this.options;
    const document = target.project(project);
    if (!deploymentKey || !document?.spec.stages?.some((one) => one.name === mark.stage && isProtectedStage(one)))
      return stage;
    const artifact = await artifacts.get(mark.digest);
    const signature = await this.signatureFor(artifact, document, mark);
    const resources = stage.resources.map((resource) =>
      withAnnotations(resource, {
        [metadataKeys.proof]: proofText(artifact.content, mark.stage, resource, signature),
        [metadataKeys.authorization]: signAuthorization(
          authorizationFor(resource, { cluster: target.name, project, mark }),
          deploymentKey,
        ),
      }),
    );
    return { ...stage, resources };
  }

  /** Returns the signature of a publisher of the stage; otherwise the newest one, so that the controller says what is wrong with it. */
  private async signatureFor(
    artifact: SignedArtifact,
    project: PlatformManifest<'Project'>,
    { stage }: Mark,
  ): Promise<StoredSignature | undefined> {
    const { rule } = stageRule(project, stage);
    if (!rule || rule.publishers.length === 0) return undefined;
    const acceptance = await this.options.artifacts.acceptance(artifact, rule);
    return acceptance.accepted ? acceptance.signature : artifact.signatures.at(-1);
  }
}

const authorizationFor = (
  resource: ArtifactResource,
  { cluster, project, mark }: { readonly cluster: string; readonly project: string; readonly mark: Mark },
): Authorization => ({
  cluster,
  project,
  stage: mark.stage,
  kind: resource.kind,
  name: resource.metadata.name,
  part: partDigest(workloadPart(resource)),
  artifact: mark.artifact,
  digest: mark.digest,
  sequence: mark.sequence,
  intent: mark.intent,
});

function withAnnotations(resource: ArtifactResource, added: Readonly<Record<string, string>>): ArtifactResource {
  const { annotations } = resource.metadata as { readonly annotations?: Readonly<Record<string, string>> };
  return { ...resource, metadata: { ...resource.metadata, annotations: { ...annotations, ...added } } };
}

/** Reports a cluster whose controller would refuse the workloads of a protected stage, because it does not trust the key of the service. */
export function deploymentKeyProblems(
  target: DeploymentTarget,
  project: PlatformManifest<'Project'>,
  stage: string,
  deploymentKey: KeyObject | undefined,
): Problem[] {
  if (!project.spec.stages?.some((one) => one.name === stage && isProtectedStage(one))) return [];
  const found = target.snapshotOf(project.metadata.name);
  if (!('snapshot' in found)) return [];
  const keys = found.snapshot.platform.spec.deploymentKeys;
  if (deploymentKey && keys.includes(publicKeyText(deploymentKey))) return [];
  return [
    {
      code: 'not-available',
      object: `Platform on ${target.name}`,
      path: ['spec', 'deploymentKeys'],
      reason: deploymentKey
        ? 'does not list the public key of the submission service, so that its controller would refuse the workloads'
        : 'must list the public key of the submission service, which has no key',
      remedy: deploymentKey
        ? 'ask the platform team to add the public key of the service'
        : 'ask the platform team to set deploymentKeyFile in the settings of the service',
    },
  ];
}
