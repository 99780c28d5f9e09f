/** Terminal control characters other than tabs and line ends. */
const controlCharacters = new RegExp(
  '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069]',
  'g',
);

/** Returns external text without terminal control characters. */
export const printable = (text: string): string => text.replace(controlCharacters, '\ufffd');

/** Returns external text on one line, without control characters. */
export const onOneLine = (text: string): string => printable(text.trim().replace(/\s*[\r\n]+\s*/g, ' '));
