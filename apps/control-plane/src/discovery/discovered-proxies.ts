import { Logger } from '@nestjs/common';
import {
  isSamePlace,
  InvalidIdentifierError,
  ManagedElsewhereError,
  type ChangeContext,
  type ProxyDraft,
  type ProxyId,
  type ProxySource,
  type ProxyStore,
  parseProxyId,
} from '@palisade/domain';
import { inSpan } from '@palisade/platform';

/** A proxy as discovery sees it. When it does not say whether the proxy drains, the operator decides that. */
export type DiscoveredProxy = Omit<ProxyDraft, 'isDraining'> & {
  readonly id?: ProxyId;
  readonly isDraining?: boolean;
};

/** Keeps the proxies of one source in the store equal to what discovery finds. */
export class DiscoveredProxies {
  private readonly logger = new Logger(DiscoveredProxies.name);
  /** Addresses of proxies that cannot be stored; each is logged once. */
  private rejected = new Set<string>();

  constructor(
    private readonly proxies: ProxyStore,
    private readonly source: ProxySource,
  ) {}

  /** Adds, changes and removes proxies of this source. One that belongs to another source is left alone. */
  async replaceAll(found: readonly DiscoveredProxy[], signal: AbortSignal): Promise<void> {
    const rejected = new Set<string>();
    const kept = new Map(
      (await this.proxies.list()).filter(({ source }) => source === this.source).map((proxy) => [proxy.id, proxy]),
    );
    for (const { id: givenId, ...seen } of found) {
      signal.throwIfAborted();
      try {
        const id = givenId ?? proxyIdOf(seen.host, seen.port);
        const known = kept.get(id);
        kept.delete(id);
        const draft = { ...seen, isDraining: seen.isDraining ?? known?.isDraining ?? false };
        if (known === undefined || !isSamePlace(known, draft)) {
          await this.put(id, draft);
        }
      } catch (error) {
        if (!(error instanceof InvalidIdentifierError || error instanceof ManagedElsewhereError)) {
          throw error;
        }
        rejected.add(this.reject(seen, error));
      }
    }
    for (const id of kept.keys()) {
      signal.throwIfAborted();
      await this.remove(id);
    }
    this.rejected = rejected;
  }

  private put(id: ProxyId, draft: ProxyDraft): Promise<unknown> {
    const attributes = { 'palisade.proxy': id, 'palisade.pool': draft.pool, 'palisade.discovery': this.source };
    return inSpan('put proxy', { attributes }, () => this.proxies.put(id, this.source, draft, changeNow()));
  }

  private remove(id: ProxyId): Promise<unknown> {
    const attributes = { 'palisade.proxy': id, 'palisade.discovery': this.source };
    return inSpan('remove proxy', { attributes }, () => this.proxies.remove(id, changeNow()));
  }

  private reject({ host, port }: DiscoveredProxy, error: Error): string {
    const address = `${host}:${port}`;
    if (!this.rejected.has(address)) {
      this.logger.warn(`the proxy at ${address} is left out: ${error.message}`);
    }
    return address;
  }
}

function changeNow(): ChangeContext {
  return { actor: 'control-plane', at: new Date() };
}

/**
 * The id of a proxy of which only the address is known: `proxy-1.example.com-8080`, `10.0.0.1-8080`,
 * `ip6-fd00--1-8080`.
 *
 * @throws {InvalidIdentifierError} when the host is neither a name nor an address
 */
export function proxyIdOf(host: string, port: number): ProxyId {
  const name = host.toLowerCase().replace(/\.$/, '');
  return parseProxyId(`${name.includes(':') ? `ip6-${name.replaceAll(':', '-')}` : name}-${port}`);
}
