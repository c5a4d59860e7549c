// Made from docs/openapi by "npm run docs".
export const MANIFEST_SCHEMAS = {
  provider: {
    schema: {
      type: 'object',
      required: ['id'],
      properties: {
        display_name: { type: 'string', minLength: 1, maxLength: 255 },
        dialect: { type: 'string', enum: ['rfc', 'entra', 'okta'], default: 'rfc' },
        repeat_create: { type: 'string', enum: ['return', 'conflict'], default: 'return' },
        unknown_members: { type: 'string', enum: ['reject', 'accept'], default: 'reject' },
        extensions: {
          type: 'array',
          items: {
            type: 'object',
            required: ['resource_type', 'schema'],
            properties: {
              resource_type: { type: 'string', enum: ['User', 'Group'] },
              required: { type: 'boolean', default: false },
              schema: { type: 'object' },
            },
          },
          maxItems: 20,
        },
        trusted_issuers: {
          maxItems: 20,
          type: 'array',
          items: {
            type: 'object',
            required: ['issuer', 'audience', 'jwks_uri', 'role'],
            properties: {
              issuer: { type: 'string', minLength: 1, maxLength: 2048 },
              audience: { type: 'string', minLength: 1, maxLength: 255 },
              subject: { type: 'string', minLength: 1, maxLength: 240 },
              jwks_uri: { type: 'string' },
              role: { type: 'string', enum: ['provisioner', 'user'] },
              user_claim: { type: 'string', minLength: 1, maxLength: 100 },
            },
          },
        },
        id: { type: 'string', minLength: 1, maxLength: 63, pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$' },
      },
    },
    readOnly: ['created_at', 'modified_at'],
  },
  tenant: {
    schema: {
      type: 'object',
      required: ['tenant_id'],
      properties: {
        pool: { type: 'string', minLength: 1, maxLength: 63, pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$' },
        isolation_level: { type: 'string', enum: ['none', 'namespace', 'session'] },
        tier: { type: 'string', enum: ['enterprise', 'premium', 'standard'] },
        annual_revenue: { type: 'number', minimum: 0, maximum: 1000000000000000 },
        connection_pools: {
          type: 'object',
          properties: {
            postgres: {
              type: 'object',
              properties: {
                connections_per_namespace: { type: 'integer', minimum: 1, maximum: 1000000 },
                max_total_connections: { type: 'integer', minimum: 1, maximum: 1000000 },
                max_connections: { type: 'integer', minimum: 1, maximum: 1000000 },
                per_session_limit: { type: 'integer', minimum: 1, maximum: 1000000 },
              },
            },
            redis: {
              type: 'object',
              properties: {
                connections_per_namespace: { type: 'integer', minimum: 1, maximum: 1000000 },
                max_total_connections: { type: 'integer', minimum: 1, maximum: 1000000 },
                max_connections: { type: 'integer', minimum: 1, maximum: 1000000 },
                per_session_limit: { type: 'integer', minimum: 1, maximum: 1000000 },
              },
            },
            nats: {
              type: 'object',
              properties: {
                connections_per_namespace: { type: 'integer', minimum: 1, maximum: 1000000 },
                max_total_connections: { type: 'integer', minimum: 1, maximum: 1000000 },
                max_connections: { type: 'integer', minimum: 1, maximum: 1000000 },
                per_session_limit: { type: 'integer', minimum: 1, maximum: 1000000 },
              },
            },
            kafka: {
              type: 'object',
              properties: {
                connections_per_namespace: { type: 'integer', minimum: 1, maximum: 1000000 },
                max_total_connections: { type: 'integer', minimum: 1, maximum: 1000000 },
                max_connections: { type: 'integer', minimum: 1, maximum: 1000000 },
                per_session_limit: { type: 'integer', minimum: 1, maximum: 1000000 },
              },
            },
          },
        },
        resource_limits: {
          type: 'object',
          properties: {
            cpu: { type: 'string', pattern: '^[0-9]{1,6}(\\.[0-9]{1,3})?m?$', minLength: 1, maxLength: 12 },
            memory: {
              type: 'string',
              pattern: '^[0-9]{1,15}(\\.[0-9]{1,3})? ?([KkMGT]i?)?B?$',
              minLength: 1,
              maxLength: 24,
            },
            max_rps: { type: 'integer', minimum: 1, maximum: 1000000 },
          },
        },
        namespace_pattern: { type: 'string', minLength: 1, maxLength: 63 },
        namespace_patterns: {
          type: 'array',
          items: { type: 'string', minLength: 1, maxLength: 63 },
          minItems: 1,
          maxItems: 1000,
        },
        tenant_id: { type: 'string', minLength: 1, maxLength: 63, pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$' },
      },
    },
    readOnly: ['routing', 'settings', 'usage', 'draining', 'source', 'version', 'created_at', 'modified_at'],
  },
  proxy: {
    schema: {
      type: 'object',
      required: ['id', 'pool', 'host', 'port'],
      properties: {
        id: { type: 'string', minLength: 1, maxLength: 253 },
        pool: { type: 'string', minLength: 1, maxLength: 63, pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$' },
        host: { type: 'string', minLength: 1, maxLength: 253 },
        port: { type: 'integer', minimum: 1, maximum: 65535 },
        weight: { type: 'integer', minimum: 1, maximum: 256, default: 100 },
        draining: { type: 'boolean', default: false },
      },
    },
    readOnly: [
      'source',
      'health',
      'health_detail',
      'version',
      'policy',
      'registered_at',
      'last_heartbeat_at',
      'instance',
      'health_changed_at',
    ],
  },
  binding: {
    schema: {
      type: 'object',
      required: ['namespace'],
      properties: {
        bound_subject: { type: 'string', minLength: 1, maxLength: 350 },
        source_group: { type: 'string', minLength: 1, maxLength: 350 },
        namespace: { type: 'string', minLength: 1, maxLength: 63, pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$' },
        relation: { type: 'string', enum: ['read', 'write', 'admin'], default: 'read' },
        source: { type: 'string', enum: ['manual', 'import'], default: 'manual' },
        pending: { type: 'boolean', default: false },
      },
    },
    readOnly: ['approved_by', 'created_at', 'state', 'display'],
  },
} as const;
