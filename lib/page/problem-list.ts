import { type DeploymentPreview, type ProblemDetails } from '../contract';
import { type Described, h, written } from './element';
import { type Failed } from './page-transport';

type Problem = DeploymentPreview['problems'][number];

/** A path as Kubernetes writes it, such as spec.containers[0].image. */
export function pathText(path: readonly (string | number)[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    if (!/^[A-Za-z_$][\w$-]*$/.test(step)) return `${text}[${JSON.stringify(step)}]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');
}

/** A value as JSON on one line, cut to 120 characters. */
export function valueText(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= 120 ? text : `${text.slice(0, 117)}…`;
}

/** Problems with path, value, reason and remedy; nothing where there are none. */
export function problemList(problems: readonly Problem[] | undefined): Described | undefined {
  if (!problems || problems.length === 0) return undefined;
  return h('ul', { class: 'problems' }, problems.map(problemItem));
}

function problemItem({ code, path, value, reason, remedy, object, severity = 'error' }: Problem): Described {
  const where = pathText(path);
  return h(
    'li',
    { class: severity },
    h(
      'p',
      {},
      h('strong', {}, severity === 'error' ? 'Error' : 'Warning'),
      ' ',
      object !== undefined && [written(object), ' '],
      where !== '' && h('code', {}, written(where)),
      value !== undefined && [' ', h('code', { class: 'value' }, written(valueText(value)))],
    ),
    h('p', {}, written(reason), '.'),
    h('p', { class: 'remedy' }, 'What to do: ', written(remedy), '.'),
    h('p', { class: 'quiet code' }, code),
  );
}

/** Why something is not there, with all problems that the service named. */
export function failedNote(failed: Failed, what: string): Described {
  if (failed.kind === 'signed-out') return h('div', { class: 'note bad' }, h('p', {}, `${what}: you are signed out.`));
  if (failed.kind === 'unreachable')
    return h('div', { class: 'note bad' }, h('p', {}, `${what}: the service does not answer.`));
  return h(
    'div',
    { class: 'note bad' },
    h('p', {}, `${what}: `, written(failed.failure.title), '.'),
    problemTexts(failed.failure),
  );
}

const problemTexts = ({ detail, problems }: ProblemDetails) => [
  detail !== undefined && h('p', {}, written(detail)),
  problemList(problems),
];
