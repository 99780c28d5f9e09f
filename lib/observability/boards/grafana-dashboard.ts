import {
  type Dashboard,
  DashboardBuilder,
  DatasourceVariableBuilder,
  type Panel,
  RowBuilder,
  ThresholdsConfigBuilder,
  ThresholdsMode,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder as StatBuilder } from '@grafana/grafana-foundation-sdk/stat';
import { PanelBuilder as LinesBuilder } from '@grafana/grafana-foundation-sdk/timeseries';
import { type Board, type BoardPanel } from './board';

/** Width of Grafana's grid, and height of a panel. */
const grid = { width: 24, height: 8 };
const datasource = { type: 'prometheus', uid: '${datasource}' };

/** Returns the JSON model of a dashboard, which Grafana provisions or imports. */
export function grafanaDashboard({ name, title, description, rows }: Board): Dashboard {
  const builder = new DashboardBuilder(title)
    .uid(name)
    .description(description)
    .tags(['pinion'])
    .time({ from: 'now-3h', to: 'now' })
    .refresh('1m')
    .withVariable(new DatasourceVariableBuilder('datasource').label('Prometheus').type('prometheus'));
  for (const row of rows) {
    builder.withRow(new RowBuilder(row.title));
    const width = Math.max(6, Math.floor(grid.width / Math.min(row.panels.length, 4)));
    for (const panel of row.panels) builder.withPanel(panelBuilder(panel, width));
  }
  return builder.build();
}

function panelBuilder(
  { title, description, unit = 'short', isStat = false, threshold, queries }: BoardPanel,
  width: number,
): {
  build(): Panel;
} {
  const builder = isStat ? new StatBuilder() : new LinesBuilder();
  builder.title(title).description(description).unit(unit).datasource(datasource).span(width).height(grid.height);
  if (threshold !== undefined)
    builder.thresholds(
      new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps([
        { value: null, color: 'green' },
        { value: threshold, color: 'red' },
      ]),
    );
  queries.forEach(({ expr, legend }, index) => {
    const query = new DataqueryBuilder()
      .expr(expr)
      .legendFormat(legend)
      .refId(String.fromCharCode(65 + index));
    builder.withTarget(isStat ? query.instant() : query.range());
  });
  return builder;
}
