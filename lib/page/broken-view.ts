import { type Described, h } from './element';

/** Shown when an internal error keeps the page from rendering; it uses nothing that could have failed. */
export const brokenView = (reload: () => void): Described =>
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
