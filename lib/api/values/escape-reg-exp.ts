/** Returns a regular expression that matches a text only, for JavaScript and for CEL. */
export const escapeRegExp = (text: string): string => text.replace(/[\\^$.|?+()[\]{}*]/g, '\\$&');
