import { type WorkloadKind, workloadKinds } from '../../api';
import { type canaryDeploymentPaths } from '../../programs';

/** Deployment path that the canary tests. */
export type CanaryDeploymentPath = (typeof canaryDeploymentPaths)[number];

/** Kinds that the canary deploys: all. */
export const canaryKinds = Object.keys(workloadKinds) as readonly WorkloadKind[];

/** Steps of a run, in order. */
export const canarySteps = [
  'create',
  'ready',
  'environment',
  'dns',
  'ingress',
  'registered',
  'quota-refusal',
  'change',
  'rollback',
  'delete',
] as const;

/** Step of a run. */
export type CanaryStep = (typeof canarySteps)[number];

/** Default timeouts of the steps, in seconds; steps that wait for pods have the longest. */
export const defaultStepLimits: Readonly<Record<CanaryStep, number>> = {
  create: 15,
  ready: 120,
  environment: 15,
  dns: 30,
  ingress: 15,
  registered: 60,
  'quota-refusal': 60,
  change: 120,
  rollback: 120,
  delete: 120,
};
