import { isProtectedStage, type PlatformManifest, type Problem } from '../../api';
import {
  stageClusterProblems,
  stageRule,
  type Acceptance,
  type ArtifactStage,
  type SignedArtifact,
} from '../../artifact';
import { type Caller, type Deployment, type DeployRequest } from '../../contract';
import { ProblemResponse } from '../problem-response';
import { authorizeOnAll, requireRole } from '../authorization';
import { type DeploymentTarget } from '../targets/deployment-target';
import { deploymentKeyProblems, type AuthorizerOptions } from './workload-authorizer';

/** Target of a stage with the Project on that cluster. */
interface Destination {
  readonly target: DeploymentTarget;
  readonly project: PlatformManifest<'Project'>;
}

/** Authorized deployment request of a trusted artifact. */
export interface Candidate {
  readonly caller: Caller;
  readonly intent: Deployment['intent'];
  readonly artifact: SignedArtifact;
  readonly stage: ArtifactStage;
  readonly destinations: readonly Destination[];
  readonly acceptance: Acceptance;
  /** Reason for bypassing the publishers of the stage; undefined if they were not bypassed. */
  readonly breakGlass?: string | undefined;
}

/** Dependencies of candidates. */
export interface CandidateSources extends AuthorizerOptions {
  readonly targets: ReadonlyMap<string, DeploymentTarget>;
}

/**
 * Creates a candidate: checks that the artifact exists, that the caller may deploy it there, and that the stage trusts
 * it. Throws a `ProblemResponse`.
 */
export async function candidateFor(
  sources: CandidateSources,
  caller: Caller,
  { artifact: reference, stage: name, breakGlass }: DeployRequest,
  intent: Deployment['intent'],
): Promise<Candidate> {
  const project = referencedProject(reference);
  requireMembership(sources, caller, project);
  return candidateOf(sources, caller, await sources.artifacts.stage(reference, name), intent, breakGlass);
}

/**
 * Creates a candidate of a stage of an artifact: checks that the caller may deploy it there, and that the stage trusts it.
 * Throws a `ProblemResponse`.
 */
export async function candidateOf(
  sources: CandidateSources,
  caller: Caller,
  { artifact, stage }: Pick<Candidate, 'artifact' | 'stage'>,
  intent: Deployment['intent'],
  breakGlass?: string,
): Promise<Candidate> {
  const { project } = artifact.content;
  const { name } = stage;
  const destinations = destinationsOf(sources, project, stage);
  requireOwnClusters(destinations, stage);
  requireDeploymentKey(sources, destinations, name);
  const projects = destinations.map(({ target, project: document }) => ({ target: target.name, project: document }));
  const trust = await evaluateTrust(sources, artifact, name, destinations);
  const candidate = { caller, intent, artifact, stage, destinations, acceptance: trust.acceptance };
  const isTrusted = trust.problems.length === 0;
  const action = isTrusted || breakGlass === undefined ? 'deploy' : 'breakGlass';
  requireRole(authorizeOnAll(caller, project, projects, action, name), project);
  if (isTrusted) return candidate;
  if (breakGlass === undefined)
    throw new ProblemResponse(403, { title: 'The stage does not accept this artifact', problems: trust.problems });
  return { ...candidate, breakGlass };
}

/** Returns the project of a reference. */
export const referencedProject = (reference: string): string => reference.split('/')[0] ?? '';

/** Throws the response for an unknown project unless the caller is a member of it on at least one cluster. */
export function requireMembership(
  { targets }: Pick<CandidateSources, 'targets'>,
  caller: Caller,
  project: string,
): void {
  const found = [...targets.values()].flatMap((target) => {
    const document = target.project(project);
    return document ? [{ target: target.name, project: document }] : [];
  });
  const memberProjects = found.filter((one) => 'role' in authorizeOnAll(caller, project, [one], 'read'));
  requireRole(authorizeOnAll(caller, project, memberProjects, 'read'), project);
}

function destinationsOf({ targets }: CandidateSources, project: string, stage: ArtifactStage): readonly Destination[] {
  const problems: Problem[] = [];
  const found = stage.targets.flatMap((name, index): Destination[] => {
    const target = targets.get(name);
    const missing = target?.unready();
    if (missing !== undefined)
      throw new ProblemResponse(503, { title: `${name} is unavailable`, detail: missing, retryAfter: 5 });
    const document = target?.project(project);
    if (target && document) return [{ target, project: document }];
    problems.push({
      code: 'unknown-reference',
      object: `stage ${stage.name}`,
      path: ['targets', index],
      value: name,
      reason: target ? `has no Project ${project}` : 'is not a cluster of this service',
      remedy: target
        ? 'apply its Project there first'
        : `publish it for ${[...targets.keys()].join(' or ')}, or add it to the clusters of the service`,
    });
    return [];
  });
  if (problems.length > 0) throw new ProblemResponse(422, { title: 'The stage cannot be reached', problems });
  return found;
}

/**
 * Throws the response for a stage that may not deploy to its targets. The Project of every destination decides, because
 * a copy on another cluster may differ.
 */
function requireOwnClusters(destinations: readonly Destination[], stage: ArtifactStage): void {
  const problems = destinations.flatMap(({ target, project }) =>
    [...stageClusterProblems(project, stage), ...nameProblems(target, project)].map((problem) => ({
      ...problem,
      object: `${problem.object} on ${target.name}`,
    })),
  );
  if (problems.length > 0)
    throw new ProblemResponse(403, { title: 'The stage may not deploy to its targets', problems });
}

/** Throws the response for a service that no controller of a protected stage would trust. */
function requireDeploymentKey(
  { deploymentKey }: CandidateSources,
  destinations: readonly Destination[],
  stage: string,
): void {
  const problems = destinations.flatMap(({ target, project }) =>
    deploymentKeyProblems(target, project, stage, deploymentKey),
  );
  if (problems.length > 0)
    throw new ProblemResponse(503, { title: 'The service cannot authorize the deployment', problems, retryAfter: 60 });
}

/** Reports a cluster whose Platform has another name than the service: its protected stages would not be found there. */
function nameProblems(target: DeploymentTarget, { metadata, spec }: Destination['project']) {
  const found = target.snapshotOf(metadata.name);
  if (!spec.stages?.some(isProtectedStage) || !('snapshot' in found)) return [];
  const { cluster } = found.snapshot.platform.spec;
  if (cluster === target.name) return [];
  return [
    {
      code: 'invalid-combination' as const,
      object: 'Platform cluster',
      path: ['spec', 'cluster'],
      value: cluster,
      reason: `differs from ${target.name}, the name of the cluster in the submission service; stages own clusters by name`,
      remedy: 'ask the platform team to use one name in the Platform and in the settings of the service',
    },
  ];
}

/** Returns whether the Project of every destination accepts the artifact in the stage. */
async function evaluateTrust(
  { artifacts }: CandidateSources,
  artifact: SignedArtifact,
  stage: string,
  destinations: readonly Destination[],
): Promise<{ readonly acceptance: Acceptance; readonly problems: readonly Problem[] }> {
  const problems: Problem[] = [];
  let acceptance: Acceptance = { accepted: false, problems };
  for (const { target, project } of destinations) {
    const { rule, problems: stageProblems } = stageRule(project, stage);
    if (!rule) throw new ProblemResponse(422, { title: 'Stage not found', problems: stageProblems });
    const found = await artifacts.acceptance(artifact, rule);
    const object = `Project ${project.metadata.name} on ${target.name}`;
    if (found.accepted) acceptance = found;
    else problems.push(...found.problems.map((problem) => ({ ...problem, object })));
  }
  return { acceptance, problems };
}
