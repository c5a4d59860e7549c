import type { ServiceName } from '../command/api-client.js';
import { connect } from '../command/connection.js';
import type { CommandContext } from '../command/context.js';
import { listAll } from '../command/list-all.js';
import { isObject } from '@palisade/domain';
import { valueAt } from '../command/output.js';
import type { TypedLine } from './typed-line.js';

/** Somebody waits for the answer with a finger on the key. */
const TIMEOUT_MS = 1000;
const MAX_IDS = 1000;
/** A directory may hold a million users: the service is asked only for those that begin with what was typed. */
const MAX_RESOURCES = 100;

interface List {
  readonly service: ServiceName;
  readonly path: string;
  /** The field of each item that has the id. */
  readonly field: string;
}

const LISTS: Readonly<Record<string, List>> = {
  provider: { service: 'scim-service', path: '/api/v1/providers', field: 'id' },
  tenant: { service: 'control-plane', path: '/api/v1/tenants', field: 'tenant_id' },
  proxy: { service: 'control-plane', path: '/api/v1/proxies', field: 'id' },
  pool: { service: 'control-plane', path: '/api/v1/pools', field: 'name' },
  namespace: { service: 'scim-service', path: '/api/v1/bindings', field: 'namespace' },
};

const RESOURCES: Readonly<Record<string, string>> = { user: '/scim/v2/Users', group: '/scim/v2/Groups' };

/** The arguments of `binding remove`. */
const BINDING_KEY = ['bound_subject', 'namespace', 'relation'];

/**
 * The ids that an argument or option of this name may have. Empty when the service does not tell them in time; undefined when it is
 * not the name of objects.
 */
export async function findIds(
  name: string,
  line: TypedLine,
  current: string,
  context: CommandContext,
): Promise<readonly string[] | undefined> {
  const kind = kindOf(name, line);
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    if (isBindingToRemove(line)) {
      return await listBindingKeys(line, { ...context, signal });
    }
    const list = LISTS[kind];
    if (list !== undefined) {
      return await listIds(list, {}, line, { ...context, signal });
    }
    const path = RESOURCES[kind];
    return path === undefined ? undefined : await searchIds(path, current, line, { ...context, signal });
  } catch {
    return [];
  }
}

/** `provider show <id>` and `get provider <id>` name the kind before. */
function kindOf(name: string, { command }: TypedLine): string {
  if (name === 'id' || name === 'name') {
    const parent = command.parent?.name() ?? '';
    return parent === 'get' ? command.name() : parent;
  }
  return name === 'subject' ? 'group' : name.replace(/_id$/, '');
}

function isBindingToRemove({ command, pending }: TypedLine): boolean {
  return command.name() === 'remove' && command.parent?.name() === 'binding' && pending === undefined;
}

/** What bindings have in the place of the next argument, if they have the ones before. */
function listBindingKeys(line: TypedLine, context: CommandContext): Promise<string[]> {
  const known = BINDING_KEY.slice(0, line.operands.length).map((field, index) => [field, line.operands[index]]);
  const field = BINDING_KEY[line.operands.length] ?? '';
  const query = Object.fromEntries(known.slice(0, 2)) as Record<string, unknown>;
  return listIds({ service: 'scim-service', path: '/api/v1/bindings', field }, query, line, context);
}

async function listIds(
  { service, path, field }: List,
  query: Readonly<Record<string, unknown>>,
  line: TypedLine,
  context: CommandContext,
): Promise<string[]> {
  const client = connect(service, 'admin', connectionOf(line), context);
  const ids = new Set<string>();
  for await (const item of listAll(client, path, query)) {
    ids.add(String(item[field]));
    if (ids.size === MAX_IDS) {
      break;
    }
  }
  return [...ids];
}

/** Only with a token that is a provider's: an admin's would be rejected, each time that the key is pressed. */
async function searchIds(path: string, current: string, line: TypedLine, context: CommandContext): Promise<string[]> {
  const env = { ...context.env, PALISADE_TOKEN: '', PALISADE_TOKEN_FILE: '' };
  const client = connect('scim-service', 'provider', connectionOf(line), { ...context, env });
  const filter = current === '' ? {} : { filter: `id sw ${JSON.stringify(current)}` };
  const query = { ...filter, count: MAX_RESOURCES, attributes: 'id' };
  const resources = valueAt(await client.send({ method: 'GET', path, query }), 'Resources');
  return Array.isArray(resources) ? resources.filter(isObject).map(({ id }) => String(id)) : [];
}

/** How the command itself would reach its service. */
function connectionOf({ options }: TypedLine): Parameters<typeof connect>[2] {
  const [url, token, tokenFile] = ['--url', '--token', '--token-file'].map((name) => options.get(name));
  return {
    timeoutMs: TIMEOUT_MS,
    ...(url !== undefined && { url }),
    ...(token !== undefined && { token }),
    ...(tokenFile !== undefined && { tokenFile }),
  };
}
