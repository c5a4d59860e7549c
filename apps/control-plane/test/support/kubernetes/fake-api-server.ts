import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { isAllowed } from './role-rules.js';
import { matchesLabels } from './label-selector.js';
import type { Json } from './merge-patch.js';
import { ObjectStore, Rejection, type StoredEvent, type StoredObject } from './object-store.js';

interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly hasStatus: boolean;
}

const KINDS: Readonly<Record<string, Kind>> = {
  '/apis/prism.io/v1alpha1/prismtenants': { apiVersion: 'prism.io/v1alpha1', kind: 'PrismTenant', hasStatus: true },
  '/apis/coordination.k8s.io/v1/leases': { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', hasStatus: false },
  '/api/v1/pods': { apiVersion: 'v1', kind: 'Pod', hasStatus: true },
};

interface Target {
  readonly kind: Kind;
  readonly group: string;
  readonly plural: string;
  readonly collection: string;
  readonly name?: string;
  readonly isStatus: boolean;
}

const PATH = /^(\/api\/v1|\/apis\/[^/]+\/[^/]+)\/namespaces\/([^/]+)\/([^/]+)(?:\/([^/]+))?(\/status)?$/;

/**
 * The parts of the API of Kubernetes that the control plane uses, with the semantics that a real API server showed: lists
 * in pages of one state, watches that go on from a version or say that it has expired, bookmarks, status apart from the
 * rest, generations, rejection of what was made from an old version, and rights by role. It does not check schemas.
 */
export class FakeApiServer implements AsyncDisposable {
  readonly store = new ObjectStore();
  private readonly pages = new Map<string, { readonly version: number; readonly rest: readonly StoredObject[] }>();

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => void this.answer(request, response));
  }

  static async start(tls?: { readonly cert: string; readonly key: string }): Promise<FakeApiServer> {
    const server = tls === undefined ? createServer() : createTlsServer(tls);
    const fake = new FakeApiServer(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return fake;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Credentials of the last request. */
  lastAuthorization: string | undefined;

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.lastAuthorization = request.headers.authorization;
    const url = new URL(request.url ?? '', 'http://localhost');
    try {
      const target = readTarget(url.pathname);
      authorize(request, target, url.searchParams);
      if (request.method === 'GET' && target.name === undefined && url.searchParams.get('watch') === 'true') {
        this.watch(target, url.searchParams, response);
      } else {
        const body = await readBody(request);
        const [code, answer] = this.handle(request.method ?? '', target, url.searchParams, body);
        send(response, code, answer);
      }
    } catch (error) {
      if (!(error instanceof Rejection)) {
        throw error;
      }
      send(response, error.code, statusOf(error));
    }
  }

  private handle(method: string, target: Target, query: URLSearchParams, body: Json): [number, Json] {
    const { collection, name, kind, isStatus } = target;
    if (name === undefined) {
      return method === 'POST'
        ? [201, this.store.create(collection, { ...typeOf(kind), ...body }, kind.hasStatus)]
        : [200, this.list(target, query)];
    }
    switch (method) {
      case 'GET':
        return [200, this.store.get(collection, name)];
      case 'PATCH':
        return [200, this.store.patch(collection, name, body, partOf(kind, isStatus))];
      case 'DELETE':
        return [200, this.remove(collection, name, query)];
      default:
        throw new Rejection(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource');
    }
  }

  /** What runs on a node ends when its kubelet says so, unless it is given no time. */
  private remove(collection: string, name: string, query: URLSearchParams): StoredObject {
    const { nodeName } = (this.store.get(collection, name)['spec'] ?? {}) as { readonly nodeName?: string };
    return nodeName === undefined || query.get('gracePeriodSeconds') === '0'
      ? this.store.delete(collection, name)
      : this.store.terminate(collection, name);
  }

  private list({ collection, kind }: Target, query: URLSearchParams): Json {
    const limit = Number(query.get('limit') ?? 0) || Infinity;
    const token = query.get('continue');
    const page = token === null ? undefined : this.pages.get(token);
    if (token !== null && page === undefined) {
      throw new Rejection(410, 'Expired', 'The provided continue parameter is too old');
    }
    const version = page?.version ?? this.store.currentVersion;
    const all =
      page?.rest ?? this.store.list(collection).filter((object) => matchesLabels(object, query.get('labelSelector')));
    const rest = all.slice(limit);
    const next = rest.length > 0 ? `${version}-${this.pages.size}` : '';
    if (next !== '') {
      this.pages.set(next, { version, rest });
    }
    const metadata = { resourceVersion: String(version), continue: next };
    return { apiVersion: kind.apiVersion, kind: `${kind.kind}List`, metadata, items: all.slice(0, limit) };
  }

  private watch({ collection, kind }: Target, query: URLSearchParams, response: ServerResponse): void {
    const selector = query.get('labelSelector');
    let version = Number(query.get('resourceVersion'));
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.flushHeaders();
    const write = (type: string, object: Json): void => void response.write(`${JSON.stringify({ type, object })}\n`);
    const stop = this.store.onEvent(() => deliver());
    const end = setTimeout(
      () => {
        if (query.get('allowWatchBookmarks') === 'true') {
          write('BOOKMARK', { ...typeOf(kind), metadata: { resourceVersion: String(version) } });
        }
        response.end();
      },
      Number(query.get('timeoutSeconds')) * 1000,
    );
    const close = (): void => {
      stop();
      clearTimeout(end);
    };
    response.once('close', close);
    const deliver = (): void => {
      const events = this.store.eventsAfter(collection, version);
      if (events === undefined) {
        const message = `too old resource version: ${version} (${this.store.currentVersion})`;
        write('ERROR', statusOf(new Rejection(410, 'Expired', message)));
        response.end();
        close();
        return;
      }
      for (const event of events) {
        const type = typeFor(event, selector);
        if (type !== undefined) {
          write(type, event.object);
        }
        ({ version } = event);
      }
    };
    deliver();
  }
}

/** For somebody who sees only what a selector selects. */
function typeFor({ type, object, before }: StoredEvent, selector: string | null): StoredEvent['type'] | undefined {
  const [was, is] = [matchesLabels(before, selector), type !== 'DELETED' && matchesLabels(object, selector)];
  if (is) {
    return was ? 'MODIFIED' : 'ADDED';
  }
  return was ? 'DELETED' : undefined;
}

function readTarget(path: string): Target {
  const [, group = '', namespace = '', plural = '', name, status] = PATH.exec(path) ?? [];
  const kind = KINDS[`${group}/${plural}`];
  if (kind === undefined || (status !== undefined && !kind.hasStatus)) {
    throw new Rejection(404, 'NotFound', 'the server could not find the requested resource');
  }
  const collection = `${group}/${namespace}/${plural}`;
  return {
    kind,
    group,
    plural,
    collection,
    isStatus: status !== undefined,
    ...(name && { name: decodeURIComponent(name) }),
  };
}

/** Whoever is impersonated has the rights of the role of the control plane; others may do everything. */
function authorize(request: IncomingMessage, { group, plural, name, isStatus }: Target, query: URLSearchParams): void {
  const user = request.headers['impersonate-user'];
  const collectionVerb = query.get('watch') === 'true' ? 'watch' : 'list';
  const method = request.method?.toLowerCase() ?? '';
  const verb = { get: name === undefined ? collectionVerb : 'get', post: 'create' }[method] ?? method;
  const resource = isStatus ? `${plural}/status` : plural;
  const [, apiGroup = ''] = /^\/apis\/([^/]+)/.exec(group) ?? [];
  if (user !== undefined && !isAllowed({ verb, apiGroup, resource, name })) {
    throw new Rejection(403, 'Forbidden', `${resource} is forbidden: User "${String(user)}" cannot ${verb} it`);
  }
}

function partOf({ hasStatus }: Kind, isStatus: boolean): 'status' | 'rest' | 'all' {
  return isStatus ? 'status' : hasStatus ? 'rest' : 'all';
}

function typeOf({ apiVersion, kind }: Kind): Json {
  return { apiVersion, kind };
}

function statusOf({ code, reason, message }: Rejection): Json {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code };
}

async function readBody(request: IncomingMessage): Promise<Json> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) {
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? {} : (JSON.parse(text) as Json);
}

function send(response: ServerResponse, code: number, body: Json): void {
  response.writeHead(code, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(body));
}
