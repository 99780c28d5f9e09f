import { textOf } from '../../output/object-text';
import { type ImportedWorkload } from './import-workload';

/** Returns the YAML of an import. Its leading comments describe the effect on the old workload and what to review. */
export function importedText({ document, adoption, notes }: ImportedWorkload, origin: string): string {
  const lines = [`Made by "pinion import" from ${origin}.`, '', ...adoption.sentences];
  if (notes.length > 0)
    lines.push('', 'Please look at:', ...notes.map(({ about, message }) => `- ${about}: ${message}`));
  return (
    lines
      .flatMap((line) => wrapped(line))
      .map((line) => `# ${line}`.trimEnd() + '\n')
      .join('') + textOf([document], 'yaml')
  );
}

/** Lines of at most 118 characters; a continued one is indented. */
function wrapped(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length + 1 > 116) {
      lines.push(line);
      line = `  ${word}`;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
