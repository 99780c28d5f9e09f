/** Escapes text of manifests, which could otherwise be Markdown, HTML or a mention. */
export const escapeMarkdown = (text: string): string =>
  text.replace(/[\\`*_[\]<>|#&@~]/g, (character) => `&#${character.charCodeAt(0)};`);
