import { choice, integer, type Rule, type Variables } from '@palisade/platform';

/** How the connections to the database are shared. */
export const STORE_CONNECTION_VARIABLES = {
  storeIsolationLevel: choice('SVC_STORE_ISOLATION_LEVEL', {
    description:
      'What shares connections to the database. `namespace`: each provider has its own, so that one which asks for much leaves the others theirs. `none`: all share all.',
    choices: ['namespace', 'none'],
    default: 'namespace',
  }),
  storeMaxConnections: integer('SVC_STORE_MAX_CONNECTIONS', {
    description: 'Connections of one process to the database; it never opens more.',
    min: 3,
    max: 1000,
    default: '20',
  }),
  storeConnectionsPerProvider: integer('SVC_STORE_CONNECTIONS_PER_PROVIDER', {
    description: 'How many of them one provider may have, at the isolation level `namespace`.',
    min: 1,
    max: 1000,
    computedDefault: 'half of `SVC_STORE_MAX_CONNECTIONS`',
  }),
} satisfies Variables;

export const FITTING_STORE_CONNECTIONS: Rule<typeof STORE_CONNECTION_VARIABLES> = {
  needs: ['storeIsolationLevel', 'storeMaxConnections', 'storeConnectionsPerProvider'],
  check: ({ storeIsolationLevel, storeMaxConnections, storeConnectionsPerProvider = 0 }) => {
    if (storeIsolationLevel === 'none' && storeConnectionsPerProvider > 0) {
      return 'SVC_STORE_CONNECTIONS_PER_PROVIDER: expected none at the isolation level `none`';
    }
    return storeConnectionsPerProvider > storeMaxConnections
      ? `SVC_STORE_CONNECTIONS_PER_PROVIDER: expected at most SVC_STORE_MAX_CONNECTIONS (${storeMaxConnections})`
      : undefined;
  },
};
