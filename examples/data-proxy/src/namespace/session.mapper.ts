import type { Session } from '@palisade/isolation';

export interface SessionResponse {
  /** Clients send it with each request of the session, as `x-palisade-session`. */
  readonly id: string;
  readonly namespace: string;
  readonly client_id: string;
  readonly created_at: string;
  readonly connections: readonly { readonly backend: string; readonly id: string }[];
}

export function toSessionResponse({ id, namespace, clientId, createdAt, connections }: Session): SessionResponse {
  return {
    id,
    namespace,
    client_id: clientId,
    created_at: createdAt.toISOString(),
    connections: connections.map((connection) => ({ backend: connection.backend, id: connection.id })),
  };
}
