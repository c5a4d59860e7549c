import { basename, join, relative } from 'node:path';
import ts from 'typescript';
import { readPackages, stageOf } from './packages.mjs';
import { ROOT } from './run.mjs';

const printer = ts.createPrinter({ removeComments: true });

/**
 * The public API of each package, from its built declarations: `path` and `text` of a page that changes when, and only when,
 * what others can import changes.
 */
export function renderApiReports() {
  const packages = readPackages().filter(({ manifest }) => manifest.bin === undefined);
  const program = ts.createProgram(
    packages.flatMap(entriesOf).map(({ file }) => file),
    {
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2024,
      types: ['node'],
      paths: {
        '@palisade/*': [join(ROOT, 'dist/packages/*/dist/index.d.ts')],
        '@palisade/isolation/*': [join(ROOT, 'dist/packages/isolation/dist/*.d.ts')],
      },
    },
  );
  return packages.map((each) => ({
    folder: each.folder,
    path: `docs/api/${basename(each.folder)}.md`,
    text: renderReport(each, program),
  }));
}

function entriesOf({ folder, manifest }) {
  return Object.entries(manifest.exports).flatMap(([entry, { types }]) =>
    types === undefined ? [] : [{ name: join(manifest.name, entry), file: join(stageOf(folder), types) }],
  );
}

function renderReport(each, program) {
  const entries = entriesOf(each).map(
    ({ name, file }) => `## ${name}\n\n\`\`\`ts\n${renderEntry(file, each.folder, program)}\`\`\`\n`,
  );
  const note = 'What the package exports, made by `npm run docs`. A change here is a change for those who use it.';
  return [`# Public API of ${each.manifest.name}\n`, `${note}\n`, ...entries].join('\n');
}

function renderEntry(file, folder, program) {
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(program.getSourceFile(file));
  return checker
    .getExportsOfModule(module)
    .map((symbol) => [symbol.name, symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol])
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, symbol]) => `${renderSymbol(name, symbol, folder)}\n`)
    .join('\n');
}

function renderSymbol(name, symbol, folder) {
  const alias = name === symbol.name ? '' : `// as ${name}\n`;
  const texts = symbol.declarations.map((declaration) => {
    const source = declaration.getSourceFile();
    const [origin] = relative(join(ROOT, 'dist/packages'), source.fileName).split('/');
    if (source.fileName.includes('/generated/')) {
      return `// ${name}: as docs/openapi says`;
    }
    return origin === basename(folder) ? print(declaration, source) : `// ${name} of @palisade/${origin}`;
  });
  return alias + [...new Set(texts)].join('\n');
}

/** A variable is declared in a statement of its own. */
function print(declaration, source) {
  const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
  return printer
    .printNode(ts.EmitHint.Unspecified, statement, source)
    .split('\n')
    .filter((line) => !/^\s*(?:private |#private)/.test(line))
    .join('\n');
}
