import { type Described, h } from './element';

/** What is shown while a defect keeps the page from showing what it knows; it leans on nothing that could have failed. */
export const brokenView = (reload: () => void): Described =>
  h(
    'main',
    { class: 'view', key: 'broken' },
    h('h1', { id: 'title', tabindex: -1 }, 'The page cannot show this'),
    h(
      'p',
      { role: 'alert' },
      'A defect of the page itself stands in the way; no workload and no deployment is touched by it. ',
      'It tries again with everything that changes.',
    ),
    h(
      'p',
      { class: 'actions' },
      h('button', { type: 'button', id: 'reload', class: 'main', on: { click: reload } }, 'Load the page anew'),
      h('a', { class: 'button', href: '#/' }, 'Go to the overview'),
    ),
    h('p', { class: 'quiet' }, 'Meanwhile the command ', h('code', {}, 'pinion status'), ' tells the same.'),
  );
