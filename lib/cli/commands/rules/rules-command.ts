import {
  alertGroups,
  kubernetesVersions,
  podMonitors,
  prometheusRules,
  ruleConfigMap,
  ruleFile,
  type MetricsVersion,
} from '../../../observability';
import { writeYaml } from '../../../yaml';
import { splitList, UsageError } from '../../command/arguments';
import { exitCodes } from '../../command/exit-codes';
import { textOf } from '../../output/object-text';
import { namespaceOf, runbooksAt } from './observability-options';
import { defineCommand } from '../../command/command';

const help = `pinion rules [options]

Prints recording and alert rules for Prometheus: the API server, etcd, masters, and pinion's own parts. It talks to no cluster.

  -o, --output       prometheus-rule: objects of the Prometheus Operator, with PodMonitors that scrape pinion's parts under the jobs
                     that rules ask for (default); config-map: a ConfigMap that Prometheus mounts; file: a file of rules, as
                     promtool reads it
  --kubernetes MINOR version of the API server, whose names of metrics are taken: ${kubernetesVersions.join(' or ')} (default: 1.36)
  --namespace NAME   namespace of the objects (default: monitoring)
  --labels LABELS    by which Prometheus finds the objects, as KEY=VALUE with commas between them
                     (default: prometheus=k8s,role=alert-rules; the chart kube-prometheus-stack asks for release=NAME)
  --without GROUPS   groups of alerts that are left out, with commas between them, and PodMonitors, of parts that the cluster does
                     not have; alerts for the absence of canary, quota watcher and submission service fire for ever otherwise:
                     ${alertGroups.map(({ name }) => name).join(', ')}
  --no-monitors      no PodMonitors, where pinion's parts are scraped in another way
  --runbooks URL     where the pages of docs/runbooks are served (default: their path in this package)

  pinion rules --without pinion-canary,pinion-quota,pinion-submission | kubectl apply --server-side -f -
  pinion rules -o file > rules.yaml && promtool check rules rules.yaml
`;

/** `pinion rules`: what Prometheus records and when it alerts. */
export const rulesCommand = defineCommand({
  help,
  options: {
    output: { type: 'string', short: 'o', values: ['prometheus-rule', 'config-map', 'file'] },
    kubernetes: { type: 'string', values: kubernetesVersions },
    namespace: { type: 'string' },
    runbooks: { type: 'string' },
    labels: { type: 'string' },
    without: { type: 'string', listOf: alertGroups.map(({ name }) => name) },
    'no-monitors': { type: 'boolean' },
  },
  async run({ positionals, values, flags }, io) {
    if (positionals.length > 0) throw new UsageError(`rules takes no inputs, and got ${positionals.join(' ')}`);
    if (values.output === 'file' && values.namespace !== undefined)
      throw new UsageError('--namespace is for objects; a file of rules has none');
    if (values.output === 'file' && values.labels !== undefined)
      throw new UsageError('--labels are for objects; a file of rules has none');
    const hasMonitors = values.output === undefined || values.output === 'prometheus-rule';
    if (flags['no-monitors'] === true && !hasMonitors)
      throw new UsageError('--no-monitors goes with objects of the Prometheus Operator; others have none');
    const options = {
      ...(values.kubernetes !== undefined && { kubernetes: values.kubernetes as MetricsVersion }),
      ...namespaceOf(values.namespace),
      ...(values.labels !== undefined && { labels: labelsOf(values.labels) }),
      ...(values.without !== undefined && { without: splitList(values.without) }),
      ...runbooksAt(values.runbooks),
    };
    const monitors = flags['no-monitors'] === true ? [] : podMonitors(options);
    const objects = hasMonitors ? [...prometheusRules(options), ...monitors] : [ruleConfigMap(options)];
    await io.write(values.output === 'file' ? writeYaml(ruleFile(options)) : textOf(objects, 'yaml'));
    return exitCodes.success;
  },
});

function labelsOf(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(',').map((pair) => /^([^=]+)=([^=]*)$/.exec(pair));
  if (pairs.includes(null)) throw new UsageError(`--labels takes KEY=VALUE,KEY=VALUE, not ${JSON.stringify(text)}`);
  return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']));
}
