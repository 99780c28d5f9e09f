import { bdi, h, type VNode } from '../dom/vnode';
import { failureNote } from '../elements/problem-list';
import { type Actions, type Confirmation } from '../state/state';
import { canRetry } from '../transport/page-transport';

/** Returns the dialog that confirms an action and lists its effects. Escape and the initially focused button cancel. */
export function confirmDialog(confirmation: Confirmation, actions: Actions): VNode {
  const { title, effects, warning, confirmLabel, dismissLabel = 'Cancel', sending, failed } = confirmation;
  const isRetryable = failed !== undefined && canRetry(failed);
  return h(
    'dialog',
    {
      key: 'confirmation',
      id: 'confirmation',
      'aria-labelledby': 'confirmation-title',
      'aria-describedby': 'confirmation-effects',
      on: { cancel: actions.dismiss },
    },
    h('h2', { id: 'confirmation-title' }, bdi(title)),
    h(
      'ul',
      { id: 'confirmation-effects', class: 'effects' },
      effects.map((effect) => h('li', { key: effect }, bdi(effect))),
    ),
    warning !== undefined && h('p', { class: 'note prominent' }, bdi(warning)),
    failed !== undefined && failureNote(failed, isRetryable ? 'The result is unknown' : 'The request failed'),
    isRetryable && h('p', {}, 'You can retry safely: the request takes effect only once.'),
    h(
      'div',
      { class: 'actions' },
      h(
        'button',
        { type: 'button', id: 'dismiss', class: 'plain', autofocus: true, on: { click: actions.dismiss } },
        failed === undefined ? dismissLabel : 'Close',
      ),
      (failed === undefined || isRetryable) &&
        h(
          'button',
          {
            type: 'button',
            id: 'confirm',
            class: 'main',
            'aria-disabled': sending ? 'true' : undefined,
            on: { click: actions.confirm },
          },
          sending ? 'Sending…' : isRetryable ? 'Retry' : confirmLabel,
        ),
    ),
  );
}
