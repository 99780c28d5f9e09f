import { type Described, h } from './element';

/** A choice of one of several. */
export interface SelectParts {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly text: string }[];
  readonly choose: (value: string) => void;
  /** Why nothing can be chosen. @default - something can */
  readonly disabled?: boolean;
}

/** A labelled list of options; a value that is not among them is added, so that what is chosen is always seen. */
export function select({ id, label, value, options, choose, disabled = false }: SelectParts): Described {
  const isOffered = options.some((option) => option.value === value);
  const all = isOffered ? options : [...options, { value, text: value }];
  return h(
    'div',
    { class: 'field', key: id },
    h('label', { for: id }, label),
    h(
      'select',
      { id, value, disabled, on: { input: choose } },
      all.map((option) => h('option', { key: option.value, value: option.value }, option.text)),
    ),
  );
}
