import { dashboardConfigMaps, dashboards } from '../../lib/observability';

interface Model {
  readonly uid: string;
  readonly panels: readonly {
    readonly type: string;
    readonly title: string;
    readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
    readonly targets?: readonly { readonly expr: string }[];
  }[];
}

const models = dashboards().map((each) => ({ ...each, model: each.model() as Model }));

test('the first dashboard answers five questions about availability, latency, capacity, load and the platform', () => {
  const rows = models[0]?.model.panels.filter(({ type }) => type === 'row').map(({ title }) => title);
  expect(rows).toEqual([
    '1. Is it up?',
    '2. Is it slow?',
    '3. Is it full?',
    '4. What loads it?',
    '5. Does the platform work?',
  ]);
});

test.each(models.map((each) => [each.name, each] as const))('%s queries exactly what its panels show', (name, each) => {
  expect(each.model.uid).toBe(name);
  const asked = each.model.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  expect(asked).toEqual(each.expressions);
});

test.each(models.map((each) => [each.name, each.model] as const))(
  'panels of %s neither overlap nor exceed the grid',
  (_name, { panels }) => {
    const taken = new Set<string>();
    for (const {
      gridPos: { x, y, w, h },
      title,
    } of panels) {
      expect([title, x + w <= 24]).toEqual([title, true]);
      for (let column = x; column < x + w; column++)
        for (let row = y; row < y + h; row++) {
          expect([title, taken.has(`${column},${row}`)]).toEqual([title, false]);
          taken.add(`${column},${row}`);
        }
    }
  },
);

test('a ConfigMap contains the dashboard under its file name', () => {
  const [first] = dashboardConfigMaps('watch');
  expect(first?.metadata).toMatchObject({ namespace: 'watch', labels: { grafana_dashboard: '1' } });
  expect(JSON.parse(first?.data['pinion-overview.json'] ?? '')).toEqual(JSON.parse(JSON.stringify(models[0]?.model)));
});
