import { Option, type Command } from 'commander';
import { addConnectionOptions, type ConnectionOptions } from '../connection/connection-options.js';
import { connect } from '../connection/connection.js';
import { wholeNumber } from '../connection/whole-number.js';
import { EXIT, type ExitCode, type Session } from '../session.js';
import { exportResources, openOutput } from './export-resources.js';
import { checkResources, importResources, type ImportOptions } from './import-resources.js';
import { FORMATS, type Format } from './input-file.js';
import { keepHeapSmall } from './keep-heap-small.js';
import { RESOURCE_KINDS, type ResourceKind } from './resource-kind.js';

/** Also the most that a service takes by default. */
const MAX_BATCH_SIZE = 1000;
const DEFAULT_BATCH_SIZE = 200;
/** A provider may have ten connections to the database by default: the identity provider goes on beside an import. */
const DEFAULT_CONCURRENCY = 8;
const MAX_CONCURRENCY = 16;

interface ExportOptions extends ConnectionOptions {
  readonly format: Format;
  readonly output?: string;
}

type End = (code: ExitCode) => void;

/** Adds `import` and `export`. */
export function addTransfer(program: Command, session: Session, end: End): void {
  const imports = program
    .command('import')
    .description('Create users or groups from a file, over SCIM. Needs a token of the provider.')
    .addHelpText('after', '\nExample:\n  palisade import users users.ndjson');
  const exports = program
    .command('export')
    .description('Write all users or groups of a provider. Needs a token of the provider.')
    .addHelpText('after', '\nExample:\n  palisade export users > users.ndjson');
  for (const kind of Object.values(RESOURCE_KINDS)) {
    addImport(imports, kind, session, end);
    addExport(exports, kind, session, end);
  }
}

function addImport(parent: Command, kind: ResourceKind, session: Session, end: End): void {
  const command = parent
    .command(kind.name)
    .description(`Create ${kind.name} from NDJSON or CSV; what is there already is left as it is`)
    .argument('<file>', 'one resource in each line, or CSV with names of columns in its first line')
    .addOption(new Option('--format <format>', 'by default what the name of the file ends with').choices(FORMATS))
    .option('--batch-size <count>', 'resources in one request', wholeNumber(1, MAX_BATCH_SIZE), DEFAULT_BATCH_SIZE)
    .option('--concurrency <count>', 'requests at a time', wholeNumber(1, MAX_CONCURRENCY), DEFAULT_CONCURRENCY)
    .option('--state <path>', 'where to keep how far it has come, instead of beside the file')
    .option('--dry-run', 'read the file and say what is wrong with it; send nothing')
    .option('--restart', 'begin anew although a run before was cut short');
  if (kind === RESOURCE_KINDS.groups) {
    command.option(
      '--from-provider <id>',
      'provider of the members in the file, when it was exported from another one',
    );
  }
  addConnectionOptions(command)
    .addHelpText(
      'after',
      `\nCSV columns: ${Object.keys(kind.columns).join(', ')}.\nA run that is cut short goes on where it was when it is called again.\n\n` +
        `Example:\n  palisade import ${kind.name} ${kind.name}.ndjson --dry-run`,
    )
    .action(async (file: string, options: ImportOptions & ConnectionOptions & { readonly dryRun?: boolean }) => {
      keepHeapSmall();
      end(
        options.dryRun
          ? await checkResources(file, kind, options, session)
          : await importResources(file, kind, options, connect('scim-service', 'provider', options, session), session),
      );
    });
}

function addExport(parent: Command, kind: ResourceKind, session: Session, end: End): void {
  const command = parent
    .command(kind.name)
    .description(`Write all ${kind.name} as NDJSON or CSV`)
    .addOption(new Option('--format <format>', 'CSV has some attributes only').choices(FORMATS).default('ndjson'))
    .option('--output <path>', 'a new file, instead of standard output');
  addConnectionOptions(command)
    .addHelpText('after', `\nExample:\n  palisade export ${kind.name} --format csv --output ${kind.name}.csv`)
    .action(async ({ format, output, ...options }: ExportOptions) => {
      const client = connect('scim-service', 'provider', options, session);
      const target = openOutput(output, session);
      const count = await exportResources(kind, format, client, target.write);
      await target.close();
      if (output !== undefined) {
        session.error(`${count} ${kind.name} written to ${output}\n`);
      }
      end(EXIT.ok);
    });
}
