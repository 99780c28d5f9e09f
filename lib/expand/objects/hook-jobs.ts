import { hooksOf, metadataKeys, recommended, type EnvVar, type PodTemplate, type Workload } from '../../api';
import { hookTemplate, withoutMissingVolumes } from '../pods/hook-template';
import { workloadPod } from '../pods/pod';
import { type ProjectContext } from '../project-context';
import { deploymentHash } from './deployment-hash';
import { jobSpec } from './job';
import { draftObject, type KubernetesObject } from './kubernetes-object';
import { hookSelectorOf } from './labels';
import { derivedName, shortHash } from './name';
import { networkPolicy } from './network-policy';

/** Pods of a workload, as far as its hooks have the same. */
interface HookOptions {
  readonly template: PodTemplate;
  readonly env?: readonly EnvVar[];
  /** Whether the pods of the workload reach each other, and its hooks reach them. */
  readonly peers: boolean;
}

/**
 * Creates the Jobs of the hooks of a workload for its deployed spec, and their NetworkPolicy if access is restricted.
 *
 * No selector of the workload matches their pods, so that they get no traffic.
 */
export function hookObjects(workload: Workload, context: ProjectContext, options: HookOptions): KubernetesObject[] {
  const hooks = hooksOf(workload);
  if (hooks.length === 0) return [];
  const { template, env = [], peers } = options;
  const jobs = hooks.map((hook) => {
    const pod = workloadPod(workload, context, {
      template: hookTemplate(template, hook),
      serves: false,
      spread: false,
      restartPolicy: 'Never',
      expiry: 'with the next deployment',
      env,
      hook: hook.name,
    });
    return draftObject(
      'Job',
      {
        name: hookJobName(workload, hook.name),
        labels: { [recommended.component]: hook.name, [metadataKeys.hook]: hook.name },
      },
      {
        spec: jobSpec(
          {
            retries: hook.retries,
            activeDeadline: hook.deadline,
            suspend: false,
            // Two pods of one migration must not run at once.
            ...(hook.retries > 0 && { podReplacementPolicy: 'Failed' }),
          },
          { completions: 1, parallelism: 1, indexed: false },
          { ...pod, template: withoutMissingVolumes(pod.template) },
        ),
      },
    );
  });
  const policies = networkPolicy(workload, context, {
    ingress: false,
    peers,
    name: derivedName([workload.metadata.name, 'before-deployment']),
    selector: hookSelectorOf(workload),
  });
  const labels = { [metadataKeys.hook]: 'all' };
  return [...policies.map((policy) => ({ ...policy, metadata: { ...policy.metadata, labels } })), ...jobs];
}

/** Returns the name of the Job of a hook for the deployed spec; each attempt to deploy it has a Job of its own. */
export const hookJobName = (workload: Workload, hook: string, attempt = ''): string =>
  derivedName([
    workload.metadata.name,
    hook,
    shortHash(JSON.stringify([workload.kind, deploymentHash(workload), attempt])),
  ]);

/** Returns the hook that a Job runs; undefined for other objects. */
export const hookOf = ({ kind, metadata }: Pick<KubernetesObject, 'kind' | 'metadata'>): string | undefined =>
  kind === 'Job' ? metadata.labels?.[metadataKeys.hook] : undefined;
