import { setListeners } from './event-listeners';
import { type Props, type VNode } from './vnode';

/** Element of the document with the virtual node that it shows. */
interface MountedNode {
  vnode: VNode;
  readonly node: Element;
  children: (MountedNode | Text)[];
}

/**
 * Returns a function that updates the document to a virtual node and changes only what differs. If an update fails, it empties
 * the container, because a partial update cannot be continued.
 */
export function createPatcher(container: Element): (vnode: VNode) => void {
  let shown: MountedNode | undefined;
  const show = (vnode: VNode): void => {
    if (shown && canUpdate(shown, vnode)) return update(shown, vnode);
    if (shown) remove(shown);
    shown = create(vnode);
    container.append(shown.node);
    afterInsert(shown);
  };
  return (vnode) => {
    try {
      show(vnode);
    } catch (error) {
      if (shown) beforeRemove(shown);
      shown = undefined;
      container.replaceChildren();
      throw error;
    }
  };
}

const keyOf = (vnode: VNode, index: number): string => `${vnode.tag} ${vnode.props.key ?? index}`;
const canUpdate = (shown: MountedNode, next: VNode): boolean =>
  shown.vnode.tag === next.tag && shown.vnode.props.key === next.props.key;

function create(vnode: VNode): MountedNode {
  const node = document.createElement(vnode.tag);
  const shown: MountedNode = { vnode, node, children: vnode.children.map((child) => createChild(child)) };
  node.append(...shown.children.map((child) => ('node' in child ? child.node : child)));
  setProps(node, {}, vnode.props);
  return shown;
}

const createChild = (child: VNode | string): MountedNode | Text =>
  typeof child === 'string' ? document.createTextNode(child) : create(child);

/** Opens dialogs and adds listeners, which needs an element that is in the document. */
function afterInsert(shown: MountedNode): void {
  const { node, vnode } = shown;
  if (node instanceof HTMLDialogElement && !node.open) node.showModal();
  setListeners(node, vnode.props.on);
  for (const child of shown.children) if ('node' in child) afterInsert(child);
}

function remove(child: MountedNode | Text): void {
  if (!('node' in child)) return child.remove();
  beforeRemove(child);
  child.node.remove();
}

/** Removes listeners and closes dialogs; a closed dialog returns the focus to where it was. */
function beforeRemove(shown: MountedNode): void {
  setListeners(shown.node, undefined);
  for (const child of shown.children) if ('node' in child) beforeRemove(child);
  if (shown.node instanceof HTMLDialogElement) shown.node.close();
}

function update(shown: MountedNode, next: VNode): void {
  const previous = shown.vnode;
  if (previous === next) return;
  shown.vnode = next;
  updateChildren(shown, next.children);
  setProps(shown.node, previous.props, next.props);
  setListeners(shown.node, next.props.on);
}

function updateChildren(shown: MountedNode, next: readonly (VNode | string)[]): void {
  const remaining = new Map<string, MountedNode | Text>();
  shown.children.forEach((child, index) => remaining.set(keyOfShown(child, index), child));
  const added: MountedNode[] = [];
  const children = next.map((child, index) => {
    const key = typeof child === 'string' ? `text ${index}` : keyOf(child, index);
    const found = remaining.get(key);
    remaining.delete(key);
    if (found) return updateChild(found, child);
    const created = createChild(child);
    if ('node' in created) added.push(created);
    return created;
  });
  for (const child of remaining.values()) remove(child);
  arrange(shown.node, children);
  shown.children = children;
  added.forEach(afterInsert);
}

const keyOfShown = (child: MountedNode | Text, index: number): string =>
  'node' in child ? keyOf(child.vnode, index) : `text ${index}`;

function updateChild(found: MountedNode | Text, next: VNode | string): MountedNode | Text {
  if ('node' in found) update(found, next as VNode);
  else if (found.data !== next) found.data = next as string;
  return found;
}

/** Puts children in order; those already in place are not moved, because moving an element drops its focus. */
function arrange(parent: Element, children: readonly (MountedNode | Text)[]): void {
  let cursor = parent.firstChild;
  for (const child of children) {
    const node = 'node' in child ? child.node : child;
    if (node === cursor) cursor = cursor.nextSibling;
    else parent.insertBefore(node, cursor);
  }
}

function setProps(node: Element, previous: Props, next: Props): void {
  for (const name of new Set([...Object.keys(previous), ...Object.keys(next)])) {
    if (name === 'key' || name === 'on') continue;
    if (name === 'style') setStyle(node as HTMLElement, previous.style, next.style);
    else setAttribute(node, name, previous[name as keyof Props], next[name as keyof Props]);
  }
}

function setStyle(node: HTMLElement, previous: Props['style'] = {}, next: Props['style'] = {}): void {
  for (const name of Object.keys(previous)) if (!(name in next)) node.style.removeProperty(name);
  for (const [name, value] of Object.entries(next)) if (previous[name] !== value) node.style.setProperty(name, value);
}

function setAttribute(node: Element, name: string, previous: unknown, next: unknown): void {
  if (name === 'value' && 'value' in node) {
    if (node.value !== (next ?? '')) node.value = next ?? '';
    return;
  }
  if (name === 'checked' && node instanceof HTMLInputElement) {
    node.checked = next === true;
    return;
  }
  if (previous === next) return;
  if (next === undefined || next === false) node.removeAttribute(name);
  else node.setAttribute(name, next === true ? '' : String(next));
}
