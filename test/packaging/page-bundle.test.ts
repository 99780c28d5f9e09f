import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(__dirname, '../../build/page');

test('the page bundles no schema library, whose probe for eval violates its content security policy', () => {
  const scripts = readdirSync(folder).filter((file) => file.endsWith('.js'));
  expect(scripts).toHaveLength(1);
  for (const script of scripts) {
    const text = readFileSync(join(folder, script), 'utf8');
    expect(text).toContain('text/event-stream');
    expect(text).not.toMatch(/ZodError|new Function|\bFunction\(/);
  }
});
