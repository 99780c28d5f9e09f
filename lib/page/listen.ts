import { type Handlers } from './element';

/** What an element hears now, and how it stops listening to its size. */
interface Listening {
  handlers: Handlers;
  readonly added: Set<keyof Handlers>;
  stop?: () => void;
}

const listening = new WeakMap<Element, Listening>();

/** Lets an element call these handlers from now on, and no others; none where undefined is given. */
export function setListeners(node: Element, handlers: Handlers | undefined): void {
  const known = listening.get(node);
  if (!known && !handlers) return;
  const now = known ?? { handlers: {}, added: new Set<keyof Handlers>() };
  now.handlers = handlers ?? {};
  listening.set(node, now);
  if (!handlers) {
    now.stop?.();
    return;
  }
  for (const name of Object.keys(handlers) as (keyof Handlers)[]) {
    if (now.added.has(name)) continue;
    now.added.add(name);
    attach[name](node as HTMLElement, now);
  }
}

const attach: Readonly<Record<keyof Handlers, (node: HTMLElement, now: Listening) => void>> = {
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
    // What only another size changes is not asked for with every scroll.
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

/** From the last thing in a dialog that takes the focus, Tab leads to the first, and back. */
function keepFocusWithin(dialog: Element, event: KeyboardEvent): void {
  if (event.key !== 'Tab') return;
  const takers = [...dialog.querySelectorAll<HTMLElement>('a[href], button:not([disabled]), [tabindex="0"]')];
  const from = event.shiftKey ? takers[0] : takers.at(-1);
  const to = event.shiftKey ? takers.at(-1) : takers[0];
  if (!to || document.activeElement !== from) return;
  event.preventDefault();
  to.focus();
}
