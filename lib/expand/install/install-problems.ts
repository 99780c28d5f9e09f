import { addressRange, gatewayNamespace, imageProblems, type Problem } from '../../api';
import { type InstallOptions } from './install-options';

const namespacePattern = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** Validates the options of an installation, except its manifests. */
export function installProblems(options: InstallOptions, namespace: string): Problem[] {
  const { image, clientMonitorImage, replicas = 2, documents = [], profilesFrom } = options;
  const problems = imageProblems(image, ['image'], 'controller');
  if (clientMonitorImage !== undefined)
    problems.push(...imageProblems(clientMonitorImage, ['clientMonitorImage'], 'client-monitor'));
  problems.push(...historyProblems(options, namespace));
  if (!namespacePattern.test(namespace) || /^(kube-|default$)/.test(namespace))
    problems.push({
      code: 'bad-format',
      path: ['namespace'],
      value: namespace,
      reason: 'is not a valid namespace for the controller',
      remedy: 'use lower-case letters, digits and dashes; namespaces of Kubernetes itself are reserved',
    });
  if (!Number.isInteger(replicas) || replicas < 1 || replicas > 10)
    problems.push({
      code: 'out-of-range',
      path: ['replicas'],
      value: replicas,
      reason: 'is not an integer from 1 to 10',
      remedy: 'use 2, or more where nodes fail often',
    });
  problems.push(...profileProblems(profilesFrom));
  const isProjectNamespace = documents.some(
    ({ kind, metadata, spec }) =>
      (kind === 'Project' && metadata.name === namespace) || (kind === 'Platform' && projectOf(spec) === namespace),
  );
  if (isProjectNamespace)
    problems.push({
      code: 'invalid-combination',
      path: ['namespace'],
      value: namespace,
      reason: 'is the namespace of a Project, whose workloads could then act as the controller',
      remedy: 'install the controller in a namespace of its own',
    });
  return problems;
}

/** The monitor may change all ConfigMaps of the namespace. */
function historyProblems(
  { clientHistoryNamespace: value, clientMonitorImage }: InstallOptions,
  controllerNamespace: string,
): Problem[] {
  if (value === undefined) return [];
  const path = ['clientHistoryNamespace'];
  const reserved = [controllerNamespace, gatewayNamespace];
  if (!namespacePattern.test(value) || /^(kube-|default$)/.test(value) || reserved.includes(value))
    return [
      {
        code: 'bad-format',
        path,
        value,
        reason: 'is not a valid namespace for the client history',
        remedy:
          'use the namespace of the quota monitor, such as pinion-quota; those of Kubernetes and of pinion are reserved',
      },
    ];
  if (clientMonitorImage !== undefined) return [];
  const reason = 'is given, but no client monitor that would store a history';
  return [{ code: 'invalid-combination', path, value, reason, remedy: 'give clientMonitorImage, or remove it' }];
}

function profileProblems(networks: readonly string[] | undefined): Problem[] {
  if (networks?.length === 0)
    return [
      {
        code: 'out-of-range',
        path: ['profilesFrom'],
        value: networks,
        reason: 'is empty, so no client could fetch a profile',
        remedy: 'list the networks of the API servers, such as 10.0.0.0/24, or omit it',
      },
    ];
  return (networks ?? []).flatMap((network, index): Problem[] => {
    if (addressRange.test(network)) return [];
    const remedy = 'use CIDR notation, such as 10.0.0.0/24 or 10.0.0.7/32';
    return [{ code: 'bad-format', path: ['profilesFrom', index], value: network, reason: 'is not a network', remedy }];
  });
}

function projectOf(spec: unknown): unknown {
  const { runtime } = (spec ?? {}) as { readonly runtime?: { readonly project?: unknown } };
  return runtime?.project ?? 'pinion-system';
}
