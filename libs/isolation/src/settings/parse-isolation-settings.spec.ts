import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import { InvalidSettingsError } from '../invalid-settings.error.js';
import { parseIsolationSettings } from './parse-isolation-settings.js';

const PER_NAMESPACE = {
  isolation_level: 'namespace',
  connection_pools: { postgres: { connections_per_namespace: 5, max_total_connections: 20 } },
};
const PER_SESSION = {
  isolation_level: 'session',
  connection_pools: { postgres: { max_connections: 20 } },
  session_management: { max_sessions: 10 },
};

function problemsOf(input: unknown): readonly string[] {
  try {
    parseIsolationSettings(input);
    return [];
  } catch (error) {
    return error instanceof InvalidSettingsError ? error.problems : [String(error)];
  }
}

describe(parseIsolationSettings.name, () => {
  it('takes max_connections for the cap', () => {
    expect(
      parseIsolationSettings({
        isolation_level: 'none',
        connection_pools: { per_namespace: false, postgres: { max_connections: 20, shared: true } },
      }),
    ).toMatchObject({ level: 'none', pools: new Map([['postgres', expect.objectContaining({ maxTotal: 20 })]]) });
  });

  it('reads everything', () => {
    expect(
      parseIsolationSettings({
        isolation_level: 'namespace',
        connection_pools: {
          per_namespace: true,
          postgres: {
            connections_per_namespace: 5,
            max_total_connections: 20,
            per_session_limit: 2,
            max_queued: 50,
            max_namespaces: 100,
            acquire_timeout: '2s',
            connect_timeout: '3s',
            idle_timeout: '30s',
            max_lifetime: '10m',
            namespaces: { acme: { connections_per_namespace: 10, reserved_connections: 2, weight: 3 } },
          },
        },
        resource_limits: {
          per_namespace: { max_rps: 100, cpu: '500m', memory: '256Mi' },
          namespaces: { acme: { cpu: 2 } },
          cpu_window: '20s',
        },
        session_management: {
          connection_reuse: false,
          max_sessions: 10,
          max_sessions_per_namespace: 5,
          max_sessions_per_client: 2,
          session_timeout: '60s',
          drain_timeout: '10s',
        },
        usage: { cpu: true, max_namespaces: 50 },
        audit: { log_actions: true, log_connection_lifecycle: true, log_session_lifecycle: true, mandatory: true },
      }),
    ).toEqual({
      level: 'namespace',
      limits: {
        perNamespace: { maxRps: 100, cores: 0.5, bytes: 268_435_456 },
        namespaces: new Map([[parseNamespaceId('acme'), { cores: 2 }]]),
        cpuWindowMs: 20_000,
      },
      usage: { measuresCpu: true, maxNamespaces: 50 },
      actions: { logsActions: true, isMandatory: true },
      pools: new Map([
        [
          'postgres',
          {
            maxPerNamespace: 5,
            maxTotal: 20,
            maxQueued: 50,
            maxNamespaces: 100,
            acquireTimeoutMs: 2000,
            connectTimeoutMs: 3000,
            idleTimeoutMs: 30_000,
            maxLifetimeMs: 600_000,
            namespaces: new Map([[parseNamespaceId('acme'), { max: 10, reserved: 2, weight: 3 }]]),
            perSessionLimit: 2,
          },
        ],
      ]),
      sessions: {
        maxSessions: 10,
        maxSessionsPerNamespace: 5,
        maxSessionsPerClient: 2,
        sessionTimeoutMs: 60_000,
        drainTimeoutMs: 10_000,
        audit: { logsConnections: true, logsSessions: true, isMandatory: true },
      },
    });
  });

  it.each(['none', 'namespace', 'session'])('asks for nothing but the caps at the level %s', (level) => {
    expect(
      parseIsolationSettings({ isolation_level: level, connection_pools: { postgres: { max_total_connections: 20 } } }),
    ).toMatchObject({
      level,
      pools: new Map([['postgres', { maxTotal: 20, perSessionLimit: 1 }]]),
      sessions: { maxSessions: 1000, audit: { logsSessions: false, isMandatory: false } },
      actions: { logsActions: false },
    });
  });

  it('lets one namespace have all sessions, and one client half of them, unless told otherwise', () => {
    expect(parseIsolationSettings(PER_SESSION)).toMatchObject({
      sessions: { maxSessionsPerNamespace: 10, maxSessionsPerClient: 5, sessionTimeoutMs: 300_000 },
    });
  });

  it.each([
    ['a limit for all', { per_namespace: { cpu: '1' } }, undefined, true],
    ['a limit for one', { namespaces: { acme: { cpu: '1' } } }, undefined, true],
    ['other limits', { per_namespace: { memory: '1Gi' } }, undefined, false],
    ['the wish to know', {}, { cpu: true }, true],
  ])('measures CPU time with %s: %j %j', (_, limits, usage, measuresCpu) => {
    const settings = parseIsolationSettings({ ...PER_NAMESPACE, resource_limits: limits, usage });
    expect(settings.usage.measuresCpu).toBe(measuresCpu);
  });

  it.each([
    ['no level', { connection_pools: {} }, ['isolation_level: expected none, namespace or session, found nothing']],
    [
      'an unknown level',
      { ...PER_NAMESPACE, isolation_level: 'shared' },
      ['isolation_level: expected none, namespace or session, found "shared"'],
    ],
    ['an unknown key', { ...PER_NAMESPACE, pools: 1 }, ['pools: unknown key']],
    ['no object', 'namespace', ['expected an object, found "namespace"']],
    ['a list', [], ['expected an object, found a list']],
    [
      'two caps that contradict each other',
      { isolation_level: 'none', connection_pools: { postgres: { max_connections: 1, max_total_connections: 2 } } },
      ['connection_pools.postgres.max_connections: expected the same as max_total_connections (2), found 1'],
    ],
    [
      'shared connections at another level than none',
      { isolation_level: 'namespace', connection_pools: { postgres: { max_connections: 1, shared: true } } },
      ['connection_pools.postgres.shared: expected false at this isolation_level'],
    ],
    [
      'an invalid name of a backend',
      { ...PER_NAMESPACE, connection_pools: { 'post gres': {} } },
      ['connection_pools["post gres"]: unknown key'],
    ],
    [
      'a key that is an inherited property',
      { ...PER_NAMESPACE, connection_pools: JSON.parse('{"__proto__": {"max_total_connections": 1}}') },
      ['connection_pools.__proto__: unknown key'],
    ],
    [
      'a missing cap',
      { isolation_level: 'namespace', connection_pools: { postgres: { connections_per_namespace: 5 } } },
      ['connection_pools.postgres.max_total_connections: expected an integer from 1 to 1000000, found nothing'],
    ],
    [
      'more per namespace than the cap',
      {
        isolation_level: 'namespace',
        connection_pools: { postgres: { connections_per_namespace: 5, max_total_connections: 4 } },
      },
      ['connection_pools.postgres.connections_per_namespace: expected at most the cap (4), found 5'],
    ],
    [
      'reservations beyond the cap',
      {
        isolation_level: 'namespace',
        connection_pools: {
          postgres: {
            connections_per_namespace: 4,
            max_total_connections: 4,
            namespaces: { acme: { reserved_connections: 3 }, bolt: { reserved_connections: 2 } },
          },
        },
      },
      ['connection_pools.postgres.namespaces: expected reservations of at most the cap (4) together, found 5'],
    ],
    [
      'an invalid namespace',
      {
        isolation_level: 'namespace',
        connection_pools: {
          postgres: { connections_per_namespace: 4, max_total_connections: 4, namespaces: { 'A*': { weight: 1 } } },
        },
      },
      [
        'connection_pools.postgres.namespaces["A*"]: expected a namespace: 1 to 63 of a-z, 0-9 and inner "-"; or "*" for all that share as the key',
      ],
    ],
    [
      'connections that are used again by other sessions',
      { ...PER_SESSION, session_management: { max_sessions: 1, connection_reuse: true } },
      ['session_management.connection_reuse: expected false, as the connections of a session are never used again'],
    ],
    [
      'a share beyond the whole',
      { ...PER_SESSION, session_management: { max_sessions: 1, max_sessions_per_client: 2 } },
      ['session_management.max_sessions_per_client: expected at most max_sessions (1), found 2'],
    ],
    [
      'more connections per session than there are',
      { ...PER_SESSION, connection_pools: { postgres: { max_connections: 1, per_session_limit: 2 } } },
      ['connection_pools.postgres.per_session_limit: expected at most the cap (1), found 2'],
    ],
    [
      'a mandatory trail without its first events',
      { ...PER_SESSION, audit: { mandatory: true, log_connection_lifecycle: true } },
      ['audit.mandatory: expected log_session_lifecycle or log_actions to be true as well'],
    ],
    [
      'a mandatory trail of nothing',
      { ...PER_NAMESPACE, audit: { mandatory: true } },
      ['audit.mandatory: expected log_session_lifecycle or log_actions to be true as well'],
    ],
    [
      'quantities that are none',
      { ...PER_NAMESPACE, resource_limits: { per_namespace: { cpu: '2 cores', memory: '1 Gib' } } },
      [
        'resource_limits.per_namespace.cpu: expected cores, such as "2", "0.5" or "500m", up to 1024, found "2 cores"',
        'resource_limits.per_namespace.memory: expected an amount of memory such as "512Mi", "4Gi" or "4G", from 1B to 64Ti, found "1 Gib"',
      ],
    ],
    [
      'limits of an invalid namespace',
      { ...PER_NAMESPACE, resource_limits: { namespaces: { 'A*': { cpu: 1 } } } },
      ['resource_limits.namespaces["A*"]: expected a namespace: 1 to 63 of a-z, 0-9 and inner "-" as the key'],
    ],
    [
      'an unknown limit of a namespace',
      { ...PER_NAMESPACE, resource_limits: { namespaces: { acme: { disk: '1Gi' } } } },
      ['resource_limits.namespaces.acme.disk: unknown key'],
    ],
    [
      'a limit of CPU time that is not to be measured',
      { ...PER_NAMESPACE, resource_limits: { namespaces: { acme: { cpu: 1 } } }, usage: { cpu: false } },
      ['usage.cpu: expected true, as resource_limits limits CPU time'],
    ],
    [
      'a window shorter than a report',
      { ...PER_NAMESPACE, resource_limits: { cpu_window: '500ms' } },
      ['resource_limits.cpu_window: expected a duration such as 500ms, 30s or 5m, from 1s to 24d, found "500ms"'],
    ],
    [
      'a pool for each namespace at the level none',
      { isolation_level: 'none', connection_pools: { per_namespace: true } },
      ['connection_pools.per_namespace: expected false at this isolation_level'],
    ],
    [
      'a duration without a unit',
      { ...PER_SESSION, session_management: { max_sessions: 1, session_timeout: 300 } },
      [
        'session_management.session_timeout: expected a duration such as 500ms, 30s or 5m, from 100ms to 24d, found 300; its unit is missing',
      ],
    ],
  ])('rejects %s', (_, input, problems) => {
    expect(problemsOf(input)).toEqual(problems);
  });

  it('reports all problems together', () => {
    expect(
      problemsOf({
        isolation_level: 'session',
        connection_pools: { postgres: { max_connections: 0 } },
        session_management: { max_sessions: 'many' },
        resource_limits: { per_namespace: { max_rps: -1, cpu: 0, memory: -1 } },
      }),
    ).toHaveLength(5);
  });
});
