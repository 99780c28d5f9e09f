import {
  alertGroups,
  kubernetesVersions,
  podMonitors,
  prometheusRules,
  ruleConfigMap,
  ruleFile,
} from '../../../observability';
import { writeYaml } from '../../../yaml';
import { UsageError } from '../../command/usage-error';
import { exitCodes } from '../../command/exit-codes';
import { textOf } from '../../output/object-text';
import { namespaceOf, runbooksAt } from './observability-options';
import { defineCommand } from '../../command/command';

/** `pinion rules`. */
export const rulesCommand = defineCommand({
  description: `Prints rules for the API server, etcd, control plane nodes and the programs of pinion. Connects to no cluster.

Output formats:

  prometheus-rule  objects of the Prometheus Operator, with PodMonitors that scrape the programs of
                   pinion under the jobs that the rules query
  config-map       a ConfigMap that Prometheus mounts
  file             a rule file, as promtool reads it`,
  options: {
    output: {
      type: 'choice',
      short: 'o',
      valueName: 'FORMAT',
      choices: ['prometheus-rule', 'config-map', 'file'],
      default: 'prometheus-rule',
      description: 'output format',
    },
    kubernetes: {
      type: 'choice',
      valueName: 'MINOR',
      choices: kubernetesVersions,
      defaultText: '1.36',
      description: `version of the API server, which determines names of metrics: ${kubernetesVersions.join(' or ')}`,
    },
    namespace: {
      type: 'string',
      valueName: 'NAME',
      description: 'namespace of the objects',
      defaultText: 'monitoring',
    },
    labels: {
      type: 'string',
      valueName: 'KEY=VALUE,...',
      description: 'labels by which Prometheus selects the objects; kube-prometheus-stack selects release=NAME',
      defaultText: 'prometheus=k8s,role=alert-rules',
    },
    without: {
      type: 'list',
      valueName: 'GROUPS',
      choices: alertGroups.map(({ name }) => name),
      description: `alert groups and PodMonitors to omit, of programs that the cluster does not run, because their absence fires alerts: ${alertGroups
        .map(({ name }) => name)
        .join(', ')}`,
    },
    'no-monitors': { type: 'flag', description: 'omit PodMonitors, if pinion is scraped in another way' },
    runbooks: {
      type: 'string',
      valueName: 'URL',
      description: 'URL that serves docs/runbooks',
      defaultText: 'their path in this package',
    },
  },
  examples: [
    {
      command: 'pinion rules --without pinion-canary,pinion-quota,pinion-submission | kubectl apply --server-side -f -',
    },
    { command: 'pinion rules -o file > rules.yaml && promtool check rules rules.yaml' },
  ],
  async run({ options: values }, io) {
    if (values.output === 'file' && values.namespace !== undefined)
      throw new UsageError('--namespace cannot be combined with --output file');
    if (values.output === 'file' && values.labels !== undefined)
      throw new UsageError('--labels cannot be combined with --output file');
    const hasMonitors = values.output === 'prometheus-rule';
    if (values['no-monitors'] && !hasMonitors) throw new UsageError('--no-monitors requires --output prometheus-rule');
    const options = {
      ...(values.kubernetes !== undefined && { kubernetes: values.kubernetes }),
      ...namespaceOf(values.namespace),
      ...(values.labels !== undefined && { labels: labelsOf(values.labels) }),
      ...(values.without !== undefined && { without: values.without }),
      ...runbooksAt(values.runbooks),
    };
    const monitors = values['no-monitors'] ? [] : podMonitors(options);
    const objects = hasMonitors ? [...prometheusRules(options), ...monitors] : [ruleConfigMap(options)];
    await io.write(values.output === 'file' ? writeYaml(ruleFile(options)) : textOf(objects, 'yaml'));
    return exitCodes.success;
  },
});

function labelsOf(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(',').map((pair) => /^([^=]+)=([^=]*)$/.exec(pair));
  if (pairs.includes(null)) throw new UsageError(`--labels must be KEY=VALUE,KEY=VALUE, not ${JSON.stringify(text)}`);
  return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']));
}
