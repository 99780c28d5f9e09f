import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the text of a documentation page by its file name. */
export const pageText = (name: string): string => readFileSync(join(__dirname, '../../docs', name), 'utf8');

/** Returns the cells of the table between two markers of a page, without its header. */
export const tableOf = (page: string, mark: string): string[][] =>
  (page.split(`<!-- ${mark}:begin -->`)[1]?.split(`<!-- ${mark}:end -->`)[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
