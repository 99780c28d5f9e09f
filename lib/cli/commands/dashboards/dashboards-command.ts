import { dashboardConfigMaps, dashboards as all } from '../../../observability';
import { exitCodes } from '../../command/exit-codes';
import { textOf } from '../../output/object-text';
import { monitoringNamespaceOption } from '../rules/observability-options';
import { defineCommand } from '../../command/command';
import { type OptionValueType } from '../../command/option-value-type';
import { writeFileAtomically } from '../../output/whole-file';

const folderType = {
  valueName: 'DIR',
  expected: 'a folder',
  parse: (text: string) => (text === '' ? undefined : text),
  suggest: () => '. for the working directory',
} as const satisfies OptionValueType<string>;

/** `pinion dashboards`. */
export const dashboardsCommand = defineCommand({
  description: `Print ConfigMaps that Grafana's sidecar finds by the label grafana_dashboard, or write files.

${all()
  .map(({ name, title }) => `  ${name.padEnd(20)}${title}`)
  .join('\n')}`,
  options: {
    dir: {
      type: 'parsed',
      valueType: folderType,
      description: 'folder to write NAME.json files to, for Grafana to provision or import; nothing is printed',
    },
    namespace: { ...monitoringNamespaceOption, description: 'namespace of the ConfigMaps', conflictsWith: ['dir'] },
  },
  examples: [{ command: 'pinion dashboards | kubectl apply --server-side -f -' }],
  async run({ options }, io) {
    const { dir, namespace } = options;
    if (dir === undefined) await io.write(textOf(dashboardConfigMaps(namespace), 'yaml'));
    else
      for (const { name, model } of all())
        writeFileAtomically(`${dir}/${name}.json`, `${JSON.stringify(model(), undefined, 2)}\n`, io);
    return exitCodes.success;
  },
});
