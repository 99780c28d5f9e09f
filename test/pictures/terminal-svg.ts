const [charWidth, lineHeight, margin, bar] = [7.83, 19, 18, 34];

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Draws text as a terminal window shows it; a first line that begins with `$` is the command. */
export function terminalSvg(title: string, text: string): string {
  const lines = text.trimEnd().split('\n');
  const width = Math.ceil(Math.max(...lines.map((line) => line.length)) * charWidth + 2 * margin);
  const height = bar + lines.length * lineHeight + 2 * margin;
  const rows = lines.map((line, index) => {
    const y = bar + margin + 12 + index * lineHeight;
    const isCommand = index === 0 && line.startsWith('$');
    const isHeading = /^[A-Z][A-Z ]+$/.test(line);
    return `<text${isCommand ? ' class="command"' : isHeading ? ' class="heading"' : ''} x="${margin}" y="${y}" xml:space="preserve">${escape(line)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escape(title)}">
<style>text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#c9d1d9;white-space:pre}.command{fill:#7ee787}.heading{fill:#8b949e}.title{font-family:system-ui,sans-serif;fill:#8b949e;text-anchor:middle}</style>
<rect width="${width}" height="${height}" rx="8" fill="#161b22" stroke="#484f58"/>
<circle cx="20" cy="17" r="6" fill="#ff5f57"/><circle cx="40" cy="17" r="6" fill="#febc2e"/><circle cx="60" cy="17" r="6" fill="#28c840"/>
<text class="title" x="${width / 2}" y="22">${escape(title)}</text>
${rows.join('\n')}
</svg>
`;
}
