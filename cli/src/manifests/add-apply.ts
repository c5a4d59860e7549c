import { Argument, type Command } from 'commander';
import { addTokenOptions, type ConnectionOptions } from '../command/connection-options.js';
import { addConfirmOption, confirm, type ConfirmOptions } from '../command/confirm.js';
import { connect } from '../command/connection.js';
import { FailureError, UsageError } from '../command/command.errors.js';
import { EXIT, type CommandContext, type End, type ExitCode } from '../command/context.js';
import { addOutputOptions, renderAnswer, type OutputOptions } from '../command/output-options.js';
import { printable, renderYaml, valueAt } from '../command/output.js';
import { carryOut, type Outcome } from './carry-out.js';
import { Inventory } from './inventory.js';
import { KINDS, type Current, type Kind } from './kinds.js';
import { makePlan, readExisting, renderChange, type Change, type Clients, type Plan } from './plan.js';
import { readManifests, type Manifest } from './read-manifests.js';

/** Beyond this, problems of a file are only counted. */
const MAX_PROBLEMS = 50;

interface ServiceOptions extends ConnectionOptions {
  readonly scimUrl?: string;
  readonly controlUrl?: string;
}

interface ApplyOptions extends ServiceOptions, OutputOptions, ConfirmOptions {
  readonly filename: readonly string[];
  readonly dryRun?: boolean;
  readonly inventory?: string;
  readonly prune?: boolean;
  readonly confirmSuspended?: boolean;
}

/** Adds `apply`. */
export function addApply(program: Command, context: CommandContext, end: End): void {
  const command = program
    .command('apply')
    .description('Make providers, tenants, proxies and bindings as files describe them. Needs an admin token.')
    .requiredOption('-f, --filename <paths...>', 'YAML or JSON files, folders of them, or - for standard input')
    .option('--dry-run', 'show what would change; change nothing')
    .option('--inventory <path>', 'file that remembers what was applied together')
    .option('--prune', 'remove what the inventory has and the files no longer describe')
    .option('--confirm-suspended', 'let bindings grant access again whose provider was deleted since');
  addTokenOptions(addServiceOptions(addConfirmOption(addOutputOptions(command))))
    .addHelpText(
      'after',
      '\nEach document has a "kind" (provider, tenant, proxy or binding) and the fields that the API takes.\n' +
        '\nExample:\n  palisade apply -f tenants/ --inventory tenants.inventory.json --prune --dry-run',
    )
    .action(async (options: ApplyOptions) => end(await apply(options, context)));
}

/** Adds `manifests` to the commands that export. */
export function addManifestExport(parent: Command, context: CommandContext, end: End): void {
  const command = parent
    .command('manifests')
    .description('Write providers, tenants, proxies and bindings as YAML that `apply` takes. Needs an admin token.')
    .addArgument(new Argument('[kinds...]', 'only these').choices(KINDS.map(({ name }) => name)));
  addTokenOptions(addServiceOptions(command))
    .addHelpText('after', '\nExample:\n  palisade export manifests tenant binding > palisade.yaml')
    .action(async (names: readonly string[], options: ServiceOptions) => {
      const kinds = KINDS.filter(({ name }) => names.length === 0 || names.includes(name));
      const existing = await readExisting(connectAll(options, context), kinds);
      for (const kind of kinds) {
        const all = [...existing[kind.name].values()];
        const own = all.filter(({ answer }) => kind.managedBy?.(answer) === undefined);
        own.forEach((object) => context.out(`---\n${renderYaml(toManifest(kind, object))}`));
        if (own.length < all.length) {
          context.error(`${all.length - own.length} of kind ${kind.name} are managed elsewhere and left out\n`);
        }
      }
      end(EXIT.ok);
    });
}

/** An object as a file describes it, its id first. A binding whose group does not exist has to be told so. */
function toManifest(kind: Kind, { body, answer }: Current): object {
  const key = Object.fromEntries(kind.key.map((field) => [field, body[field]]));
  const rest = Object.entries(body).filter(([field]) => !kind.instructions?.includes(field));
  const isPending = answer['state'] === 'dangling';
  return { kind: kind.name, ...key, ...Object.fromEntries(rest), ...(isPending && { pending: true }) };
}

function addServiceOptions(command: Command): Command {
  return command
    .option('--scim-url <url>', 'address of the SCIM service, instead of the one from the environment')
    .option('--control-url <url>', 'address of the control plane, instead of the one from the environment');
}

function connectAll(options: ServiceOptions, context: CommandContext): Clients {
  const { scimUrl, controlUrl, url: _, ...rest } = options;
  return {
    'scim-service': connect(
      'scim-service',
      'admin',
      { ...rest, ...(scimUrl !== undefined && { url: scimUrl }) },
      context,
    ),
    'control-plane': connect(
      'control-plane',
      'admin',
      { ...rest, ...(controlUrl !== undefined && { url: controlUrl }) },
      context,
    ),
  };
}

async function apply(options: ApplyOptions, context: CommandContext): Promise<ExitCode> {
  if (options.prune && options.inventory === undefined) {
    throw new UsageError('--prune needs --inventory: only what an earlier apply noted there is removed');
  }
  const { manifests, problems } = await readManifests(options.filename);
  rejectProblems(problems);
  const clients = connectAll(options, context);
  const services = Object.fromEntries(Object.entries(clients).map(([name, { origin }]) => [name, origin]));
  const inventory = options.inventory === undefined ? undefined : Inventory.read(options.inventory, services);
  const plan = await planFor(manifests, clients, inventory, options);
  rejectProblems(plan.problems);
  if (options.dryRun) {
    print(plan.changes.flatMap(renderChange), { ...summaryOf(plan, []), dry_run: true }, options, context);
    return EXIT.ok;
  }
  const removals = plan.changes.filter(({ action }) => action === 'remove');
  if (removals.length > 0) {
    await confirm(['these will be gone:', ...removals.flatMap(renderChange)], options, context);
  }
  const names = manifests.map(({ kind, id }) => `${kind.name} ${id}`);
  inventory?.write([...inventory.names, ...names]);
  const outcomes = await carryOut(plan.changes, clients, context.signal, ({ change, problem }) => {
    if (problem !== undefined) {
      context.error(
        `${printable(`${change.place ?? change.kind.name}: ${change.kind.name} ${change.id}: ${problem}`)}\n`,
      );
    } else if (options.output === 'table') {
      context.out(`${printable(`${DONE[change.action]} ${change.kind.name} ${change.id}`)}\n`);
    }
  });
  const isDone = outcomes.length === plan.changes.length && outcomes.every(({ problem }) => problem === undefined);
  if (isDone && (options.prune || inventory?.names.size === 0)) {
    inventory?.write(names);
  }
  const summary = summaryOf(plan, outcomes);
  print([], summary, options, context);
  if (!isDone) {
    throw new FailureError(
      `${summary.done} of ${plan.changes.length} changes were made; the same command goes on with the others`,
    );
  }
  return EXIT.ok;
}

const DONE = { create: 'created', update: 'updated', remove: 'removed' } as const;

async function planFor(
  manifests: readonly Manifest[],
  clients: Clients,
  inventory: Inventory | undefined,
  { prune, confirmSuspended }: ApplyOptions,
): Promise<Plan> {
  const existing = await readExisting(clients);
  const pools = valueAt(await clients['control-plane'].send({ method: 'GET', path: '/api/v1/pools' }), 'items');
  const names = Array.isArray(pools) ? pools.map((pool) => String(valueAt(pool, 'name'))) : [];
  const prunable = prune && inventory ? inventory.names : new Set<string>();
  return makePlan(manifests, existing, new Set(names), { prunable, ...(confirmSuspended && { confirmSuspended }) });
}

/** @throws {UsageError} with all of them */
function rejectProblems(problems: readonly string[]): void {
  if (problems.length > 0) {
    const more = problems.length - MAX_PROBLEMS;
    const lines = [...problems.slice(0, MAX_PROBLEMS), ...(more > 0 ? [`and ${more} more problems`] : [])];
    throw new UsageError('nothing was changed', undefined, lines);
  }
}

interface Summary {
  readonly changes: readonly object[];
  readonly unchanged: number;
  readonly done: number;
}

function summaryOf({ changes, unchanged }: Plan, outcomes: readonly Outcome[]): Summary {
  const problems = new Map(outcomes.map(({ change, problem }) => [change, problem]));
  const describe = (change: Change): object => ({
    action: change.action,
    kind: change.kind.name,
    id: change.id,
    ...(change.fields.length > 0 && { fields: change.fields }),
    ...(change.place !== undefined && { place: change.place }),
    done: problems.has(change) && problems.get(change) === undefined,
    ...(problems.get(change) !== undefined && { problem: problems.get(change) }),
  });
  const done = outcomes.filter(({ problem }) => problem === undefined).length;
  return { changes: changes.map(describe), unchanged, done };
}

function print(
  lines: readonly string[],
  summary: Summary & { readonly dry_run?: boolean },
  { output }: OutputOptions,
  { out }: CommandContext,
): void {
  if (output !== 'table') {
    out(renderAnswer(summary, output));
    return;
  }
  out(lines.map((line) => `${printable(line)}\n`).join(''));
  const { changes, unchanged, done, dry_run: isDryRun } = summary;
  out(`${isDryRun ? `${changes.length} to change` : `${done} changed`}, ${unchanged} unchanged\n`);
}
