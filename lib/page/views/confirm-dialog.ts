import { bdi, h, type VNode } from '../dom/vnode';
import { failureNote } from '../elements/problem-list';
import { type Actions, type Confirmation } from '../state/state';
import { canRetry } from '../transport/page-transport';

/** Returns the dialog that confirms an action and lists its effects. Escape and the initially focused button cancel. */
export function confirmDialog(confirmation: Confirmation, actions: Actions): VNode {
  const { title, effects, warning, confirmLabel, sending, failed } = confirmation;
  const again = failed !== undefined && canRetry(failed);
  return h(
    'dialog',
    {
      key: 'question',
      id: 'question',
      'aria-labelledby': 'question-title',
      'aria-describedby': 'question-facts',
      on: { cancel: actions.dismiss },
    },
    h('h2', { id: 'question-title' }, bdi(title)),
    h(
      'ul',
      { id: 'question-facts', class: 'said' },
      effects.map((fact) => h('li', { key: fact }, bdi(fact))),
    ),
    warning !== undefined && h('p', { class: 'note loud' }, bdi(warning)),
    failed !== undefined && failureNote(failed, again ? 'Its result is unknown' : 'It was not done'),
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
          sending ? 'Sending…' : again ? 'Try again' : confirmLabel,
        ),
    ),
  );
}
