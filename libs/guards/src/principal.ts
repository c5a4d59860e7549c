import type { NamespaceId, PoolName, ProviderId, ProxyId } from '@palisade/domain';
import type { Request } from 'express';

/** The API that a credential is presented to; a credential of one is worthless at the other. */
export type Api = 'scim' | 'admin';

/** An identity provider's provisioner: may use all of SCIM, within its own provider. */
export interface ProviderPrincipal {
  readonly kind: 'provider';
  readonly provider: ProviderId;
  /** How audit records name the caller. */
  readonly actor: string;
}

/** A user of a provider, authenticated by a token of an issuer that the provider trusts: may use `/Me` and discovery only. */
export interface UserPrincipal {
  readonly kind: 'user';
  readonly provider: ProviderId;
  readonly userName: string;
  readonly actor: string;
}

/** Each scope includes the ones before it. */
export const ADMIN_SCOPES = ['read', 'operate', 'admin'] as const;
export type AdminScope = (typeof ADMIN_SCOPES)[number];

/** Someone who administers the service, or some of its namespaces. */
export interface AdminPrincipal {
  readonly kind: 'admin';
  readonly actor: string;
  readonly scopes: readonly AdminScope[];
  /** The namespaces that the admin manages; `*` is all of them and everything that belongs to no namespace. */
  readonly namespaces: '*' | readonly NamespaceId[];
  /** Providers whose groups an admin of some namespaces may bind, `*` for all; absent when the credential does not say. */
  readonly providers?: readonly string[];
}

/** A proxy, by the credential of its pool: it registers, sends heartbeats for, and removes itself, and can nothing else. */
export interface ProxyPrincipal {
  readonly kind: 'proxy';
  readonly actor: string;
  readonly pool: PoolName;
  /** What the id of each proxy that uses the credential begins with; empty for any. */
  readonly idPrefix: string;
}

export type Principal = ProviderPrincipal | UserPrincipal | AdminPrincipal | ProxyPrincipal;

/** Whether the caller may act as this proxy, as far as its id tells; an admin may act for any. */
export function mayActAsProxy(principal: AdminPrincipal | ProxyPrincipal, proxy: ProxyId): boolean {
  return principal.kind === 'admin' || proxy.startsWith(principal.idPrefix);
}

/** Whether the admin holds the scope or one that includes it. */
export function holdsScope(admin: AdminPrincipal, wanted: AdminScope): boolean {
  return admin.scopes.some((held) => ADMIN_SCOPES.indexOf(held) >= ADMIN_SCOPES.indexOf(wanted));
}

/** Whether the admin manages the namespace. What an admin does not manage must look as if it did not exist. */
export function administers(admin: AdminPrincipal, namespace: NamespaceId): boolean {
  return admin.namespaces === '*' || admin.namespaces.includes(namespace);
}

/** A request that went through {@link BearerTokenGuard}; without a principal on public routes. */
export interface AuthenticatedRequest extends Request {
  principal?: Principal;
}
