import { explainProblem, type Problem } from '../api';

/** Formats the notes of a synthesis: every warning, and that the built-in Platform was used; empty if there is neither. */
export function synthNote({
  warnings,
  platform,
}: {
  readonly warnings: readonly Problem[];
  readonly platform?: string;
}): string {
  const lines = warnings.map(explainProblem);
  if (platform === 'built-in')
    lines.push('the built-in Platform was used: no pinion.platform.yaml was found here or above');
  return lines.map((line) => `pinion: ${line}\n`).join('');
}
