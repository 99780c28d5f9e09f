import { addressRange, imageProblems, type Problem } from '../../api';
import { type InstallOptions } from './install-options';

/** What is wrong with the options of an installation, documents apart. */
export function installProblems(options: InstallOptions, namespace: string): Problem[] {
  const { image, replicas = 2, documents = [], profilesFrom } = options;
  const problems = imageProblems(image, ['image'], 'controller');
  if (!/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(namespace) || /^(kube-|default$)/.test(namespace))
    problems.push({
      code: 'bad-format',
      path: ['namespace'],
      value: namespace,
      reason: 'is no name of a namespace that the controller can have for itself',
      remedy: 'use small letters, digits and dashes, and no namespace of Kubernetes itself',
    });
  if (!Number.isInteger(replicas) || replicas < 1 || replicas > 10)
    problems.push({
      code: 'out-of-range',
      path: ['replicas'],
      value: replicas,
      reason: 'is no number of processes from 1 to 10',
      remedy: 'write 2, or more where nodes fail often',
    });
  problems.push(...profileProblems(profilesFrom));
  const taken = documents.some(
    ({ kind, metadata, spec }) =>
      (kind === 'Project' && metadata.name === namespace) || (kind === 'Platform' && projectOf(spec) === namespace),
  );
  if (taken)
    problems.push({
      code: 'invalid-combination',
      path: ['namespace'],
      value: namespace,
      reason: 'is the namespace of a Project, whose workloads could then act as the controller',
      remedy: 'give the controller a namespace of its own',
    });
  return problems;
}

function profileProblems(networks: readonly string[] | undefined): Problem[] {
  if (networks?.length === 0)
    return [
      {
        code: 'out-of-range',
        path: ['profilesFrom'],
        value: networks,
        reason: 'names no network, so that nobody could fetch a profile',
        remedy: 'name the networks of the API servers, such as 10.0.0.0/24, or leave it out',
      },
    ];
  return (networks ?? []).flatMap((network, index): Problem[] => {
    if (addressRange.test(network)) return [];
    const remedy = 'write its first address and the length of its prefix, such as 10.0.0.0/24 or 10.0.0.7/32';
    return [{ code: 'bad-format', path: ['profilesFrom', index], value: network, reason: 'is no network', remedy }];
  });
}

function projectOf(spec: unknown): unknown {
  const { runtime } = (spec ?? {}) as { readonly runtime?: { readonly project?: unknown } };
  return runtime?.project ?? 'pinion-system';
}
