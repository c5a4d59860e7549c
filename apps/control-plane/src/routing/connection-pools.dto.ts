import { Integer, Nested } from '@palisade/platform';

const COUNT = { minimum: 1, maximum: 1_000_000, example: 20, optional: true } as const;
const OPTIONAL = { optional: true } as const;

/** Limits on connections to one backend. */
export class BackendPoolBody {
  @Integer('Connections of one namespace, at level `namespace`.', COUNT)
  readonly connections_per_namespace?: number;

  @Integer('Connections of all namespaces together, at level `namespace`.', COUNT)
  readonly max_total_connections?: number;

  @Integer('Connections in all, at levels `none` and `session`.', COUNT)
  readonly max_connections?: number;

  @Integer('Connections of one session, at level `session`.', COUNT)
  readonly per_session_limit?: number;
}

/** Limits on connections, by backend; in requests and answers alike. */
export class ConnectionPoolsBody {
  @Nested('To the relational database.', BackendPoolBody, OPTIONAL)
  readonly postgres?: BackendPoolBody;

  @Nested('To the key-value store.', BackendPoolBody, OPTIONAL)
  readonly redis?: BackendPoolBody;

  @Nested('To the message bus.', BackendPoolBody, OPTIONAL)
  readonly nats?: BackendPoolBody;

  @Nested('To the streaming platform.', BackendPoolBody, OPTIONAL)
  readonly kafka?: BackendPoolBody;
}
