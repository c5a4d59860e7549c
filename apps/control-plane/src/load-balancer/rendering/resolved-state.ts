import type { DesiredServer, DesiredState } from '../../routing/table/desired-state.js';

/** A server whose host is an address. */
export interface ResolvedServer extends DesiredServer {
  /** IPv4 or IPv6, without brackets. */
  readonly host: string;
}

export interface ResolvedPool {
  readonly name: string;
  readonly servers: readonly ResolvedServer[];
}

/** A desired state with addresses instead of names; servers whose names have no address are left out. */
export interface ResolvedState extends DesiredState {
  readonly unresolved: readonly { readonly id: string; readonly host: string }[];
}
