// Renders the commands in docs/cli.md as Markdown, from the descriptions that also define the parser and the help.
import { cell } from './markers.mjs';

/** Returns the reference of all commands below `entry`. */
export function commandReference({ rootCommand, isCommandGroup, usageLine, optionLabel, optionText, argumentLabel }) {
  const table = (head, rows) =>
    rows.length === 0
      ? []
      : [
          [
            `| ${head} | Description |`,
            '| --- | --- |',
            ...rows.map(([left, right]) => `| \`${cell(left)}\` | ${cell(right)} |`),
          ].join('\n'),
        ];

  const section = (path, summary, command) => {
    const examples = (command.examples ?? []).flatMap(({ command: line, description }) =>
      description === undefined ? [line] : [`# ${description}`, line],
    );
    return [
      `### pinion ${path.join(' ')}`,
      `${summary[0].toUpperCase()}${summary.slice(1)}.`,
      `    ${usageLine(path, command)}`,
      ...(command.description === undefined ? [] : [paragraphs(command.description)]),
      ...table(
        'Argument',
        Object.values(command.arguments ?? {}).map((one) => [argumentLabel(one), one.description]),
      ),
      ...table(
        'Option',
        Object.entries(command.options ?? {}).map(([name, one]) => [optionLabel(name, one), optionText(one)]),
      ),
      ...(examples.length === 0 ? [] : ['Examples:', examples.map((line) => `    ${line}`).join('\n')]),
    ].join('\n\n');
  };

  const sections = (entry, path) => {
    const command = entry.load();
    const below = Object.entries(command.subcommands ?? {}).flatMap(([name, one]) => sections(one, [...path, name]));
    if (!isCommandGroup(command)) return [section(path, entry.summary, command), ...below];
    const about = command.description === undefined || path.length === 0 ? [] : [group(path, entry.summary, command)];
    return [...about, ...below];
  };

  const group = (path, summary, command) =>
    [
      `### pinion ${path.join(' ')}`,
      `${summary[0].toUpperCase()}${summary.slice(1)}.`,
      paragraphs(command.description),
    ].join('\n\n');

  return sections(rootCommand, []).join('\n\n');
}

/** Indented lines are a definition list in the help, and a code block here. */
const paragraphs = (text) =>
  text
    .split(/\n\s*\n/)
    .map((paragraph) => (paragraph.startsWith('  ') ? paragraph.replaceAll(/^/gm, '  ') : paragraph))
    .map((paragraph) => (paragraph.startsWith('    ') ? paragraph : paragraph.replaceAll(/[<>*]/g, '\\$&')))
    .join('\n\n');
