import { dashboardConfigMaps, dashboards as all } from '../observability';
import { UsageError } from './arguments';
import { exitCodes } from './exit-codes';
import { textOf } from './object-text';
import { namespaceOf } from './observability-options';
import { verb } from './verb';
import { writeWhole } from './whole-file';

const help = `pinion dashboards [options]

Prints Grafana dashboards as ConfigMaps that Grafana's sidecar finds (label grafana_dashboard), or writes them as files:
${all()
  .map(({ name, title }) => `  ${name.padEnd(20)}${title}`)
  .join('\n')}

  --dir DIR          write NAME.json files that Grafana provisions or imports, and print nothing
  --namespace NAME   namespace of the ConfigMaps (default: monitoring)

  pinion dashboards | kubectl apply --server-side -f -
`;

/** `pinion dashboards`: dashboards for Grafana. */
export const dashboards = verb({
  help,
  options: { dir: { type: 'string' }, namespace: { type: 'string' } },
  async run({ words, texts }, io) {
    const { dir, namespace } = texts;
    if (words.length > 0) throw new UsageError(`dashboards takes no inputs, and got ${words.join(' ')}`);
    if (dir === '') throw new UsageError('--dir takes a folder; write . for the working one');
    if (dir !== undefined && namespace !== undefined)
      throw new UsageError('--namespace is for ConfigMaps; files have none: give one of the two');
    if (dir === undefined) await io.write(textOf(dashboardConfigMaps(namespaceOf(namespace).namespace), 'yaml'));
    else
      for (const { name, model } of all())
        writeWhole(`${dir}/${name}.json`, `${JSON.stringify(model(), undefined, 2)}\n`, io);
    return exitCodes.fine;
  },
});
