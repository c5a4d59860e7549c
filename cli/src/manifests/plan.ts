import type { ApiClient, ServiceName } from '../command/api-client.js';
import { listAll } from '../command/list-all.js';
import { valueAt } from '../command/output.js';
import { differences, idOf, KINDS, settable, type Current, type Kind, type KindName } from './kinds.js';
import type { Manifest } from './read-manifests.js';

export type Clients = Readonly<Record<ServiceName, ApiClient>>;

/** Everything that a service has of each kind, by id. */
export type Existing = Readonly<Record<KindName, ReadonlyMap<string, Current>>>;

/** One change that makes the services as the files say. */
export interface Change {
  readonly action: 'create' | 'update' | 'remove';
  readonly kind: Kind;
  readonly id: string;
  readonly place?: string;
  readonly wanted?: Manifest['body'];
  readonly current?: Current;
  /** The fields that an update changes. */
  readonly fields: readonly string[];
}

export interface Plan {
  readonly changes: readonly Change[];
  readonly unchanged: number;
  readonly problems: readonly string[];
}

export interface PlanOptions {
  /** Ids of what may be removed where no file describes it any more: `tenant acme`. */
  readonly prunable: ReadonlySet<string>;
  /** Whether bindings whose provider was deleted meanwhile are added again. */
  readonly confirmSuspended?: boolean;
}

const PAGE_SIZE = 500;

export async function readExisting(clients: Clients, kinds: readonly Kind[] = KINDS): Promise<Existing> {
  const found = { provider: new Map(), tenant: new Map(), proxy: new Map(), binding: new Map() } as Record<
    KindName,
    Map<string, Current>
  >;
  for (const kind of kinds) {
    // The list of proxies has no pages.
    const query = kind.name === 'proxy' ? {} : { limit: PAGE_SIZE };
    for await (const answer of listAll(clients[kind.service], kind.path, query)) {
      const body = settable(kind, answer);
      found[kind.name].set(idOf(kind, body), { body, answer });
    }
  }
  return found;
}

/** What has to change, or why it cannot: nothing is changed here. */
export function makePlan(
  manifests: readonly Manifest[],
  existing: Existing,
  pools: ReadonlySet<string>,
  options: PlanOptions,
): Plan {
  const changes: Change[] = [];
  const problems: string[] = [];
  const wanted = new Set(manifests.map(({ kind, id }) => `${kind.name} ${id}`));
  let unchanged = 0;
  for (const manifest of manifests) {
    const { kind, id, body, place } = manifest;
    const current = existing[kind.name].get(id);
    const problem = problemOf(manifest, current, existing, pools, wanted, options);
    if (problem !== undefined) {
      problems.push(`${place}: ${problem}`);
      continue;
    }
    const isSuspended = valueAt(current?.answer, 'state') === 'suspended';
    if (current === undefined || isSuspended) {
      changes.push({ action: 'create', kind, id, place, wanted: body, fields: [], ...(current && { current }) });
      continue;
    }
    const fields = differences(kind, body, current.body);
    if (fields.length === 0) {
      unchanged++;
    } else {
      changes.push({ action: 'update', kind, id, place, wanted: body, current, fields });
    }
  }
  const removals = [...options.prunable]
    .filter((name) => !wanted.has(name))
    .flatMap((name) => removalOf(name, existing));
  return { changes: inOrder([...changes, ...removals]), unchanged, problems };
}

function problemOf(
  { kind, body }: Manifest,
  current: Current | undefined,
  existing: Existing,
  pools: ReadonlySet<string>,
  wanted: ReadonlySet<string>,
  { confirmSuspended }: PlanOptions,
): string | undefined {
  const { pool, bound_subject: subject } = body;
  if (typeof pool === 'string' && !pools.has(pool)) {
    return `pool: there is no pool "${pool}", only ${[...pools].join(', ')}`;
  }
  if (kind.name === 'binding') {
    const [, provider] = /^group:scim:([^:]+):./.exec(String(subject)) ?? [];
    if (provider === undefined) {
      return 'bound_subject: expected group:scim:<provider>:<external id>';
    }
    if (!existing.provider.has(provider) && !wanted.has(`provider ${provider}`) && body['pending'] !== true) {
      return `bound_subject: there is no provider "${provider}"`;
    }
  }
  if (current === undefined) {
    return undefined;
  }
  const manager = kind.managedBy?.(current.answer);
  const fields = differences(kind, body, current.body);
  if (manager !== undefined && fields.length > 0) {
    return `it is managed by ${manager}; change it there`;
  }
  if (kind.update === undefined && fields.length > 0) {
    return `${fields.join(', ')} cannot be changed; remove the ${kind.name} first`;
  }
  return current.answer['state'] === 'suspended' && !confirmSuspended
    ? 'it is suspended, as its provider was deleted; --confirm-suspended lets it grant access again'
    : undefined;
}

function removalOf(name: string, existing: Existing): Change[] {
  const kind = KINDS.find((each) => name.startsWith(`${each.name} `));
  const id = name.slice(name.indexOf(' ') + 1);
  const current = kind && existing[kind.name].get(id);
  return kind && current ? [{ action: 'remove', kind, id, current, fields: [] }] : [];
}

/**
 * Tenants are removed before others may take their namespaces, providers after the bindings of their groups; otherwise what is
 * needed comes first.
 */
function inOrder(changes: readonly Change[]): Change[] {
  const rankOf = ({ action, kind }: Change): number => {
    const rank = KINDS.indexOf(kind);
    if (action !== 'remove') {
      return rank * 2 + (action === 'create' ? 1 : 0);
    }
    return kind.name === 'tenant' ? 1.5 : 100 - rank;
  };
  return changes.toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** The changes as lines, each with what it changes. */
export function renderChange({ action, kind, id, place, wanted, current, fields }: Change): string[] {
  const mark = { create: '+', update: '~', remove: '-' }[action];
  const head = `${mark} ${kind.name} ${id}${place === undefined ? '' : `  (${place})`}`;
  return [head, ...fields.map((field) => `    ${field}: ${shown(current?.body[field])} → ${shown(wanted?.[field])}`)];
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
