import { type Described, h, written } from './element';
import { failedNote } from './problem-list';
import { type Actions, type Question } from './state';
import { mayRepeat } from './page-transport';

/** Asks before something is done, and names what will happen. Escape, and what has the focus first, do nothing. */
export function questionDialog(question: Question, actions: Actions): Described {
  const { title, facts, warning, confirm, sending, failed } = question;
  const again = failed !== undefined && mayRepeat(failed);
  return h(
    'dialog',
    {
      key: 'question',
      id: 'question',
      'aria-labelledby': 'question-title',
      'aria-describedby': 'question-facts',
      on: { cancel: actions.dismiss },
    },
    h('h2', { id: 'question-title' }, written(title)),
    h(
      'ul',
      { id: 'question-facts', class: 'said' },
      facts.map((fact) => h('li', { key: fact }, written(fact))),
    ),
    warning !== undefined && h('p', { class: 'note loud' }, written(warning)),
    failed !== undefined && failedNote(failed, again ? 'Its result is unknown' : 'It was not done'),
    again && h('p', {}, 'Trying again is safe: it is done once, however often it is sent.'),
    h(
      'div',
      { class: 'actions' },
      h(
        'button',
        { type: 'button', id: 'dismiss', class: 'plain', autofocus: true, on: { click: actions.dismiss } },
        failed === undefined ? 'Cancel' : 'Close',
      ),
      (failed === undefined || again) &&
        h(
          'button',
          {
            type: 'button',
            id: 'confirm',
            class: 'main',
            'aria-disabled': sending ? 'true' : undefined,
            on: { click: actions.confirm },
          },
          sending ? 'Sending…' : again ? 'Try again' : confirm,
        ),
    ),
  );
}
