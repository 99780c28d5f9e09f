import { kubernetesVersions, prometheusRules, ruleFile, type KubernetesVersion } from '../observability';
import { writeYaml } from '../yaml';
import { UsageError } from './arguments';
import { exitCodes } from './exit-codes';
import { textOf } from './object-text';
import { verb } from './verb';

const help = `pinion rules [options]

Prints recording and alert rules for Prometheus: the API server, etcd, masters, and pinion's own parts. It talks to no cluster.

  -o, --output       prometheus-rule: objects of the Prometheus Operator (default); file: a file of rules, as promtool reads it
  --kubernetes MINOR version of the API server, whose names of metrics are taken: ${kubernetesVersions.join(' or ')} (default: 1.36)
  --namespace NAME   namespace of the objects (default: monitoring)
  --runbooks URL     where the pages of docs/runbooks are served (default: their path in this package)

  pinion rules | kubectl apply --server-side -f -
  pinion rules -o file > rules.yaml && promtool check rules rules.yaml
`;

/** `pinion rules`: what Prometheus records and when it alerts. */
export const rules = verb({
  help,
  options: {
    output: { type: 'string', short: 'o', values: ['prometheus-rule', 'file'] },
    kubernetes: { type: 'string', values: kubernetesVersions },
    namespace: { type: 'string' },
    runbooks: { type: 'string' },
  },
  async run({ words, texts }, io) {
    if (words.length > 0) throw new UsageError(`rules takes no inputs, and got ${words.join(' ')}`);
    if (texts.output === 'file' && texts.namespace !== undefined)
      throw new UsageError('--namespace is for objects; a file of rules has none');
    const options = {
      ...(texts.kubernetes !== undefined && { kubernetes: texts.kubernetes as KubernetesVersion }),
      ...(texts.namespace !== undefined && { namespace: texts.namespace }),
      ...(texts.runbooks !== undefined && { runbooks: texts.runbooks.replace(/\/+$/, '') }),
    };
    await io.write(texts.output === 'file' ? writeYaml(ruleFile(options)) : textOf(prometheusRules(options), 'yaml'));
    return exitCodes.fine;
  },
});
