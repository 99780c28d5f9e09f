import { type Described, type Props } from './element';
import { setListeners } from './listen';

/** An element of the document and what it was last described as. */
interface Shown {
  described: Described;
  readonly node: Element;
  children: (Shown | Text)[];
}

/**
 * Returns a function that updates an element to a description and changes only what differs. If an update fails, it empties the
 * element, because a partial update cannot be continued.
 */
export function createPatcher(place: Element): (described: Described) => void {
  let shown: Shown | undefined;
  const show = (described: Described): void => {
    if (shown && canBecome(shown, described)) return update(shown, described);
    if (shown) remove(shown);
    shown = create(described);
    place.append(shown.node);
    settle(shown);
  };
  return (described) => {
    try {
      show(described);
    } catch (error) {
      if (shown) release(shown);
      shown = undefined;
      place.replaceChildren();
      throw error;
    }
  };
}

const keyOf = (described: Described, place: number): string => `${described.tag} ${described.props.key ?? place}`;
const canBecome = (shown: Shown, next: Described): boolean =>
  shown.described.tag === next.tag && shown.described.props.key === next.props.key;

function create(described: Described): Shown {
  const node = document.createElement(described.tag);
  const shown: Shown = { described, node, children: described.children.map((child) => createChild(child)) };
  node.append(...shown.children.map((child) => ('node' in child ? child.node : child)));
  setProps(node, {}, described.props);
  return shown;
}

const createChild = (child: Described | string): Shown | Text =>
  typeof child === 'string' ? document.createTextNode(child) : create(child);

/** What can be done only to an element that is in the document. */
function settle(shown: Shown): void {
  const { node, described } = shown;
  if (node instanceof HTMLDialogElement && !node.open) node.showModal();
  setListeners(node, described.props.on);
  for (const child of shown.children) if ('node' in child) settle(child);
}

function remove(child: Shown | Text): void {
  if (!('node' in child)) return child.remove();
  release(child);
  child.node.remove();
}

/** A dialog that is closed gives the focus back to where it was. */
function release(shown: Shown): void {
  setListeners(shown.node, undefined);
  for (const child of shown.children) if ('node' in child) release(child);
  if (shown.node instanceof HTMLDialogElement) shown.node.close();
}

function update(shown: Shown, next: Described): void {
  const former = shown.described;
  if (former === next) return;
  shown.described = next;
  updateChildren(shown, next.children);
  setProps(shown.node, former.props, next.props);
  setListeners(shown.node, next.props.on);
}

function updateChildren(shown: Shown, next: readonly (Described | string)[]): void {
  const left = new Map<string, Shown | Text>();
  shown.children.forEach((child, place) => left.set(keyOfShown(child, place), child));
  const fresh: Shown[] = [];
  const children = next.map((child, place) => {
    const key = typeof child === 'string' ? `text ${place}` : keyOf(child, place);
    const found = left.get(key);
    left.delete(key);
    if (found) return revise(found, child);
    const made = createChild(child);
    if ('node' in made) fresh.push(made);
    return made;
  });
  for (const child of left.values()) remove(child);
  arrange(shown.node, children);
  shown.children = children;
  fresh.forEach(settle);
}

const keyOfShown = (child: Shown | Text, place: number): string =>
  'node' in child ? keyOf(child.described, place) : `text ${place}`;

function revise(found: Shown | Text, next: Described | string): Shown | Text {
  if ('node' in found) update(found, next as Described);
  else if (found.data !== next) found.data = next as string;
  return found;
}

/** What already stands where it should is not moved: moving takes the focus away. */
function arrange(parent: Element, children: readonly (Shown | Text)[]): void {
  let here = parent.firstChild;
  for (const child of children) {
    const node = 'node' in child ? child.node : child;
    if (node === here) here = here.nextSibling;
    else parent.insertBefore(node, here);
  }
}

function setProps(node: Element, former: Props, next: Props): void {
  for (const name of new Set([...Object.keys(former), ...Object.keys(next)])) {
    if (name === 'key' || name === 'on') continue;
    if (name === 'style') setStyle(node as HTMLElement, former.style, next.style);
    else setAttribute(node, name, former[name as keyof Props], next[name as keyof Props]);
  }
}

function setStyle(node: HTMLElement, former: Props['style'] = {}, next: Props['style'] = {}): void {
  for (const name of Object.keys(former)) if (!(name in next)) node.style.removeProperty(name);
  for (const [name, value] of Object.entries(next)) if (former[name] !== value) node.style.setProperty(name, value);
}

function setAttribute(node: Element, name: string, former: unknown, next: unknown): void {
  if (name === 'value' && 'value' in node) {
    if (node.value !== (next ?? '')) node.value = next ?? '';
    return;
  }
  if (name === 'checked' && node instanceof HTMLInputElement) {
    node.checked = next === true;
    return;
  }
  if (former === next) return;
  if (next === undefined || next === false) node.removeAttribute(name);
  else node.setAttribute(name, next === true ? '' : String(next));
}
