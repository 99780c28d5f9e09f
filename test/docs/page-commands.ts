/** A pinion command line on a page. */
export interface ShownCommand {
  readonly text: string;
  /** The arguments after `pinion`, with values for placeholders. */
  readonly argv: readonly string[];
}

/** Values of placeholders whose lower-case name would not be valid. */
const examples: Readonly<Record<string, string>> = {
  URLS: 'https://127.0.0.1:1',
  URL: 'http://127.0.0.1:1',
  SIZE: '8Gi',
  IMAGE: 'registry.example.com/pinion/program:0.2.0',
  NAME: 'name',
};

/** Lists the pinion command lines in the code blocks of a page: indented, or fenced without a language, as `sh` or `console`. */
export function commandsInBlocks(page: string): ShownCommand[] {
  const fenced = [...page.matchAll(/^ *```(\w*)\n([\s\S]*?)^ *```$/gm)]
    .filter(([, language = '']) => ['', 'sh', 'bash', 'console'].includes(language))
    .map(([, , block = '']) => block);
  const indented = page.replace(/^ *```[\s\S]*?^ *```$/gm, '').match(/^ {4,}\S.*$/gm) ?? [];
  return [...fenced, indented.join('\n')].flatMap((block) =>
    block
      .replace(/\\\n\s*/g, ' ')
      .split('\n')
      .flatMap(commandsOf),
  );
}

/** Lists the pinion command lines in the sentences of a page. */
export const commandsInSentences = (page: string): ShownCommand[] =>
  [...page.matchAll(/`((?:npx --no-install )?pinion [^`]+)`/g)].flatMap(([, text = '']) => commandsOf(text));

/** Lists the pinion commands in a shell line. */
const commandsOf = (line: string): ShownCommand[] =>
  line
    .replace(/ +#.*$/, '')
    .split(/\|(?!\w)|&&|;|<\(/)
    .map((part) => /^\s*(?:\$ )?(?:npx --no-install )?pinion ([a-z]+(?: .*)?)$/.exec(part)?.[1])
    .filter((text) => text !== undefined)
    .map((text) => text.replace(/\)?\s*(>.*)?$/, ''))
    .map((text) => ({ text: `pinion ${text}`, argv: wordsOf(text) }));

const wordsOf = (text: string): string[] =>
  (text.match(/(?:"[^"]*"|'[^']*'|\S)+/g) ?? [])
    .map((word) => word.replace(/["']/g, ''))
    .map((word) =>
      word.replace(/\$?\b[A-Z]{2,}\b(?![_=])/g, (placeholder) => examples[placeholder] ?? placeholder.toLowerCase()),
    );
