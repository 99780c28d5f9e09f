import { dashboardConfigMaps, dashboards as all } from '../../../observability';
import { UsageError } from '../../command/usage-error';
import { exitCodes } from '../../command/exit-codes';
import { textOf } from '../../output/object-text';
import { namespaceOf } from '../rules/observability-options';
import { defineCommand } from '../../command/command';
import { writeFileAtomically } from '../../output/whole-file';

/** `pinion dashboards`. */
export const dashboardsCommand = defineCommand({
  description: `Prints ConfigMaps that Grafana's sidecar finds by the label grafana_dashboard, or writes files.

${all()
  .map(({ name, title }) => `  ${name.padEnd(20)}${title}`)
  .join('\n')}`,
  options: {
    dir: {
      type: 'string',
      valueName: 'DIR',
      description: 'write NAME.json files that Grafana provisions or imports, and print nothing',
    },
    namespace: {
      type: 'string',
      valueName: 'NAME',
      description: 'namespace of the ConfigMaps',
      defaultText: 'monitoring',
      conflictsWith: ['dir'],
    },
  },
  examples: [{ command: 'pinion dashboards | kubectl apply --server-side -f -' }],
  async run({ options }, io) {
    const { dir, namespace } = options;
    if (dir === '') throw new UsageError('--dir must be a folder; use . for the working directory');
    if (dir === undefined) await io.write(textOf(dashboardConfigMaps(namespaceOf(namespace).namespace), 'yaml'));
    else
      for (const { name, model } of all())
        writeFileAtomically(`${dir}/${name}.json`, `${JSON.stringify(model(), undefined, 2)}\n`, io);
    return exitCodes.success;
  },
});
