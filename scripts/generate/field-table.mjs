// Renders the table of a kind's fields; nested fields are listed by path.
import { cell } from './markers.mjs';

export function fieldTable(shape) {
  const rows = [...rowsOf(shape, '')].map(([path, field]) => {
    const left = field.required ? 'required' : 'default' in field ? `\`${JSON.stringify(field.default)}\`` : '';
    const shown = left === '`{}`' ? '' : left;
    return `| \`${path}\` | ${cell(typeText(field.shape))} | ${cell(shown)} | ${cell(field.description)} |`;
  });
  return ['| Field | Type | Default | Description |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function* rowsOf(shape, prefix) {
  if (shape.kind === 'list') yield* rowsOf(shape.items, `${prefix.slice(0, -1)}[].`);
  else if (shape.kind === 'map') yield* rowsOf(shape.values, `${prefix}<name>.`);
  else if (shape.kind === 'object') {
    for (const field of shape.fields) {
      yield [`${prefix}${field.name}`, field];
      yield* rowsOf(field.shape, `${prefix}${field.name}.`);
    }
  }
}

const leafTexts = {
  ApiAccess: '`None`, `Gateway`, `Direct`',
  CountOrPercent: 'whole number or percentage',
  CronSchedule: 'cron expression',
  Duration: 'duration',
  PodTemplate: 'pod template',
  Quantity: 'quantity',
  TimeZone: 'time zone',
  any: 'any value',
  object: 'object',
};

function typeText(shape) {
  switch (shape.kind) {
    case 'object':
      return 'object';
    case 'list':
      return `list of ${typeText(shape.items)}${countText(shape, 'entries')}`;
    case 'map':
      return `map of ${typeText(shape.values)}${countText(shape, 'entries')}`;
    case 'text':
      return 'text';
    case 'integer':
      return `whole number${rangeText(shape)}`;
    case 'number':
      return `number${rangeText(shape)}`;
    case 'boolean':
      return 'true or false';
    case 'enum':
      return shape.values.map((value) => `\`${value}\``).join(', ');
    case 'either':
      return shape.options.map(typeText).join(' or ');
    default:
      return leafText(shape.typeName);
  }
}

function leafText(name) {
  const text = leafTexts[name];
  if (text) return text;
  return name.endsWith('[]') ? `list of Kubernetes \`${name.slice(0, -2)}\`` : `\`${name}\``;
}

const rangeText = ({ min, max }) => (min === undefined && max === undefined ? '' : `, ${min ?? ''} to ${max ?? ''}`);
const countText = ({ max }, unit) => (max === undefined ? '' : `, at most ${max} ${unit}`);
