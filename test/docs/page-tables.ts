import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Text of a page of the documentation, by its file name. */
export const pageText = (name: string): string => readFileSync(join(__dirname, '../../docs', name), 'utf8');

/** Cells of the table between two marks of a page, its head apart. */
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
