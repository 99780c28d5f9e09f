import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { type Recorded } from './recorded-run';

const root = join(__dirname, '../..');

const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.Node20,
  paths: { '@pulumi/*': [join(root, 'node_modules/@pulumi/*')] },
};

/** Returns the argument type of a resource in the provider's package: `ec2.VpcArgs` for `aws:ec2/vpc:Vpc`. */
function argsTypeOf({ type }: Recorded): { readonly service: string; readonly name: string } {
  const [, module = '', name = ''] = type.split(':');
  return { service: module.split('/')[0] ?? '', name: `${name}Args` };
}

/** Renders arguments as literals of the provider's published types, which allow no unknown field. */
function sourceOf(resources: readonly Recorded[]): string {
  const services = [...new Set(resources.map((one) => argsTypeOf(one).service))];
  return [
    ...services.map((service) => `import type * as ${service} from '@pulumi/aws/${service}';`),
    ...resources.map((one, index) => {
      const { service, name } = argsTypeOf(one);
      return `export const argument${index}: ${service}.${name} = ${JSON.stringify(one.inputs)};`;
    }),
  ].join('\n');
}

/** Returns compiler errors for the sent arguments, written as literals in `file`; each names its resource. */
export function typeErrors(resources: readonly Recorded[], file: string): string[] {
  writeFileSync(file, sourceOf(resources));
  const host = ts.createCompilerHost(options);
  // Most of the provider's twenty megabytes are documentation.
  host.jsDocParsingMode = ts.JSDocParsingMode.ParseNone;
  const program = ts.createProgram([file], options, host);
  const imports = new Set(resources.map((one) => argsTypeOf(one).service)).size;
  const source = program.getSourceFile(file);
  return ts.getPreEmitDiagnostics(program, source).map(({ start = 0, messageText }) => {
    const line = source?.getLineAndCharacterOfPosition(start).line ?? 0;
    return `${resources[line - imports]?.urn ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}
