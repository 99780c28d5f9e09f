// Writes etc/api-report/, the public API of each entry point of the package as declarations.
// With --check it writes nothing and fails if a report differs, so that every change to the public API is detected.
// --declarations FOLDER reads existing declarations instead of emitting them; --reports FOLDER replaces etc/api-report.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor';
import { firstDifference } from './generate/first-difference.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { values: options } = parseArgs({
  options: { check: { type: 'boolean' }, declarations: { type: 'string' }, reports: { type: 'string' } },
});
const reports = options.reports ?? join(root, 'etc', 'api-report');
const project = join(root, 'etc', 'api-report', 'tsconfig.json');

/** Declarations of each entry point, by the name of its report. */
const entryPoints = {
  'pinion.api.md': 'index.d.ts',
  'pinion-api.api.md': 'api/index.d.ts',
  'pinion-client.api.md': 'client/index.d.ts',
  'pinion-controller-runtime.api.md': 'controller-runtime/index.d.ts',
  'pinion-testing.api.md': 'testing/index.d.ts',
};

function emitDeclarations() {
  const compiler = join(root, 'node_modules', 'typescript-native', 'bin', 'tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', project], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  return join(root, 'build', 'declarations');
}

const silent = { default: { logLevel: 'none' } };

function reportOf(name, entry, folder) {
  const configObject = {
    projectFolder: root,
    mainEntryPointFilePath: entry,
    compiler: { tsconfigFilePath: project },
    apiReport: { enabled: true, reportFileName: name, reportFolder: folder, reportTempFolder: folder },
    docModel: { enabled: false },
    dtsRollup: { enabled: false },
    tsdocMetadata: { enabled: false },
    newlineKind: 'lf',
    messages: {
      compilerMessageReporting: silent,
      extractorMessageReporting: silent,
      tsdocMessageReporting: silent,
    },
  };
  const config = ExtractorConfig.prepare({
    configObject,
    configObjectFullPath: join(root, 'api-extractor.json'),
    packageJsonFullPath: join(root, 'package.json'),
  });
  const messageCallback = (message) => void (message.handled = message.logLevel !== 'error');
  const { succeeded } = Extractor.invoke(config, { localBuild: true, messageCallback });
  if (!succeeded) throw new Error(`${relative(root, entry)}: API Extractor failed`);
  return withoutUnusedImports(readFileSync(join(folder, name), 'utf8'));
}

/** API Extractor also lists imports, such as zod's classes, that only unexported declarations use. */
function withoutUnusedImports(report) {
  const lines = report.split('\n');
  const code = lines.filter((line) => !line.startsWith('import ')).join('\n');
  const isUsed = (name) => new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`).test(code);
  const importedName = /^import (?:type )?(?:\{ (?:\S+ as )?(\S+) \}|\* as (\S+)) from /;
  return lines
    .filter((line) => {
      const [, named, namespace] = importedName.exec(line) ?? [];
      return !line.startsWith('import ') || isUsed(named ?? namespace);
    })
    .join('\n');
}

const declarations = options.declarations ?? emitDeclarations();
const folder = mkdtempSync(join(tmpdir(), 'pinion-api-report-'));
const texts = new Map();
try {
  for (const [name, entry] of Object.entries(entryPoints))
    texts.set(name, reportOf(name, join(declarations, entry), folder));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const read = (name) => (existsSync(join(reports, name)) ? readFileSync(join(reports, name), 'utf8') : undefined);
const stale = [...texts].filter(([name, text]) => read(name) !== text);
if (options.check) {
  for (const [name, text] of stale)
    console.error(firstDifference(relative(root, join(reports, name)), read(name), text));
  if (stale.length > 0) {
    console.error(
      'The public API changed; read docs/public-api.md, run "npm run generate" and commit the changed reports.',
    );
    process.exitCode = 1;
  }
} else {
  mkdirSync(reports, { recursive: true });
  for (const [name, text] of stale) writeFileSync(join(reports, name), text);
  console.log(`${texts.size} API reports, ${stale.length} of them changed`);
}
