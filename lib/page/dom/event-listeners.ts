import { type EventHandlers } from './vnode';

/** Current handlers of an element, the events it listens to, and a function that stops observing its size. */
interface ListenerState {
  handlers: EventHandlers;
  readonly added: Set<keyof EventHandlers>;
  stop?: () => void;
}

const listenerStates = new WeakMap<Element, ListenerState>();

/** Sets the handlers of an element and replaces its previous ones; undefined removes them. */
export function setListeners(node: Element, handlers: EventHandlers | undefined): void {
  const known = listenerStates.get(node);
  if (!known && !handlers) return;
  const state = known ?? { handlers: {}, added: new Set<keyof EventHandlers>() };
  state.handlers = handlers ?? {};
  listenerStates.set(node, state);
  if (!handlers) {
    state.stop?.();
    return;
  }
  for (const name of Object.keys(handlers) as (keyof EventHandlers)[]) {
    if (state.added.has(name)) continue;
    state.added.add(name);
    attach[name](node as HTMLElement, state);
  }
}

const attach: Readonly<Record<keyof EventHandlers, (node: HTMLElement, state: ListenerState) => void>> = {
  click: (node, state) => node.addEventListener('click', () => state.handlers.click?.()),
  input: (node, state) =>
    node.addEventListener('input', () => {
      if (hasValue(node)) state.handlers.input?.(node.value);
    }),
  toggle: (node, state) =>
    node.addEventListener('change', () => {
      if (node instanceof HTMLInputElement) state.handlers.toggle?.(node.checked);
    }),
  submit: (node, state) =>
    node.addEventListener('submit', (event) => {
      event.preventDefault();
      state.handlers.submit?.();
    }),
  keydown: (node, state) =>
    node.addEventListener('keydown', (event) =>
      state.handlers.keydown?.({
        key: event.key,
        modified: event.ctrlKey || event.altKey || event.metaKey,
        prevent: () => event.preventDefault(),
      }),
    ),
  cancel: (node, state) => {
    node.addEventListener('cancel', (event) => {
      event.preventDefault();
      state.handlers.cancel?.();
    });
    node.addEventListener('keydown', (event) => trapFocus(node, event));
  },
  viewport: (node, state) => {
    let [height, row] = [0, 40];
    const report = (): void => state.handlers.viewport?.({ top: node.scrollTop, height, row });
    node.addEventListener('scroll', report, { passive: true });
    // Height and row height change only with the size, so they are not measured on every scroll.
    const sizes = new ResizeObserver(() => {
      height = node.clientHeight;
      row = Number.parseFloat(getComputedStyle(node).getPropertyValue('--row-height')) || 40;
      report();
    });
    sizes.observe(node);
    state.stop = () => sizes.disconnect();
  },
};

const hasValue = (node: Element): node is HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement =>
  node instanceof HTMLInputElement || node instanceof HTMLSelectElement || node instanceof HTMLTextAreaElement;

/** Keeps Tab within a dialog: from the last focusable element to the first, and back. */
function trapFocus(dialog: Element, event: KeyboardEvent): void {
  if (event.key !== 'Tab') return;
  const focusable = [...dialog.querySelectorAll<HTMLElement>('a[href], button:not([disabled]), [tabindex="0"]')];
  const from = event.shiftKey ? focusable[0] : focusable.at(-1);
  const to = event.shiftKey ? focusable.at(-1) : focusable[0];
  if (!to || document.activeElement !== from) return;
  event.preventDefault();
  to.focus();
}
