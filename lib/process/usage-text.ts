/** Flag of a program, as `parseArgs` of `node:util` takes it, and what it does. */
interface DescribedFlag {
  readonly type: 'string' | 'boolean';
  readonly default?: string | boolean;
  readonly what: string;
}

/** Returns the usage text of a program: its name, what it does, and its flags with their defaults. */
export function usageText(program: string, purpose: string, flags: Readonly<Record<string, DescribedFlag>>): string {
  const lines = Object.entries(flags).map(([name, flag]) => {
    const value = flag.type === 'string' ? ` ${name.toUpperCase().replaceAll('-', '_')}` : '';
    const isShown = flag.default !== undefined && flag.default !== false;
    return `  --${`${name}${value}`.padEnd(34)} ${flag.what}${isShown ? ` [${String(flag.default)}]` : ''}`;
  });
  return `Usage: ${program} [FLAG…]\n\n${purpose}\n\n${lines.join('\n')}\n`;
}
