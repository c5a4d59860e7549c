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

/** A proxy as discovery sees it. Where it does not say whether the proxy drains, that is the operator's matter. */
export type DiscoveredProxy = Omit<ProxyDraft, 'isDraining'> & {
  readonly id?: ProxyId;
  readonly isDraining?: boolean;
};

/** Makes the proxies of one source what discovery says they are. */
export class DiscoveredProxies {
  private readonly logger = new Logger(DiscoveredProxies.name);
  /** Proxies that could not be kept; each is told about once. */
  private refused = new Set<string>();

  constructor(
    private readonly proxies: ProxyStore,
    private readonly source: ProxySource,
  ) {}

  /** Adds and changes what is there, removes what is not. One that another source has is left to it. */
  async replaceAll(found: readonly DiscoveredProxy[], signal: AbortSignal): Promise<void> {
    const refused = new Set<string>();
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
        refused.add(this.refuse(seen, error));
      }
    }
    for (const id of kept.keys()) {
      signal.throwIfAborted();
      await this.remove(id);
    }
    this.refused = refused;
  }

  private put(id: ProxyId, draft: ProxyDraft): Promise<unknown> {
    const attributes = { 'palisade.proxy': id, 'palisade.pool': draft.pool, 'palisade.discovery': this.source };
    return inSpan('put proxy', { attributes }, () => this.proxies.put(id, this.source, draft, changeNow()));
  }

  private remove(id: ProxyId): Promise<unknown> {
    const attributes = { 'palisade.proxy': id, 'palisade.discovery': this.source };
    return inSpan('remove proxy', { attributes }, () => this.proxies.remove(id, changeNow()));
  }

  private refuse({ host, port }: DiscoveredProxy, error: Error): string {
    const address = `${host}:${port}`;
    if (!this.refused.has(address)) {
      this.logger.warn(`the proxy at ${address} is left out: ${error.message}`);
    }
    return address;
  }
}

function changeNow(): ChangeContext {
  return { actor: 'control-plane', at: new Date() };
}

/**
 * The identifier of a proxy that is known by its address only: `proxy-1.example.com-8080`, `10.0.0.1-8080`,
 * `ip6-fd00--1-8080`.
 *
 * @throws {InvalidIdentifierError} when the host is no name and no address
 */
export function proxyIdOf(host: string, port: number): ProxyId {
  const name = host.toLowerCase().replace(/\.$/, '');
  return parseProxyId(`${name.includes(':') ? `ip6-${name.replaceAll(':', '-')}` : name}-${port}`);
}
