import { setFlagsFromString } from 'node:v8';
import { Option, type Command } from 'commander';
import { addConnectionOptions, type ConnectionOptions, wholeNumber } from '../command/connection-options.js';
import { connect } from '../command/connection.js';
import { EXIT, type CommandContext, type End } from '../command/context.js';
import { addManifestExport } from '../manifests/add-apply.js';
import { addTuples } from './add-tuples.js';
import { exportResources, openOutput } from './export-resources.js';
import { checkResources, importResources, type ImportOptions } from './import-resources.js';
import { FORMATS, type Format } from './input-file.js';
import { RESOURCE_KINDS, type ResourceKind } from './resource-kind.js';

/** Also the maximum that a service accepts by default. */
const MAX_BATCH_SIZE = 1000;
const DEFAULT_BATCH_SIZE = 200;
/** A provider may use ten database connections by default: this leaves some to the identity provider during an import. */
const DEFAULT_CONCURRENCY = 8;
const MAX_CONCURRENCY = 16;

interface ExportOptions extends ConnectionOptions {
  readonly format: Format;
  readonly output?: string;
}

/** Adds `import` and `export`. */
export function addTransfer(program: Command, context: CommandContext, end: End): void {
  const imports = program
    .command('import')
    .description('Create users or groups from a file, over SCIM. Needs a provider token.')
    .addHelpText('after', '\nExample:\n  palisade import users users.ndjson');
  const exports = program
    .command('export')
    .description('Write all users or groups of a provider, or what `apply` takes.')
    .addHelpText('after', '\nExample:\n  palisade export users > users.ndjson');
  for (const kind of Object.values(RESOURCE_KINDS)) {
    addImport(imports, kind, context, end);
    addExport(exports, kind, context, end);
  }
  addManifestExport(exports, context, end);
  addTuples(exports, context, end);
}

function addImport(parent: Command, kind: ResourceKind, context: CommandContext, end: End): void {
  const command = parent
    .command(kind.name)
    .description(`Create ${kind.name} from NDJSON or CSV; existing ones stay unchanged`)
    .argument('<file>', 'one JSON resource per line, or CSV with the column names in its first line')
    .addOption(new Option('--format <format>', 'format of the file (default: from its extension)').choices(FORMATS))
    .option('--batch-size <count>', 'resources per request', wholeNumber(1, MAX_BATCH_SIZE), DEFAULT_BATCH_SIZE)
    .option('--concurrency <count>', 'requests at a time', wholeNumber(1, MAX_CONCURRENCY), DEFAULT_CONCURRENCY)
    .option('--state <path>', 'where to keep the progress, instead of next to the file')
    .option('--dry-run', 'check the file and report problems; send nothing')
    .option('--restart', 'start from the beginning even if an earlier run was interrupted');
  if (kind === RESOURCE_KINDS.groups) {
    command.option('--from-provider <id>', 'provider of the members in the file, if it was exported from another one');
  }
  addConnectionOptions(command)
    .addHelpText(
      'after',
      `\nCSV columns: ${Object.keys(kind.columns).join(', ')}.\nThe same command resumes a run that was interrupted.\n\n` +
        `Example:\n  palisade import ${kind.name} ${kind.name}.ndjson --dry-run`,
    )
    .action(async (file: string, options: ImportOptions & ConnectionOptions & { readonly dryRun?: boolean }) => {
      keepHeapSmall();
      end(
        options.dryRun
          ? await checkResources(file, kind, options, context)
          : await importResources(file, kind, options, connect('scim-service', 'provider', options, context), context),
      );
    });
}

function addExport(parent: Command, kind: ResourceKind, context: CommandContext, end: End): void {
  const command = parent
    .command(kind.name)
    .description(`Write all ${kind.name} as NDJSON or CSV`)
    .addOption(
      new Option('--format <format>', 'format to write; CSV has only some of the attributes')
        .choices(FORMATS)
        .default('ndjson'),
    )
    .option('--output <path>', 'a new file, instead of standard output');
  addConnectionOptions(command)
    .addHelpText('after', `\nExample:\n  palisade export ${kind.name} --format csv --output ${kind.name}.csv`)
    .action(async ({ format, output, ...options }: ExportOptions) => {
      const client = connect('scim-service', 'provider', options, context);
      const target = openOutput(output, context);
      const count = await exportResources(kind, format, client, target.write);
      await target.close();
      if (output !== undefined) {
        context.error(`${count} ${kind.name} written to ${output}\n`);
      }
      end(EXIT.ok);
    });
}

/**
 * Makes V8 collect garbage before it grows the heap. An import needs the same memory whatever the length of its file, but V8
 * collects less often the longer it runs, so the process would grow. The cost in time is small beside the service's.
 */
function keepHeapSmall(): void {
  // V8 reads the flag whenever it decides how far the heap may grow, so it takes effect in a running process.
  setFlagsFromString('--optimize-for-size');
}
