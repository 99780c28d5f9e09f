/** Value of an attribute; absent if false or undefined, empty if true. */
type Attribute = string | number | boolean | undefined;

/** All attributes that the page sets: none of them runs a script or loads anything. */
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

/** A key that was pressed. */
export interface KeyPress {
  /** As browsers name it, such as ArrowDown. */
  readonly key: string;
  /** Whether Control, Alt or the command key was held. */
  readonly modified: boolean;
  /** Keeps the browser from doing what it would do. */
  readonly prevent: () => void;
}

/** What shows of a scrolled element, in pixels. */
export interface Viewport {
  readonly top: number;
  readonly height: number;
  /** Height of a row, as the style sheet has it. */
  readonly row: number;
}

/** What is called when something happens to an element. */
export interface Handlers {
  readonly click?: () => void;
  /** Text that is typed, or the option that is chosen. */
  readonly input?: (value: string) => void;
  /** Whether a box is ticked now. */
  readonly tick?: (checked: boolean) => void;
  readonly submit?: () => void;
  readonly press?: (press: KeyPress) => void;
  /** Called once it is shown, and when it is scrolled or sized. */
  readonly viewport?: (seen: Viewport) => void;
  /** Escape in a dialog. */
  readonly cancel?: () => void;
}

/** Beside the attributes: what keeps an element itself while others come and go, what it hears, and computed lengths. */
interface Extras {
  /** Identifies an element among its siblings. @default - its position among those of the same tag */
  readonly key?: string;
  readonly on?: Handlers;
  /** Properties of the element's own style, set through the object model, as the page's policy asks. */
  readonly style?: Readonly<Record<string, string>>;
}

/** Attributes, handlers and style of an element. */
export type Props = Attributes & Extras;

/** An element as it should be. */
export interface Described {
  readonly tag: string;
  readonly props: Props;
  readonly children: readonly (Described | string)[];
}

/** Children of an element; false and undefined are omitted, arrays are spread. */
export type ElementChild = Described | string | false | undefined | readonly ElementChild[];

/** Describes an element; text in it stays text. */
export function h(tag: string, props: Props = {}, ...children: readonly ElementChild[]): Described {
  return { tag, props, children: flatten(children) };
}

/** External text, isolated so that its writing direction does not affect the text around it. */
export const written = (text: string): Described => h('bdi', {}, text);

function flatten(children: readonly ElementChild[]): (Described | string)[] {
  return children.flatMap((child) => {
    if (child === false || child === undefined || child === '') return [];
    return Array.isArray(child) ? flatten(child) : [child as Described | string];
  });
}
