/** Value of an attribute; absent if false or undefined, empty if true. */
type Attribute = string | number | boolean | undefined;

/** Attributes that the page sets; none of them runs a script or loads anything. */
type Attributes = {
  readonly [
    name in
      | `aria-${string}`
      | `data-${string}`
      | 'autocomplete'
      | 'autofocus'
      | 'checked'
      | 'class'
      | 'colspan'
      | 'datetime'
      | 'disabled'
      | 'for'
      | 'hidden'
      | 'href'
      | 'id'
      | 'maxlength'
      | 'minlength'
      | 'name'
      | 'open'
      | 'placeholder'
      | 'rel'
      | 'role'
      | 'rows'
      | 'scope'
      | 'selected'
      | 'spellcheck'
      | 'tabindex'
      | 'title'
      | 'type'
      | 'value'
  ]?: Attribute;
};

/** Key press. */
export interface KeyPress {
  /** Name of the key as browsers report it, such as ArrowDown. */
  readonly key: string;
  /** Whether Control, Alt or Command was held. */
  readonly modified: boolean;
  /** Prevents the browser's default action. */
  readonly prevent: () => void;
}

/** Visible part of a scrolled element, in pixels. */
export interface Viewport {
  readonly top: number;
  readonly height: number;
  /** Height of a row, as set in the style sheet. */
  readonly row: number;
}

/** Event handlers of an element. */
export interface EventHandlers {
  readonly click?: () => void;
  /** Called with the typed text or the selected option. */
  readonly input?: (value: string) => void;
  /** Called with whether a checkbox is checked. */
  readonly toggle?: (checked: boolean) => void;
  readonly submit?: () => void;
  readonly keydown?: (press: KeyPress) => void;
  /** Called when the element is first shown, scrolled or resized. */
  readonly viewport?: (viewport: Viewport) => void;
  /** Called on Escape in a dialog. */
  readonly cancel?: () => void;
}

/** Properties other than attributes: key, event handlers and computed styles. */
interface VNodeExtras {
  /** Identifies an element among its siblings. @default - its position among siblings of the same tag */
  readonly key?: string;
  readonly on?: EventHandlers;
  /** Style properties, set through the object model because the content security policy forbids inline styles. */
  readonly style?: Readonly<Record<string, string>>;
}

/** Attributes, handlers and style of an element. */
export type Props = Attributes & VNodeExtras;

/** Virtual node: description of an element. */
export interface VNode {
  readonly tag: string;
  readonly props: Props;
  readonly children: readonly (VNode | string)[];
}

/** Children of an element; false and undefined are omitted, arrays are flattened. */
export type VNodeChild = VNode | string | false | undefined | readonly VNodeChild[];

/** Creates a virtual node; text in it is never parsed as HTML. */
export function h(tag: string, props: Props = {}, ...children: readonly VNodeChild[]): VNode {
  return { tag, props, children: flatten(children) };
}

/** Returns external text in a bdi element, so that its writing direction does not affect the text around it. */
export const bdi = (text: string): VNode => h('bdi', {}, text);

function flatten(children: readonly VNodeChild[]): (VNode | string)[] {
  return children.flatMap((child) => {
    if (child === false || child === undefined || child === '') return [];
    return Array.isArray(child) ? flatten(child) : [child as VNode | string];
  });
}
