import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measuredCasesTable } from '../../bench/capacity-table';
import { writeFiles, pinion } from '../cli/terminal';

const path = join(__dirname, '../../docs/capacity.md');
const page = readFileSync(path, 'utf8');
/** Files by the names before their blocks. */
const files = Object.fromEntries(
  [...page.matchAll(/`([a-z-]+\.yaml)`:\n\n```yaml\n([\s\S]*?)^```$/gm)].map(([, name = '', text = '']) => [
    name,
    text,
  ]),
);

/** The page with the current output of every command and the current table of measurements. */
async function updatedPage(): Promise<string> {
  writeFiles(files);
  let text = page.replace(
    /(^```text\n)[\s\S]*?(^```$)/m,
    (_, open: string, close: string) => `${open}${measuredCasesTable()}\n${close}`,
  );
  for (const [block, command = ''] of page.matchAll(/^```console\n\$ pinion ([^\n]*)\n[\s\S]*?^```$/gm)) {
    const [argv = '', filter] = command.split(' | ');
    const { code, out } = await pinion(argv.split(' '));
    expect([command, code]).toEqual([command, 0]);
    text = text.replace(
      block,
      () => `\`\`\`console\n$ pinion ${command}\n${filter ? linesAfter(out, filter) : out}\`\`\``,
    );
  }
  return text;
}

/** The output of `grep -A COUNT WORD`. */
function linesAfter(out: string, filter: string): string {
  const [, count = '0', word = ''] = /^grep -A (\d+) (\w+)$/.exec(filter) ?? [];
  const lines = out.split('\n');
  const first = lines.findIndex((line) => line.includes(word));
  expect(first).toBeGreaterThan(0);
  return `${lines.slice(first, first + Number(count) + 1).join('\n')}\n`;
}

test('the page shows the output of its commands', async () => {
  const text = await updatedPage();
  expect(text.match(/^```console$/gm)).toHaveLength(5);
  if (process.env['UPDATE_GOLDEN'] && text !== page) writeFileSync(path, text);
  expect(page).toBe(text);
});
