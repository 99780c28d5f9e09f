import { h, type VNode } from '../dom/vnode';

/** Returns the view shown when an internal error prevents rendering; it depends on nothing that could have failed. */
export const errorView = (reload: () => void): VNode =>
  h(
    'main',
    { class: 'view', key: 'broken' },
    h('h1', { id: 'title', tabindex: -1 }, 'This view could not be displayed'),
    h(
      'p',
      { role: 'alert' },
      'An internal error occurred in this page. Workloads and deployments are not affected. ',
      'The page tries again with the next update.',
    ),
    h(
      'p',
      { class: 'actions' },
      h('button', { type: 'button', id: 'reload', class: 'main', on: { click: reload } }, 'Reload the page'),
      h('a', { class: 'button', href: '#/' }, 'Go to the overview'),
    ),
    h('p', { class: 'muted' }, 'You can also run ', h('code', {}, 'pinion status'), '.'),
  );
