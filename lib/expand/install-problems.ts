import { type Problem } from '../api';
import { type InstallOptions } from './install-options';

/** What is wrong with the options of an installation, documents apart. */
export function installProblems(options: InstallOptions, namespace: string): Problem[] {
  const { image, replicas = 2, documents = [] } = options;
  const problems: Problem[] = [];
  if (typeof image !== 'string' || !/^[a-z0-9][^\s]*[:@][^\s/]+$/.test(image))
    problems.push({
      code: image === undefined ? 'required' : 'bad-format',
      path: ['image'],
      ...(image !== undefined && { value: image }),
      reason: image === undefined ? 'is missing' : 'is not an image with its tag or digest',
      remedy: 'name the image of the controller, such as registry.example.com/pinion/controller:1.0.0',
    });
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
  const taken = documents.some(
    ({ kind, metadata, spec }) =>
      (kind === 'Project' && metadata.name === namespace) || (kind === 'Platform' && projectOf(spec) === namespace),
  );
  if (taken)
    problems.push({
      code: 'contradiction',
      path: ['namespace'],
      value: namespace,
      reason: 'is the namespace of a Project, whose workloads could then act as the controller',
      remedy: 'give the controller a namespace of its own',
    });
  return problems;
}

function projectOf(spec: unknown): unknown {
  const { runtime } = (spec ?? {}) as { readonly runtime?: { readonly project?: unknown } };
  return runtime?.project ?? 'pinion-system';
}
