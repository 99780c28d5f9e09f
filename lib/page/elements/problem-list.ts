import { type DeploymentPreview, type ProblemDetails } from '../../contract';
import { bdi, h, type VNode } from '../dom/vnode';
import { type RequestFailure } from '../transport/page-transport';

type Problem = DeploymentPreview['problems'][number];

/** Returns a path in Kubernetes notation, such as spec.containers[0].image. */
export function pathText(path: readonly (string | number)[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    if (!/^[A-Za-z_$][\w$-]*$/.test(step)) return `${text}[${JSON.stringify(step)}]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');
}

/** Returns a value as JSON on one line, truncated to 120 characters. */
export function valueText(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= 120 ? text : `${text.slice(0, 117)}…`;
}

/** Returns problems with path, value, reason and remedy; undefined without problems. */
export function problemList(problems: readonly Problem[] | undefined): VNode | undefined {
  if (!problems || problems.length === 0) return undefined;
  return h('ul', { class: 'problems' }, problems.map(problemItem));
}

function problemItem({ code, path, value, reason, remedy, object, severity = 'error' }: Problem): VNode {
  const fieldPath = pathText(path);
  return h(
    'li',
    { class: severity },
    h(
      'p',
      {},
      h('strong', {}, severity === 'error' ? 'Error' : 'Warning'),
      ' ',
      object !== undefined && [bdi(object), ' '],
      fieldPath !== '' && h('code', {}, bdi(fieldPath)),
      value !== undefined && [' ', h('code', { class: 'value' }, bdi(valueText(value)))],
    ),
    h('p', {}, bdi(reason), '.'),
    h('p', { class: 'remedy' }, 'Fix: ', bdi(remedy), '.'),
    h('p', { class: 'muted code' }, code),
  );
}

/** Returns a note about a failed request with all problems that the service reported. */
export function failureNote(failed: RequestFailure, action: string): VNode {
  if (failed.kind === 'signed-out')
    return h('div', { class: 'note error' }, h('p', {}, `${action}: you are signed out.`));
  if (failed.kind === 'unreachable')
    return h('div', { class: 'note error' }, h('p', {}, `${action}: the service does not respond.`));
  return h(
    'div',
    { class: 'note error' },
    h('p', {}, `${action}: `, bdi(failed.failure.title), '.'),
    problemTexts(failed.failure),
  );
}

const problemTexts = ({ detail, problems }: ProblemDetails) => [
  detail !== undefined && h('p', {}, bdi(detail)),
  problemList(problems),
];
