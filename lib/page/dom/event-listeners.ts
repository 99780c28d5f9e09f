import { type EventHandlers } from './vnode';

/** Current handlers of an element, the events it listens to, and how to stop observing its size. */
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
  const now = known ?? { handlers: {}, added: new Set<keyof EventHandlers>() };
  now.handlers = handlers ?? {};
  listenerStates.set(node, now);
  if (!handlers) {
    now.stop?.();
    return;
  }
  for (const name of Object.keys(handlers) as (keyof EventHandlers)[]) {
    if (now.added.has(name)) continue;
    now.added.add(name);
    attach[name](node as HTMLElement, now);
  }
}

const attach: Readonly<Record<keyof EventHandlers, (node: HTMLElement, now: ListenerState) => void>> = {
  click: (node, now) => node.addEventListener('click', () => now.handlers.click?.()),
  input: (node, now) =>
    node.addEventListener('input', () => {
      if (hasValue(node)) now.handlers.input?.(node.value);
    }),
  tick: (node, now) =>
    node.addEventListener('change', () => {
      if (node instanceof HTMLInputElement) now.handlers.tick?.(node.checked);
    }),
  submit: (node, now) =>
    node.addEventListener('submit', (event) => {
      event.preventDefault();
      now.handlers.submit?.();
    }),
  press: (node, now) =>
    node.addEventListener('keydown', (event) =>
      now.handlers.press?.({
        key: event.key,
        modified: event.ctrlKey || event.altKey || event.metaKey,
        prevent: () => event.preventDefault(),
      }),
    ),
  cancel: (node, now) => {
    node.addEventListener('cancel', (event) => {
      event.preventDefault();
      now.handlers.cancel?.();
    });
    node.addEventListener('keydown', (event) => keepFocusWithin(node, event));
  },
  viewport: (node, now) => {
    let [height, row] = [0, 40];
    const report = (): void => now.handlers.viewport?.({ top: node.scrollTop, height, row });
    node.addEventListener('scroll', report, { passive: true });
    // Height and row height change only with the size, so they are not measured on every scroll.
    const sizes = new ResizeObserver(() => {
      height = node.clientHeight;
      row = Number.parseFloat(getComputedStyle(node).getPropertyValue('--row-height')) || 40;
      report();
    });
    sizes.observe(node);
    now.stop = () => sizes.disconnect();
  },
};

const hasValue = (node: Element): node is HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement =>
  node instanceof HTMLInputElement || node instanceof HTMLSelectElement || node instanceof HTMLTextAreaElement;

/** Keeps Tab within a dialog: from the last focusable element to the first, and back. */
function keepFocusWithin(dialog: Element, event: KeyboardEvent): void {
  if (event.key !== 'Tab') return;
  const takers = [...dialog.querySelectorAll<HTMLElement>('a[href], button:not([disabled]), [tabindex="0"]')];
  const from = event.shiftKey ? takers[0] : takers.at(-1);
  const to = event.shiftKey ? takers.at(-1) : takers[0];
  if (!to || document.activeElement !== from) return;
  event.preventDefault();
  to.focus();
}
