import {
  alertGroups,
  kubernetesVersions,
  podMonitors,
  prometheusRules,
  ruleConfigMap,
  ruleFile,
} from '../../../observability';
import { writeYaml } from '../../../yaml';
import { exitCodes } from '../../command/exit-codes';
import { textOf } from '../../output/object-text';
import { monitoringNamespaceOption } from './observability-options';
import { defineCommand } from '../../command/command';
import { httpUrlType, keyValuesType } from '../../command/option-value-type';

const labelsType = keyValuesType({
  valueName: 'KEY=VALUE,...',
  expected: 'KEY=VALUE,KEY=VALUE',
  key: /^.+$/,
  value: /^[^=]*$/,
  separator: ',',
});

/** `pinion rules`. */
export const rulesCommand = defineCommand({
  description: `Print rules for the API server, etcd, control plane nodes and the programs of pinion itself. This command does not connect to a cluster.

Output formats:

  prometheus-rule  objects of the Prometheus Operator, with PodMonitors that scrape the programs of
                   pinion under the job names that the rules query
  config-map       a ConfigMap that Prometheus mounts
  file             a rule file in promtool's format`,
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
      description: `version of the API server, which determines the names of metrics: ${kubernetesVersions.join(' or ')}`,
    },
    namespace: { ...monitoringNamespaceOption, conflictsWith: ['output=file'] },
    labels: {
      type: 'parsed',
      valueType: labelsType,
      conflictsWith: ['output=file'],
      description: 'labels by which Prometheus selects the objects; kube-prometheus-stack selects release=NAME',
      defaultText: 'prometheus=k8s,role=alert-rules',
    },
    without: {
      type: 'list',
      valueName: 'GROUPS',
      choices: alertGroups.map(({ name }) => name),
      description: `alert groups and PodMonitors to omit, for programs that the cluster does not run and whose absence would fire alerts: ${alertGroups
        .map(({ name }) => name)
        .join(', ')}`,
    },
    'no-monitors': {
      type: 'flag',
      requires: 'output=prometheus-rule',
      description: 'omit PodMonitors, if pinion is scraped in another way',
    },
    runbooks: {
      type: 'parsed',
      valueType: httpUrlType('https://runbooks.example.com'),
      description: 'URL that serves docs/runbooks',
      defaultText: 'their path in this package',
    },
  },
  examples: [
    {
      command:
        'pinion rules --without pinion-canary,pinion-gateway,pinion-quota,pinion-submission | kubectl apply --server-side -f -',
    },
    { command: 'pinion rules -o file > rules.yaml && promtool check rules rules.yaml' },
  ],
  async run({ options: values }, io) {
    const hasMonitors = values.output === 'prometheus-rule';
    const options = {
      ...(values.kubernetes !== undefined && { kubernetes: values.kubernetes }),
      ...(values.namespace !== undefined && { namespace: values.namespace }),
      ...(values.labels !== undefined && { labels: values.labels }),
      ...(values.without !== undefined && { without: values.without }),
      ...(values.runbooks !== undefined && { runbooks: values.runbooks.href.replace(/\/+$/, '') }),
    };
    const monitors = values['no-monitors'] ? [] : podMonitors(options);
    const objects = hasMonitors ? [...prometheusRules(options), ...monitors] : [ruleConfigMap(options)];
    await io.write(values.output === 'file' ? writeYaml(ruleFile(options)) : textOf(objects, 'yaml'));
    return exitCodes.success;
  },
});
