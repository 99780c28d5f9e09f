import { dashboardConfigMaps, dashboards as all } from '../../../observability';
import { UsageError } from '../../command/arguments';
import { exitCodes } from '../../command/exit-codes';
import { textOf } from '../../output/object-text';
import { namespaceOf } from '../rules/observability-options';
import { defineCommand } from '../../command/command';
import { writeFileAtomically } from '../../output/whole-file';

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
export const dashboardsCommand = defineCommand({
  help,
  options: { dir: { type: 'string' }, namespace: { type: 'string' } },
  async run({ positionals, values }, io) {
    const { dir, namespace } = values;
    if (positionals.length > 0) throw new UsageError(`dashboards takes no inputs, and got ${positionals.join(' ')}`);
    if (dir === '') throw new UsageError('--dir takes a folder; write . for the working one');
    if (dir !== undefined && namespace !== undefined)
      throw new UsageError('--namespace is for ConfigMaps; files have none: give one of the two');
    if (dir === undefined) await io.write(textOf(dashboardConfigMaps(namespaceOf(namespace).namespace), 'yaml'));
    else
      for (const { name, model } of all())
        writeFileAtomically(`${dir}/${name}.json`, `${JSON.stringify(model(), undefined, 2)}\n`, io);
    return exitCodes.success;
  },
});
