import { explainProblem, type Problem } from '../api';

/** Formats the notes of a synthesis: all warnings, and whether the built-in Platform was used; empty if there are none. */
export function synthNote({
  warnings,
  platform,
}: {
  readonly warnings: readonly Problem[];
  readonly platform?: string;
}): string {
  const lines = warnings.map(explainProblem);
  if (platform === 'built-in')
    lines.push('the built-in Platform was used: no pinion.platform.yaml was found in this folder or its parents');
  return lines.map((line) => `pinion: ${line}\n`).join('');
}
