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
import { type Board, type BoardPanel } from './boards/board';

/** Width of a dashboard in Grafana's grid, and height of a panel. */
const grid = { width: 24, height: 8 };
const datasource = { type: 'prometheus', uid: '${datasource}' };

/** A board in Grafana's own form, as a file that it provisions or imports. */
export function grafanaDashboard({ name, title, description, rows }: Board): Dashboard {
  const made = new DashboardBuilder(title)
    .uid(name)
    .description(description)
    .tags(['pinion'])
    .time({ from: 'now-3h', to: 'now' })
    .refresh('1m')
    .withVariable(new DatasourceVariableBuilder('datasource').label('Prometheus').type('prometheus'));
  for (const row of rows) {
    made.withRow(new RowBuilder(row.title));
    const width = Math.max(6, Math.floor(grid.width / Math.min(row.panels.length, 4)));
    for (const panel of row.panels) made.withPanel(built(panel, width));
  }
  return made.build();
}

function built(
  { title, tells, unit = 'short', isNumber = false, concern, queries }: BoardPanel,
  width: number,
): {
  build(): Panel;
} {
  const made = isNumber ? new StatBuilder() : new LinesBuilder();
  made.title(title).description(tells).unit(unit).datasource(datasource).span(width).height(grid.height);
  if (concern !== undefined)
    made.thresholds(
      new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps([
        { value: null, color: 'green' },
        { value: concern, color: 'red' },
      ]),
    );
  queries.forEach(({ expr, legend }, index) => {
    const query = new DataqueryBuilder()
      .expr(expr)
      .legendFormat(legend)
      .refId(String.fromCharCode(65 + index));
    made.withTarget(isNumber ? query.instant() : query.range());
  });
  return made;
}
