import { h, type VNode } from '../dom/vnode';

/** Returns the view shown when an internal error prevents rendering; it depends on nothing that could have failed. */
export const errorView = (reload: () => void): VNode =>
  h(
    'main',
    { class: 'view', key: 'broken' },
    h('h1', { id: 'title', tabindex: -1 }, 'The page cannot show this'),
    h(
      'p',
      { role: 'alert' },
      'An internal error of the page; no workload and no deployment is affected. ',
      'It tries again with everything that changes.',
    ),
    h(
      'p',
      { class: 'actions' },
      h('button', { type: 'button', id: 'reload', class: 'main', on: { click: reload } }, 'Reload the page'),
      h('a', { class: 'button', href: '#/' }, 'Go to the overview'),
    ),
    h('p', { class: 'quiet' }, 'Meanwhile the command ', h('code', {}, 'pinion status'), ' shows the same.'),
  );
