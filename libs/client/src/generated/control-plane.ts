/** Generated from docs/openapi/control-plane.json by "npm run docs": do not change it here. */

export interface paths {
  '/api/v1/tenants': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List tenants
     * @description Admins of some namespaces see tenants of which they administer every namespace.
     *
     *     Needs the scope `read`.
     */
    get: operations['listTenants'];
    put?: never;
    /**
     * Register a tenant
     * @description Its namespaces are then routed as `routing` says. What the body omits is decided by rules, pools and defaults.
     *
     *     Needs the scope `admin`, as an admin of every namespace.
     */
    post: operations['registerTenant'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/tenants/{tenant_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show a tenant and where its requests go
     * @description Needs the scope `read`.
     */
    get: operations['getTenant'];
    /**
     * Replace all that is said of a tenant
     * @description With another pool, the tenant moves: `draining` tells for how long the pool that it leaves may be busy. What only answers have is ignored.
     *
     *     Needs the scope `admin`, as an admin of every namespace.
     */
    put: operations['replaceTenant'];
    post?: never;
    /**
     * Remove a tenant
     * @description Its namespaces are then routed as if it had never existed.
     *
     *     Needs the scope `admin`, as an admin of every namespace.
     */
    delete: operations['removeTenant'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/routing/resolve': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Where a namespace goes
     * @description Needs the scope `read`.
     */
    get: operations['resolveNamespace'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/routing/explain': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Why a namespace or a tenant goes where it goes
     * @description Changes nothing. Admins of some namespaces may ask about those, without saying anything of a tenant.
     *
     *     Needs the scope `read`.
     */
    post: operations['explainRoute'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/access/route': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * May this user reach this namespace, and what serves it?
     * @description Unknown and inactive users may do nothing; bindings of groups that do not exist give nothing.
     *
     *     Needs the scope `read`.
     */
    get: operations['findRouteOfUser'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/access/namespaces': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Which namespaces does this user reach, and through which pools?
     * @description Those that the caller administers.
     *
     *     Needs the scope `read`.
     */
    get: operations['listNamespacesOfUser'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/tenants/{tenant_id}/admins': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Who administers the namespaces of a tenant?
     * @description Active users with the relation `admin` on a namespace that the tenant has by its name. A page may have fewer items than asked for, or none, and still a `next_cursor`.
     *
     *     Needs the scope `read`.
     */
    get: operations['listTenantAdmins'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/pools': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List pools of proxies
     * @description Needs the scope `read`, as an admin of every namespace.
     */
    get: operations['listPools'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/pools/{name}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show a pool of proxies
     * @description Needs the scope `read`, as an admin of every namespace.
     */
    get: operations['getPool'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/sizing': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * How many proxies and connections a number of tenants needs
     * @description From a table for 10 to 1000 tenants, interpolated between its rows; memory and CPU are those of the next row. Or from what tenants use at the moment, in proportion: ask when they are busy.
     *
     *     Needs the scope `read`.
     */
    get: operations['getSizing'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/proxies': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List proxies
     * @description Needs the scope `read`, as an admin of every namespace.
     */
    get: operations['listProxies'];
    put?: never;
    /**
     * Register a proxy
     * @description What a proxy does when it starts. It gets requests once its first health check succeeds. One that is known is updated.
     *
     *     Needs the scope `operate`, as an admin of every namespace, or the credential of the proxy itself.
     */
    post: operations['registerProxy'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/proxies/{id}/heartbeat': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a heartbeat
     * @description A registered proxy that stays silent gets no requests, and is forgotten later. 404: register again.
     *
     *     Needs the scope `operate`, as an admin of every namespace, or the credential of the proxy itself.
     */
    post: operations['sendHeartbeat'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/proxies/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show a proxy
     * @description Needs the scope `read`, as an admin of every namespace, or the credential of the proxy itself.
     */
    get: operations['getProxy'];
    put?: never;
    post?: never;
    /**
     * Remove a registered proxy
     * @description What a proxy does when it ends. A discovered proxy disappears when discovery no longer finds it. Its parts of caps are free when their leases end, or at once with `connections=closed`.
     *
     *     Needs the scope `operate`, as an admin of every namespace, or the credential of the proxy itself.
     */
    delete: operations['removeProxy'];
    options?: never;
    head?: never;
    /**
     * Drain a proxy, or change its weight
     * @description For any proxy. A proxy that registers again replaces both values.
     *
     *     Needs the scope `operate`, as an admin of every namespace.
     */
    patch: operations['adjustProxy'];
    trace?: never;
  };
  '/api/v1/proxies/{id}/access': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * May these users do this in these namespaces?
     * @description What a proxy asks before it serves a user, once for each; the event `access` of its policy stream tells it when to ask again.
     *
     *     Needs the scope `read`, as an admin of every namespace, or the credential of the proxy itself.
     */
    post: operations['askAccess'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/proxies/{id}/policy': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Follow the policy of a proxy
     * @description Server-sent events: `policy` with all that the proxy has to enforce, then `change` with each change, and `access` when somebody may have lost access. With `Last-Event-ID` the stream resumes where an earlier one ended. A comment comes every second when there is nothing else.
     *
     *     Needs the scope `read`, as an admin of every namespace, or the credential of the proxy itself.
     */
    get: operations['followPolicy'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/loadbalancer/reload': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Check and reload the configuration
     * @description Reloads even when nothing has changed; `changed` says whether something had. Changes of tenants and proxies are applied without this call.
     *
     *     Needs the scope `operate`, as an admin of every namespace.
     */
    post: operations['reloadLoadBalancer'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/loadbalancer/preview': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show what applying the current state would change
     * @description Writes nothing. Changes are applied automatically, so there is usually nothing to show.
     *
     *     Needs the scope `read`, as an admin of every namespace.
     */
    get: operations['previewLoadBalancer'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/loadbalancer/versions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the changes of the load balancer, with their outcomes
     * @description Needs the scope `read`, as an admin of every namespace.
     */
    get: operations['listLoadBalancerVersions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/loadbalancer/status': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show the last version, and differences from the desired state
     * @description Needs the scope `read`, as an admin of every namespace.
     */
    get: operations['getLoadBalancerStatus'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/status': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show who leads, and how far the leader is
     * @description What is pending or failing, and why: load balancer, DNS, Kubernetes, provisioning, audit export.
     *
     *     Needs the scope `read`, as an admin of every namespace.
     */
    get: operations['getStatus'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/log': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the log, forward or backward
     * @description Records appear as soon as they are sealed, usually within a second. Admins of some namespaces see what happened in those.
     *
     *     Needs the scope `read`.
     */
    get: operations['listLogRecords'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/log/follow': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Wait for new records
     * @description Answers as soon as there are records after `after`, or with none after 20 seconds: ask again with `next_after`. An answer without records that comes at once means that too many wait already: pause before asking again.
     *
     *     Needs the scope `read`.
     */
    get: operations['followLog'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/log/seal': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a signed seal of the log
     * @description Keep it outside: it shows later whether anything before was changed, or the end was cut off.
     *
     *     Needs the scope `read`, as an admin of every namespace.
     */
    get: operations['getLogSeal'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/log/verify': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Verify that no record was changed, removed or inserted
     * @description Computes the hash of every record and compares it with what the log says of it. Takes about a second for 30,000 records. A log that was written again as a whole, or whose end was cut off, shows in the comparison with a seal that was kept, or with the export.
     *
     *     Needs the scope `admin`, as an admin of every namespace.
     */
    get: operations['verifyLog'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/usage': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What namespaces use at all proxies
     * @description The newest reports of proxies, at most half a minute old, added up. Counters count from the start of each proxy. Admins of some namespaces see those only.
     *
     *     Needs the scope `read`.
     */
    get: operations['getUsage'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /** @description Why a request was rejected (RFC 9457). */
    Problem: {
      /**
       * Format: uri
       * @description The kind of problem; says the same as `code`.
       */
      type: string;
      /** @description Name of the HTTP status. */
      title: string;
      /** @description The HTTP status. */
      status: number;
      /** @description For people: what was expected, and what was found. */
      detail?: string;
      /**
       * @description Stable; branch on it.
       * @enum {string}
       */
      code:
        | 'BAD_REQUEST'
        | 'CONFLICT'
        | 'FORBIDDEN'
        | 'HEADERS_TOO_LARGE'
        | 'INTERNAL_ERROR'
        | 'INVALID_IDENTIFIER'
        | 'INVALID_JSON'
        | 'INVALID_REQUEST'
        | 'ISSUER_UNAVAILABLE'
        | 'LEADER_UNAVAILABLE'
        | 'LOAD_BALANCER_FAILED'
        | 'LOAD_BALANCER_NOT_CONFIGURED'
        | 'LOAD_BALANCER_REJECTED'
        | 'LOAD_BALANCER_ROLLED_BACK'
        | 'MANAGED_ELSEWHERE'
        | 'METHOD_NOT_ALLOWED'
        | 'NAMESPACE_NOT_FOUND'
        | 'NAMESPACE_OVERLAP'
        | 'NOTHING_MEASURED'
        | 'NOT_ACCEPTABLE'
        | 'NOT_FOUND'
        | 'NOT_IMPLEMENTED'
        | 'NO_ROUTE'
        | 'PAYLOAD_TOO_LARGE'
        | 'POOL_NOT_FOUND'
        | 'POOL_REQUIRED'
        | 'PRECONDITION_FAILED'
        | 'PROXY_NOT_FOUND'
        | 'PROXY_TAKEN'
        | 'REQUEST_TIMEOUT'
        | 'SERVICE_UNAVAILABLE'
        | 'SINGLE_TENANT'
        | 'STORE_UNAVAILABLE'
        | 'TENANT_CONFLICT'
        | 'TENANT_NOT_FOUND'
        | 'TOO_MANY_PATTERNS'
        | 'TOO_MANY_PROXIES'
        | 'TOO_MANY_REQUESTS'
        | 'TOO_MANY_STREAMS'
        | 'UNAUTHENTICATED'
        | 'UNKNOWN_POOL'
        | 'UNSUPPORTED_MEDIA_TYPE'
        | 'VALIDATION_FAILED';
      /** @description The service logs it; the header X-Request-Id has it too. */
      request_id?: string;
      /** @description One text for each wrong field. */
      errors?: string[];
    };
    BackendPoolBody: {
      /**
       * @description Connections of one namespace, at level `namespace`.
       * @example 20
       */
      connections_per_namespace?: number;
      /**
       * @description Connections of all namespaces together, at level `namespace`.
       * @example 20
       */
      max_total_connections?: number;
      /**
       * @description Connections in all, at levels `none` and `session`.
       * @example 20
       */
      max_connections?: number;
      /**
       * @description Connections of one session, at level `session`.
       * @example 20
       */
      per_session_limit?: number;
    };
    ConnectionPoolsBody: {
      /** @description To the relational database. */
      postgres?: components['schemas']['BackendPoolBody'];
      /** @description To the key-value store. */
      redis?: components['schemas']['BackendPoolBody'];
      /** @description To the message bus. */
      nats?: components['schemas']['BackendPoolBody'];
      /** @description To the streaming platform. */
      kafka?: components['schemas']['BackendPoolBody'];
    };
    ResourceLimitsBody: {
      /**
       * @description Cores that one namespace may use.
       * @example 0.5
       */
      cpu?: string;
      /**
       * @description Memory that a proxy may hold for one namespace.
       * @example 512Mi
       */
      memory?: string;
      /**
       * @description Requests per second of one namespace; a burst may be as large.
       * @example 200
       */
      max_rps?: number;
    };
    RegisterTenantBody: {
      /**
       * @description Pool that the tenant is to be in, whatever the rules say.
       * @example premium
       */
      pool?: string;
      /**
       * @description Isolation level of the tenant, whatever the rules and its pool say.
       * @example namespace
       * @enum {string}
       */
      isolation_level?: 'none' | 'namespace' | 'session';
      /**
       * @description Tier of the tenant, which rules ask about.
       * @example premium
       * @enum {string}
       */
      tier?: 'enterprise' | 'premium' | 'standard';
      /**
       * @description Annual revenue of the tenant, which rules ask about.
       * @example 25000
       */
      annual_revenue?: number;
      /** @description Connections of the tenant; overrides rules and defaults. */
      connection_pools?: components['schemas']['ConnectionPoolsBody'];
      /** @description What each of its namespaces may use of each proxy; overrides rules and defaults. */
      resource_limits?: components['schemas']['ResourceLimitsBody'];
      /**
       * @description The only entry of `namespace_patterns`; exactly one of the two is required.
       * @example acme-*
       */
      namespace_pattern?: string;
      /**
       * @description Namespaces of the tenant: names, and globs with `*` for any characters and `?` for one.
       * @example [
       *       "acme",
       *       "acme-*"
       *     ]
       */
      namespace_patterns?: string[];
      /**
       * @description Id of the tenant.
       * @example acme
       */
      tenant_id: string;
    };
    MatchedResponse: {
      /**
       * @description What chose the pool: the installation for a single tenant, the tenant itself, a rule, an entry of namespace_routing, or default_pool.
       * @example rule
       * @enum {string}
       */
      by: 'deployment' | 'tenant' | 'rule' | 'namespace_routing' | 'default_pool';
      /**
       * @description The rule that holds for the tenant, whether or not it chose the pool.
       * @example tenant_routing.rules[1]
       */
      rule?: string;
    };
    HealthyProxyResponse: {
      /**
       * @description Id of the proxy.
       * @example standard-1
       */
      id: string;
      /**
       * @description Name or address.
       * @example 10.0.0.7
       */
      host: string;
      /**
       * @description Port.
       * @example 8080
       */
      port: number;
      /**
       * @description Name of the pool.
       * @example standard
       */
      pool: string;
    };
    TenantRoutingResponse: {
      /**
       * @description How the whole installation is deployed.
       * @example hybrid
       * @enum {string}
       */
      tenancy_model: 'single_tenant' | 'multi_tenant' | 'hybrid';
      /**
       * @description Whether the tenant has its proxies for itself.
       * @example multi_tenant
       * @enum {string}
       */
      deployment: 'single_tenant' | 'multi_tenant';
      /**
       * @description Where all namespaces go; absent when they go to several pools, or nowhere.
       * @example premium
       */
      pool?: string;
      /**
       * @description Where namespaces go.
       * @example [
       *       "premium"
       *     ]
       */
      pools: string[];
      /**
       * @description Absent when the pools have different ones.
       * @example namespace
       * @enum {string}
       */
      isolation_level?: 'none' | 'namespace' | 'session';
      /** @description Connections, by backend. */
      connection_pools: components['schemas']['ConnectionPoolsBody'];
      /** @description What each namespace may use of each proxy. */
      resource_limits: components['schemas']['ResourceLimitsBody'];
      /** @description What chose the pool. */
      matched: components['schemas']['MatchedResponse'];
      /** @description Proxies that take requests; not in lists, nor while the store is unreachable. */
      healthy_proxies?: components['schemas']['HealthyProxyResponse'][];
    };
    TermResponse: {
      /**
       * @description As configuration files name it.
       * @example isolation_level
       */
      name: string;
      /**
       * @description What it comes to.
       * @example session
       */
      value: string | number;
      /**
       * @description What has the last word on it.
       * @example tenant_routing.rules[1]
       */
      from: string;
    };
    TenantUsageResponse: {
      /**
       * @description Proxies that report it.
       * @example 2
       */
      proxies: number;
      /**
       * @description Open sessions.
       * @example 3
       */
      sessions: number;
      /**
       * @description Connections, by backend.
       * @example {
       *       "postgres": {
       *         "in_use": 12,
       *         "idle": 3,
       *         "waiting": 0
       *       }
       *     }
       */
      connections: {
        [key: string]: {
          /** @description Connections with requests. */
          in_use: number;
          /** @description Connections that nobody uses. */
          idle: number;
          /** @description Requests that wait for one. */
          waiting: number;
          /** @description Connections that the namespace may have at each proxy; that a tenant may have at all. */
          limit?: number;
        };
      };
      /**
       * @description Requests since the proxies started.
       * @example 120000
       */
      requests: number;
      /**
       * @description Requests per second, lately; absent when no proxy tells it.
       * @example 42.5
       */
      requests_per_second?: number;
      /**
       * @description Requests that failed.
       * @example 3
       */
      errors: number;
      /**
       * @description Requests that were not begun, by code of the reason.
       * @example {
       *       "POOL_TIMEOUT": 1
       *     }
       */
      rejected: {
        [key: string]: number;
      };
      /**
       * @description Median time of a request at the proxy where it is longest.
       * @example 1.2
       */
      p50_ms?: number;
      /**
       * @description Time that 99 % of requests take at most, at the proxy where it is longest.
       * @example 9.5
       */
      p99_ms?: number;
      /**
       * @description CPU time; absent when it is not measured.
       * @example 812.4
       */
      cpu_seconds?: number;
      /**
       * @description Memory.
       * @example 1048576
       */
      memory_bytes?: number;
      /**
       * @description Sessions that they may have; absent when the configuration does not say it.
       * @example 20
       */
      max_sessions?: number;
      /**
       * @description Requests per second that they may make; absent when some have no limit.
       * @example 400
       */
      max_rps?: number;
    };
    DrainingResponse: {
      /**
       * @description The pool that the tenant has left.
       * @example standard
       */
      pool: string;
      /**
       * Format: date-time
       * @description Until when its proxies may be busy for the tenant.
       * @example 2026-11-20T08:30:30.000Z
       */
      until: string;
    };
    TenantResponse: {
      /**
       * @description Pool that the tenant is to be in, whatever the rules say.
       * @example premium
       */
      pool?: string;
      /**
       * @description Isolation level of the tenant, whatever the rules and its pool say.
       * @example namespace
       * @enum {string}
       */
      isolation_level?: 'none' | 'namespace' | 'session';
      /**
       * @description Tier of the tenant, which rules ask about.
       * @example premium
       * @enum {string}
       */
      tier?: 'enterprise' | 'premium' | 'standard';
      /**
       * @description Annual revenue of the tenant, which rules ask about.
       * @example 25000
       */
      annual_revenue?: number;
      /** @description Connections of the tenant; overrides rules and defaults. */
      connection_pools?: components['schemas']['ConnectionPoolsBody'];
      /** @description What each of its namespaces may use of each proxy; overrides rules and defaults. */
      resource_limits?: components['schemas']['ResourceLimitsBody'];
      /**
       * @description Id of the tenant.
       * @example acme
       */
      tenant_id: string;
      /**
       * @description Namespaces of the tenant: names, and globs with `*` for any characters and `?` for one.
       * @example [
       *       "acme",
       *       "acme-*"
       *     ]
       */
      namespace_patterns: string[];
      /** @description Where its requests go, and on which terms: these count, not what the tenant asks for. */
      routing: components['schemas']['TenantRoutingResponse'];
      /** @description Each setting that applies to its namespaces, with its source; absent in lists. */
      settings?: components['schemas']['TermResponse'][];
      /** @description What its namespaces use at all proxies; absent when no proxy reports it. */
      usage?: components['schemas']['TenantUsageResponse'];
      /** @description A pool that the tenant has left and that may still be busy for it. */
      draining?: components['schemas']['DrainingResponse'];
      /**
       * @description Who manages the tenant: only there it can be changed.
       * @example api
       * @enum {string}
       */
      source: 'api' | 'kubernetes' | 'configuration';
      /**
       * @description Increases with each change; the first part of the ETag.
       * @example 1
       */
      version?: number;
      /**
       * Format: date-time
       * @description When it was registered.
       * @example 2026-11-20T08:30:00.000Z
       */
      created_at?: string;
      /**
       * Format: date-time
       * @description When it last changed.
       * @example 2026-11-20T08:30:00.000Z
       */
      modified_at?: string;
    };
    TenantPage: {
      /** @description In order of id. */
      items: components['schemas']['TenantResponse'][];
      /**
       * @description `cursor` of the next page; absent when this is the last one.
       * @example WyJhY21lLWVudHJhIl0
       */
      next_cursor?: string;
    };
    ReplaceTenantBody: {
      /**
       * @description Pool that the tenant is to be in, whatever the rules say.
       * @example premium
       */
      pool?: string;
      /**
       * @description Isolation level of the tenant, whatever the rules and its pool say.
       * @example namespace
       * @enum {string}
       */
      isolation_level?: 'none' | 'namespace' | 'session';
      /**
       * @description Tier of the tenant, which rules ask about.
       * @example premium
       * @enum {string}
       */
      tier?: 'enterprise' | 'premium' | 'standard';
      /**
       * @description Annual revenue of the tenant, which rules ask about.
       * @example 25000
       */
      annual_revenue?: number;
      /** @description Connections of the tenant; overrides rules and defaults. */
      connection_pools?: components['schemas']['ConnectionPoolsBody'];
      /** @description What each of its namespaces may use of each proxy; overrides rules and defaults. */
      resource_limits?: components['schemas']['ResourceLimitsBody'];
      /**
       * @description The only entry of `namespace_patterns`; exactly one of the two is required.
       * @example acme-*
       */
      namespace_pattern?: string;
      /**
       * @description Namespaces of the tenant: names, and globs with `*` for any characters and `?` for one.
       * @example [
       *       "acme",
       *       "acme-*"
       *     ]
       */
      namespace_patterns?: string[];
      /**
       * @description As in the path, if it is there.
       * @example acme
       */
      tenant_id?: string;
    };
    RouteMatchedResponse: {
      /**
       * @description What chose the pool: the installation for a single tenant, the tenant itself, a rule, an entry of namespace_routing, or default_pool.
       * @example rule
       * @enum {string}
       */
      by: 'deployment' | 'tenant' | 'rule' | 'namespace_routing' | 'default_pool';
      /**
       * @description The rule that holds for the tenant, whether or not it chose the pool.
       * @example tenant_routing.rules[1]
       */
      rule?: string;
      /**
       * @description The pattern that has the namespace.
       * @example acme-*
       */
      pattern?: string;
      /**
       * @description The entry that chose the pool.
       * @example namespace_routing[0]
       */
      entry?: string;
    };
    ResolveResponse: {
      /**
       * @description The tenant that the namespace belongs to; absent when there is none that the caller may see.
       * @example acme
       */
      tenant_id?: string;
      /**
       * @description Whether the tenant has its proxies for itself.
       * @example multi_tenant
       * @enum {string}
       */
      deployment: 'single_tenant' | 'multi_tenant';
      /**
       * @description Where requests go.
       * @example premium
       */
      pool: string;
      /**
       * @description What shares connections to a backend.
       * @example namespace
       * @enum {string}
       */
      isolation_level: 'none' | 'namespace' | 'session';
      /** @description Connections, by backend. */
      connection_pools: components['schemas']['ConnectionPoolsBody'];
      /** @description What each namespace may use of each proxy. */
      resource_limits: components['schemas']['ResourceLimitsBody'];
      /** @description What chose the pool. */
      matched: components['schemas']['RouteMatchedResponse'];
      /**
       * @description The namespace, as asked.
       * @example acme-orders
       */
      namespace: string;
    };
    ExplainBody: {
      /**
       * @description Pool that the tenant is to be in, whatever the rules say.
       * @example premium
       */
      pool?: string;
      /**
       * @description Isolation level of the tenant, whatever the rules and its pool say.
       * @example namespace
       * @enum {string}
       */
      isolation_level?: 'none' | 'namespace' | 'session';
      /**
       * @description Tier of the tenant, which rules ask about.
       * @example premium
       * @enum {string}
       */
      tier?: 'enterprise' | 'premium' | 'standard';
      /**
       * @description Annual revenue of the tenant, which rules ask about.
       * @example 25000
       */
      annual_revenue?: number;
      /**
       * @description Name of a namespace.
       * @example acme-orders
       */
      namespace?: string;
      /**
       * @description Id of a tenant. If it is registered, what the body omits is taken from there.
       * @example acme
       */
      tenant_id?: string;
    };
    RouteResponse: {
      /**
       * @description The tenant that the namespace belongs to; absent when there is none that the caller may see.
       * @example acme
       */
      tenant_id?: string;
      /**
       * @description Whether the tenant has its proxies for itself.
       * @example multi_tenant
       * @enum {string}
       */
      deployment: 'single_tenant' | 'multi_tenant';
      /**
       * @description Where requests go.
       * @example premium
       */
      pool: string;
      /**
       * @description What shares connections to a backend.
       * @example namespace
       * @enum {string}
       */
      isolation_level: 'none' | 'namespace' | 'session';
      /** @description Connections, by backend. */
      connection_pools: components['schemas']['ConnectionPoolsBody'];
      /** @description What each namespace may use of each proxy. */
      resource_limits: components['schemas']['ResourceLimitsBody'];
      /** @description What chose the pool. */
      matched: components['schemas']['RouteMatchedResponse'];
    };
    ConditionResponse: {
      /**
       * @description Key of `match`.
       * @example tier
       * @enum {string}
       */
      key: 'tier' | 'annual_revenue' | 'contracts';
      /**
       * @description Whether it holds.
       * @example true
       */
      holds: boolean;
      /**
       * @description Why, following the key.
       * @example is premium
       */
      finding: string;
    };
    StepResponse: {
      /**
       * @description What was asked.
       * @example tenant_routing
       * @enum {string}
       */
      stage: 'deployment' | 'tenant' | 'tenant_routing' | 'namespace_routing' | 'default_pool';
      /**
       * @description The tenant, or where it stands in the configuration file.
       * @example tenant_routing.rules[1]
       */
      candidate: string;
      /**
       * @description Whether it chose the pool.
       * @example true
       */
      chosen: boolean;
      /**
       * @description Why, or why not.
       * @example holds: tier is premium; it chooses the pool "premium"
       */
      reason: string;
      /** @description Conditions of a rule that was asked. */
      conditions?: components['schemas']['ConditionResponse'][];
    };
    ExplainResponse: {
      /**
       * @description In sentences.
       * @example Tenant "acme" goes to the pool "premium" (multi_tenant) at isolation level session.
       */
      summary: string;
      /** @description Absent: nowhere, or it depends on the namespace. */
      route?: components['schemas']['RouteResponse'];
      /** @description Everything that might have chosen the pool, in the order in which it was asked. */
      steps: components['schemas']['StepResponse'][];
      /** @description Each term of the route with what it comes from. */
      terms: components['schemas']['TermResponse'][];
    };
    GrantBindingResponse: {
      /**
       * @description Name of the namespace.
       * @example acme-orders
       */
      namespace: string;
      /**
       * @description The group that is bound.
       * @example group:scim:default:eng
       */
      bound_subject: string;
      /**
       * @description What it gives.
       * @example write
       * @enum {string}
       */
      relation: 'read' | 'write' | 'admin';
      /**
       * @description Who approved it.
       * @example ann@example.com
       */
      approved_by: string;
    };
    AccessGrantResponse: {
      /**
       * @description Full identifier of the user.
       * @example user:scim:default:ada
       */
      user: string;
      /**
       * @description From the group that the user is a direct member of up to the bound one.
       * @example [
       *       "group:scim:default:backend",
       *       "group:scim:default:eng"
       *     ]
       */
      groups: string[];
      /** @description The binding that gives it. */
      binding: components['schemas']['GrantBindingResponse'];
    };
    ServedRouteResponse: {
      /**
       * @description The tenant that the namespace belongs to; absent when there is none that the caller may see.
       * @example acme
       */
      tenant_id?: string;
      /**
       * @description Whether the tenant has its proxies for itself.
       * @example multi_tenant
       * @enum {string}
       */
      deployment: 'single_tenant' | 'multi_tenant';
      /**
       * @description Where requests go.
       * @example premium
       */
      pool: string;
      /**
       * @description What shares connections to a backend.
       * @example namespace
       * @enum {string}
       */
      isolation_level: 'none' | 'namespace' | 'session';
      /** @description Connections, by backend. */
      connection_pools: components['schemas']['ConnectionPoolsBody'];
      /** @description What each namespace may use of each proxy. */
      resource_limits: components['schemas']['ResourceLimitsBody'];
      /** @description What chose the pool. */
      matched: components['schemas']['RouteMatchedResponse'];
      /** @description Proxies of the pool that take requests. */
      healthy_proxies: components['schemas']['HealthyProxyResponse'][];
    };
    AccessRouteResponse: {
      /**
       * @description Whether the user has the relation, and the namespace a route.
       * @example true
       */
      allowed: boolean;
      /** @description Each way in which the user has the relation; empty when they do not. */
      because: components['schemas']['AccessGrantResponse'][];
      /** @description Where requests for the namespace go, whoever sends them; absent when nowhere. */
      route?: components['schemas']['ServedRouteResponse'];
      /**
       * @description Why requests of the user would not be served now: the first of these that holds. Absent: they would. `unknown_user`, `inactive_user` and `suspended_binding` are told to admins of every namespace only; for others it is `weaker_relation` or `no_relation`.
       * @example no_healthy_proxy
       * @enum {string}
       */
      reason?:
        | 'unknown_user'
        | 'inactive_user'
        | 'suspended_binding'
        | 'weaker_relation'
        | 'no_relation'
        | 'no_route'
        | 'no_healthy_proxy';
    };
    ReachableNamespaceResponse: {
      /**
       * @description Name of the namespace.
       * @example acme-orders
       */
      namespace: string;
      /**
       * @description The strongest that the user has.
       * @example write
       * @enum {string}
       */
      relation: 'read' | 'write' | 'admin';
      /**
       * @description The tenant that the namespace belongs to; absent when there is none that the caller may see.
       * @example acme
       */
      tenant_id?: string;
      /**
       * @description Where requests go; absent when nowhere.
       * @example premium
       */
      pool?: string;
      /**
       * @description What shares connections to a backend.
       * @example namespace
       * @enum {string}
       */
      isolation_level?: 'none' | 'namespace' | 'session';
    };
    ReachableNamespacePage: {
      /** @description In order of name. */
      items: components['schemas']['ReachableNamespaceResponse'][];
      /**
       * @description `cursor` of the next page; absent when this is the last one.
       * @example WyJhY21lLWVudHJhIl0
       */
      next_cursor?: string;
    };
    TenantAdminResponse: {
      /**
       * @description Name of the namespace.
       * @example acme-orders
       */
      namespace: string;
      /**
       * @description Full identifier of the user.
       * @example user:scim:default:ada
       */
      user: string;
      /**
       * @description Their userName.
       * @example ada@example.com
       */
      user_name: string;
    };
    TenantAdminPage: {
      /** @description In order of namespace, then of user. */
      items: components['schemas']['TenantAdminResponse'][];
      /**
       * @description `cursor` of the next page; absent when this is the last one.
       * @example WyJhY21lLWVudHJhIl0
       */
      next_cursor?: string;
    };
    PoolResourcesResponse: {
      /**
       * @description Cores.
       * @example 2
       */
      cpu: number;
      /**
       * @description As Kubernetes writes it.
       * @example 4Gi
       */
      memory: string;
    };
    RejectedPolicyBody: {
      /**
       * @description The revision.
       * @example 4711
       */
      revision: number;
      /**
       * @description Why, for people.
       * @example connection_pools.kafka: expected a driver for it
       */
      reason: string;
    };
    ProxyPolicyResponse: {
      /**
       * @description The revision in force; absent while there is none.
       * @example 4711
       */
      revision?: number;
      /**
       * @description Where the policy in force came from.
       * @example stream
       * @enum {string}
       */
      source: 'stream' | 'disk' | 'none';
      /**
       * @description How long ago the proxy heard of the control plane, in seconds.
       * @example 0.4
       */
      age_seconds: number;
      /** @description The revision that could not be applied. */
      rejected?: components['schemas']['RejectedPolicyBody'];
      /**
       * @description `current`; `behind` for a moment after each change; `rejected`: it cannot enforce a later revision; `stale`: it does not hear of the control plane.
       * @example current
       * @enum {string}
       */
      state: 'current' | 'behind' | 'rejected' | 'stale' | 'unmanaged';
      /**
       * @description The revision that it should enforce.
       * @example 4711
       */
      wanted_revision: number;
      /**
       * @description Revisions between the two.
       * @example 0
       */
      behind: number;
    };
    PoolProxyResponse: {
      /**
       * @description Id of the proxy.
       * @example standard-1
       */
      id: string;
      /**
       * @description Name or address.
       * @example 10.0.0.7
       */
      host: string;
      /**
       * @description Port.
       * @example 8080
       */
      port: number;
      /**
       * @description Relative to the others of the pool.
       * @example 100
       */
      weight: number;
      /**
       * @description How the control plane learned of it.
       * @example registration
       * @enum {string}
       */
      source: 'registration' | 'static' | 'dns_srv' | 'kubernetes';
      /**
       * @description `unknown` until it was checked for the first time.
       * @example healthy
       * @enum {string}
       */
      health: 'unknown' | 'healthy' | 'unhealthy';
      /**
       * @description Why its health is what it is, for people.
       * @example answered 200
       */
      health_detail?: string;
      /**
       * @description Whether it finishes what it has and takes nothing new.
       * @example false
       */
      draining: boolean;
      /**
       * @description Version of its isolation library, as its last heartbeat said.
       * @example 1.0.0
       */
      version?: string;
      /** @description The policy that it enforces, as its last heartbeat said; absent for a proxy that says nothing of it. */
      policy?: components['schemas']['ProxyPolicyResponse'];
    };
    UsageAmounts: {
      /**
       * @description Proxies that report it.
       * @example 2
       */
      proxies: number;
      /**
       * @description Open sessions.
       * @example 3
       */
      sessions: number;
      /**
       * @description Connections, by backend.
       * @example {
       *       "postgres": {
       *         "in_use": 12,
       *         "idle": 3,
       *         "waiting": 0
       *       }
       *     }
       */
      connections: {
        [key: string]: {
          /** @description Connections with requests. */
          in_use: number;
          /** @description Connections that nobody uses. */
          idle: number;
          /** @description Requests that wait for one. */
          waiting: number;
          /** @description Connections that the namespace may have at each proxy; that a tenant may have at all. */
          limit?: number;
        };
      };
      /**
       * @description Requests since the proxies started.
       * @example 120000
       */
      requests: number;
      /**
       * @description Requests per second, lately; absent when no proxy tells it.
       * @example 42.5
       */
      requests_per_second?: number;
      /**
       * @description Requests that failed.
       * @example 3
       */
      errors: number;
      /**
       * @description Requests that were not begun, by code of the reason.
       * @example {
       *       "POOL_TIMEOUT": 1
       *     }
       */
      rejected: {
        [key: string]: number;
      };
      /**
       * @description Median time of a request at the proxy where it is longest.
       * @example 1.2
       */
      p50_ms?: number;
      /**
       * @description Time that 99 % of requests take at most, at the proxy where it is longest.
       * @example 9.5
       */
      p99_ms?: number;
      /**
       * @description CPU time; absent when it is not measured.
       * @example 812.4
       */
      cpu_seconds?: number;
      /**
       * @description Memory.
       * @example 1048576
       */
      memory_bytes?: number;
    };
    CapUsageResponse: {
      /**
       * @description Name of the pool.
       * @example standard
       */
      pool: string;
      /**
       * @description Name of the backend.
       * @example postgres
       */
      backend: string;
      /**
       * @description Connections that all proxies of the pool may have together.
       * @example 100
       */
      cap?: number;
      /**
       * @description What processes may have by the parts that they were given.
       * @example 80
       */
      granted: number;
      /**
       * @description Of these, what is kept for processes that report no longer, until their leases end.
       * @example 6
       */
      silent: number;
      /**
       * @description Connections in use and requests that wait for one.
       * @example 41
       */
      wanted: number;
      /**
       * @description Proxies that report.
       * @example 8
       */
      proxies: number;
      /**
       * @description Proxies that may have no connection.
       * @example 0
       */
      proxies_without_part: number;
    };
    PoolResponse: {
      /**
       * @description Name of the pool.
       * @example standard
       */
      name: string;
      /**
       * @description How many proxies there are to be.
       * @example 2
       */
      replicas: number;
      /** @description What each proxy gets. */
      resources: components['schemas']['PoolResourcesResponse'];
      /**
       * @description What shares connections in its proxies, for tenants that have no level of their own.
       * @example namespace
       * @enum {string}
       */
      isolation_level: 'none' | 'namespace' | 'session';
      /**
       * @description Levels that tenants may have there.
       * @example [
       *       "none",
       *       "namespace",
       *       "session"
       *     ]
       */
      isolation_levels: string[];
      /** @description Proxies that there are, in order of id. */
      proxies: components['schemas']['PoolProxyResponse'][];
      /**
       * @description How many of them are healthy and take requests.
       * @example 2
       */
      healthy: number;
      /**
       * @description Tenants with namespaces there.
       * @example 12
       */
      tenants: number;
      /**
       * @description Names and patterns that lead there, of those tenants and of namespace_routing.
       * @example 30
       */
      namespaces: number;
      /** @description What its namespaces use at all of its proxies; absent when none reports it. */
      usage?: components['schemas']['UsageAmounts'];
      /** @description How the cap of each backend is divided among its proxies. */
      caps: components['schemas']['CapUsageResponse'][];
    };
    PoolList: {
      /** @description All pools, in order of name. */
      items: components['schemas']['PoolResponse'][];
    };
    ProxyResources: {
      /**
       * @description Cores.
       * @example 4
       */
      cpu: number;
      /**
       * @description As Kubernetes writes it.
       * @example 8Gi
       */
      memory: string;
    };
    MeasuredResponse: {
      /**
       * @description Tenants of which proxies report something.
       * @example 120
       */
      tenants: number;
      /**
       * @description Connections that they use, and requests that wait for one.
       * @example 480
       */
      connections: number;
    };
    SizingResponse: {
      /**
       * @description Tenants, as asked.
       * @example 300
       */
      tenants: number;
      /**
       * @description Proxies.
       * @example 15
       */
      replicas: number;
      /**
       * @description Connections to backends, of all proxies together.
       * @example 1500
       */
      connections: number;
      /** @description What each proxy needs. */
      resources: components['schemas']['ProxyResources'];
      /** @description What it was calculated from; only with `from=usage`. */
      measured?: components['schemas']['MeasuredResponse'];
      /**
       * @description Whether this goes beyond what is known from experience, or was measured.
       * @example false
       */
      extrapolated: boolean;
    };
    RegisterProxyBody: {
      /**
       * @description Id of the proxy: labels as in DNS with dots between.
       * @example standard-1
       */
      id: string;
      /**
       * @description Name of the pool.
       * @example standard
       */
      pool: string;
      /**
       * @description Name or address at which the load balancer reaches it.
       * @example 10.0.0.7
       */
      host: string;
      /**
       * @description Port for requests and health checks.
       * @example 8080
       */
      port: number;
      /**
       * @description Relative to the others of the pool.
       * @default 100
       * @example 100
       */
      weight?: number;
      /**
       * @description Whether it finishes what it has and takes nothing new.
       * @default false
       * @example false
       */
      draining?: boolean;
    };
    RegisteredProxyResponse: {
      /**
       * @description Id of the proxy.
       * @example standard-1
       */
      id: string;
      /**
       * @description Name or address.
       * @example 10.0.0.7
       */
      host: string;
      /**
       * @description Port.
       * @example 8080
       */
      port: number;
      /**
       * @description Relative to the others of the pool.
       * @example 100
       */
      weight: number;
      /**
       * @description How the control plane learned of it.
       * @example registration
       * @enum {string}
       */
      source: 'registration' | 'static' | 'dns_srv' | 'kubernetes';
      /**
       * @description `unknown` until it was checked for the first time.
       * @example healthy
       * @enum {string}
       */
      health: 'unknown' | 'healthy' | 'unhealthy';
      /**
       * @description Why its health is what it is, for people.
       * @example answered 200
       */
      health_detail?: string;
      /**
       * @description Whether it finishes what it has and takes nothing new.
       * @example false
       */
      draining: boolean;
      /**
       * @description Version of its isolation library, as its last heartbeat said.
       * @example 1.0.0
       */
      version?: string;
      /** @description The policy that it enforces, as its last heartbeat said; absent for a proxy that says nothing of it. */
      policy?: components['schemas']['ProxyPolicyResponse'];
      /**
       * @description Name of the pool.
       * @example standard
       */
      pool: string;
      /**
       * Format: date-time
       * @description When it became known.
       * @example 2026-11-20T08:30:00.000Z
       */
      registered_at: string;
      /**
       * Format: date-time
       * @description Its last heartbeat, when it registered itself.
       * @example 2026-11-20T08:31:00.000Z
       */
      last_heartbeat_at?: string;
      /**
       * @description The process of the proxy, as its last heartbeat said.
       * @example 8f0e2a71
       */
      instance?: string;
      /**
       * Format: date-time
       * @description Since when its health is what it is.
       * @example 2026-11-20T08:30:05.000Z
       */
      health_changed_at?: string;
      /**
       * @description Time between two heartbeats, in seconds.
       * @example 5
       */
      heartbeat_interval_seconds: number;
      /** @description The parts of the caps that the proxy asked for, by backend. */
      caps?: {
        [key: string]: {
          /** @description Number of the part, to be named in the next heartbeat. */
          sequence: number;
          /** @description Connections that the proxy may have. */
          limit: number;
          /** @description How long the limit is valid, from when the heartbeat was sent. */
          valid_seconds: number;
          /** @description What remains of it afterwards. */
          base: number;
          /** @description How long the base is valid. */
          base_valid_seconds: number;
          /** @description Why the limit is 0. */
          reason?: string;
        };
      };
    };
    PolicyReportBody: {
      /**
       * @description The revision in force; absent while there is none.
       * @example 4711
       */
      revision?: number;
      /**
       * @description Where the policy in force came from.
       * @example stream
       * @enum {string}
       */
      source: 'stream' | 'disk' | 'none';
      /**
       * @description How long ago the proxy heard of the control plane, in seconds.
       * @example 0.4
       */
      age_seconds: number;
      /** @description The revision that could not be applied. */
      rejected?: components['schemas']['RejectedPolicyBody'];
    };
    HeartbeatBody: {
      /**
       * @description Differs for each process of the proxy.
       * @example 8f0e2a71
       */
      instance?: string;
      /**
       * @description Version of the isolation library.
       * @example 1.0.0
       */
      version?: string;
      /** @description The policy that the proxy enforces. */
      policy?: components['schemas']['PolicyReportBody'];
      /** @description What the proxy has and needs of each backend, by its name. */
      caps?: {
        [key: string]: {
          /** @description Number of the part that the proxy goes by; absent before the first one. */
          sequence?: number;
          /** @description The proxy has no more connections, and opens none above it before it gets another part. */
          limit: number;
          /** @description Connections in use, also those that are opening or closing. */
          in_use: number;
          /** @description Requests that wait for a connection. */
          waiting: number;
          /** @description Connections that it must be able to have. */
          least: number;
          /** @description How long the backend may keep a connection of a proxy that has been stopped. */
          hold_seconds: number;
        };
      };
      /** @description What namespaces use. Counters count from the start of the process. */
      usage?: {
        /** @description The busiest namespaces. */
        namespaces: {
          namespace: string;
          /** @description Open sessions. */
          sessions: number;
          connections: {
            [key: string]: {
              in_use: number;
              idle: number;
              waiting: number;
            };
          };
          /** @description Requests since the start of the process. */
          requests: number;
          /** @description Requests per second, lately; absent when it is not measured. */
          requests_per_second?: number;
          /** @description Requests that failed. */
          errors: number;
          /** @description Requests that were not begun, by code of the reason. */
          rejected: {
            [key: string]: number;
          };
          /** @description Median time of a request. */
          p50_ms?: number;
          /** @description Time that 99 % of requests take at most. */
          p99_ms?: number;
          /** @description CPU time; absent when it is not measured. */
          cpu_seconds?: number;
          /** @description Memory. */
          memory_bytes?: number;
        }[];
        /** @description The sum of all others. */
        rest?: {
          namespaces: number;
          /** @description Open sessions. */
          sessions: number;
          connections: {
            [key: string]: {
              in_use: number;
              idle: number;
              waiting: number;
            };
          };
          /** @description Requests since the start of the process. */
          requests: number;
          /** @description Requests per second, lately; absent when it is not measured. */
          requests_per_second?: number;
          /** @description Requests that failed. */
          errors: number;
          /** @description Requests that were not begun, by code of the reason. */
          rejected: {
            [key: string]: number;
          };
          /** @description Median time of a request. */
          p50_ms?: number;
          /** @description Time that 99 % of requests take at most. */
          p99_ms?: number;
          /** @description CPU time; absent when it is not measured. */
          cpu_seconds?: number;
          /** @description Memory. */
          memory_bytes?: number;
        };
      };
    };
    ProxyResponse: {
      /**
       * @description Id of the proxy.
       * @example standard-1
       */
      id: string;
      /**
       * @description Name or address.
       * @example 10.0.0.7
       */
      host: string;
      /**
       * @description Port.
       * @example 8080
       */
      port: number;
      /**
       * @description Relative to the others of the pool.
       * @example 100
       */
      weight: number;
      /**
       * @description How the control plane learned of it.
       * @example registration
       * @enum {string}
       */
      source: 'registration' | 'static' | 'dns_srv' | 'kubernetes';
      /**
       * @description `unknown` until it was checked for the first time.
       * @example healthy
       * @enum {string}
       */
      health: 'unknown' | 'healthy' | 'unhealthy';
      /**
       * @description Why its health is what it is, for people.
       * @example answered 200
       */
      health_detail?: string;
      /**
       * @description Whether it finishes what it has and takes nothing new.
       * @example false
       */
      draining: boolean;
      /**
       * @description Version of its isolation library, as its last heartbeat said.
       * @example 1.0.0
       */
      version?: string;
      /** @description The policy that it enforces, as its last heartbeat said; absent for a proxy that says nothing of it. */
      policy?: components['schemas']['ProxyPolicyResponse'];
      /**
       * @description Name of the pool.
       * @example standard
       */
      pool: string;
      /**
       * Format: date-time
       * @description When it became known.
       * @example 2026-11-20T08:30:00.000Z
       */
      registered_at: string;
      /**
       * Format: date-time
       * @description Its last heartbeat, when it registered itself.
       * @example 2026-11-20T08:31:00.000Z
       */
      last_heartbeat_at?: string;
      /**
       * @description The process of the proxy, as its last heartbeat said.
       * @example 8f0e2a71
       */
      instance?: string;
      /**
       * Format: date-time
       * @description Since when its health is what it is.
       * @example 2026-11-20T08:30:05.000Z
       */
      health_changed_at?: string;
    };
    ProxyList: {
      /** @description All proxies, in order of pool and id. */
      items: components['schemas']['ProxyResponse'][];
    };
    AdjustProxyBody: {
      /**
       * @description Relative to the others of the pool.
       * @example 100
       */
      weight?: number;
      /**
       * @description Whether it finishes what it has and takes nothing new.
       * @example true
       */
      draining?: boolean;
    };
    AccessQuestionBody: {
      /**
       * @description Full identifier of the user, or their external id together with `provider`.
       * @example user:scim:default:ada
       */
      user: string;
      /**
       * @description Provider of the user; may be left out when the user is given by full identifier.
       * @example default
       */
      provider?: string;
      /**
       * @description Name of a namespace that the pool of the proxy serves.
       * @example orders
       */
      namespace: string;
      /**
       * @description The relation in question; one that includes it answers as well.
       * @default read
       * @enum {string}
       */
      relation?: 'read' | 'write' | 'admin';
    };
    AccessQuestionsBody: {
      /** @description What the proxy wants to know. */
      questions: components['schemas']['AccessQuestionBody'][];
    };
    AccessReasonResponse: {
      /**
       * @description From the group that the user is a direct member of up to the bound one.
       * @example [
       *       "group:scim:default:backend",
       *       "group:scim:default:eng"
       *     ]
       */
      groups: string[];
      /**
       * @description The relation that the binding gives.
       * @example write
       * @enum {string}
       */
      relation: 'read' | 'write' | 'admin';
    };
    ProxyAccessResponse: {
      /**
       * @description Whether the user has the relation.
       * @example true
       */
      allowed: boolean;
      /**
       * @description Full identifier of the user, when they have it.
       * @example user:scim:default:ada
       */
      user?: string;
      /** @description One way in which they have it. */
      because?: components['schemas']['AccessReasonResponse'];
      /**
       * @description Why they do not have it. Unknown and inactive users are `no_relation`; `not_served` says that the namespace is not one of the pool.
       * @example no_relation
       * @enum {string}
       */
      reason?: 'no_relation' | 'weaker_relation' | 'not_served';
    };
    ProxyAccessList: {
      /** @description In the order of the questions. */
      answers: components['schemas']['ProxyAccessResponse'][];
    };
    LoadBalancerVersionResponse: {
      /**
       * Format: uuid
       * @description Id of the version.
       * @example 0199a3c4-7d9f-7000-8000-3c5200000000
       */
      id: string;
      /**
       * @description The revision of the registry that it was made from.
       * @example 42
       */
      version: number;
      /**
       * @description The epoch of the leader that made the version; it grows with each leader.
       * @example 7
       */
      epoch?: number;
      /**
       * @description SHA-256 of all rendered files; empty when rendering failed.
       * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
       */
      hash: string;
      /**
       * @description The load balancer.
       * @example haproxy
       * @enum {string}
       */
      type: 'haproxy' | 'nginx' | 'envoy';
      /**
       * @description Whether the load balancer behaves differently than before. A renewed certificate does not count.
       * @example true
       */
      changed: boolean;
      /**
       * @description `maps` and `servers` are changes at runtime, `reload` starts new workers, `none` means that there was nothing to do. When several were needed, the one with the largest effect is named.
       * @example reload
       * @enum {string}
       */
      method: 'none' | 'maps' | 'servers' | 'reload';
      /**
       * @description `unchanged`: it was served already; with `reload` it was loaded again. `rejected`: nothing was changed. `rolled_back`: the earlier configuration was restored. `failed`: neither; see `reason`.
       * @example applied
       * @enum {string}
       */
      result: 'applied' | 'unchanged' | 'rejected' | 'rolled_back' | 'failed';
      /**
       * @description Why it was not applied.
       * @example /usr/sbin/haproxy ended with exit code 1: …
       */
      reason?: string;
      /**
       * @description Who requested the change.
       * @example ann@example.com
       */
      actor: string;
      /**
       * Format: date-time
       * @description When it began.
       * @example 2026-11-20T08:30:00.000Z
       */
      at: string;
      /**
       * @description How long it took, in milliseconds.
       * @example 180
       */
      duration_ms: number;
    };
    FilePreviewResponse: {
      /**
       * @description Path of the file.
       * @example /etc/palisade/haproxy.namespaces.map
       */
      path: string;
      /**
       * @description What happens to the file.
       * @example changed
       * @enum {string}
       */
      change: 'none' | 'new' | 'changed';
      /**
       * @description Its new size.
       * @example 3145728
       */
      bytes: number;
      /**
       * @description SHA-256.
       * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
       */
      hash: string;
      /**
       * @description Lines that are added.
       * @example 1
       */
      lines_added: number;
      /**
       * @description Lines that are removed.
       * @example 0
       */
      lines_removed: number;
      /**
       * @description The first lines that are added (`+`) and removed (`-`), at most 50.
       * @example [
       *       "+ /globex. premium/64"
       *     ]
       */
      sample: string[];
    };
    LoadBalancerPreviewResponse: {
      /**
       * @description Revision of the registry.
       * @example 43
       */
      version: number;
      /**
       * @description The hash that the next version will have.
       * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
       */
      hash: string;
      /**
       * @description `maps` and `servers` are changes at runtime, `reload` starts new workers, `none` means that there was nothing to do. When several were needed, the one with the largest effect is named.
       * @example maps
       * @enum {string}
       */
      method: 'none' | 'maps' | 'servers' | 'reload';
      /** @description All files of the load balancer. */
      files: components['schemas']['FilePreviewResponse'][];
    };
    LoadBalancerVersionPage: {
      /** @description Newest first. */
      items: components['schemas']['LoadBalancerVersionResponse'][];
      /**
       * @description `cursor` of the next page; absent when this is the last one.
       * @example WyJhY21lLWVudHJhIl0
       */
      next_cursor?: string;
    };
    DriftResponse: {
      /**
       * @description Where the difference is.
       * @example server
       * @enum {string}
       */
      kind: 'file' | 'process' | 'map' | 'server';
      /**
       * @description For operators.
       * @example standard/proxy-1: weight
       */
      detail: string;
    };
    DriftReportResponse: {
      /**
       * Format: date-time
       * @description When it was searched.
       * @example 2026-11-20T08:30:00.000Z
       */
      at: string;
      /** @description Empty when there were no differences. */
      drifts: components['schemas']['DriftResponse'][];
    };
    UnresolvedServerResponse: {
      /**
       * @description The proxy.
       * @example proxy-1
       */
      id: string;
      /**
       * @description Its name, which has no address.
       * @example proxy-1.internal
       */
      host: string;
    };
    LoadBalancerStatusResponse: {
      /**
       * @description The load balancer.
       * @example haproxy
       * @enum {string}
       */
      type: 'haproxy' | 'nginx' | 'envoy';
      /**
       * @description Whether a change is waiting or being made.
       * @example false
       */
      busy: boolean;
      /** @description Absent until the first change. */
      last_version?: components['schemas']['LoadBalancerVersionResponse'];
      /** @description The last search for differences from the desired state. */
      last_drift?: components['schemas']['DriftReportResponse'];
      /** @description Proxies that get no requests because their names have no address. */
      unresolved: components['schemas']['UnresolvedServerResponse'][];
    };
    LeaderResponse: {
      /**
       * @description The replica.
       * @example control-plane-0:1:01992f4e
       */
      holder: string;
      /**
       * @description Increases with each change of leadership.
       * @example 3
       */
      epoch: number;
      /**
       * Format: date-time
       * @description Valid until then, unless it is renewed.
       * @example 2026-11-20T08:30:05.000Z
       */
      expires_at: string;
    };
    PolicyStatusResponse: {
      /**
       * @description Proxies that enforce it.
       * @example 4
       */
      current: number;
      /**
       * @description Proxies that do not have it yet.
       * @example 0
       */
      behind: number;
      /**
       * @description Proxies that cannot enforce it, and keep an earlier one.
       * @example 0
       */
      rejected: number;
      /**
       * @description Proxies that do not hear of the control plane.
       * @example 0
       */
      stale: number;
      /**
       * @description Proxies that say nothing of a policy.
       * @example 0
       */
      unmanaged: number;
    };
    ComponentStatusResponse: {
      /**
       * @description `load_balancer`, `dns`, `kubernetes`, `provisioning` or `audit`.
       * @example dns
       */
      component: string;
      /**
       * @description The replica that reported it.
       * @example control-plane-0:1:01992f4e
       */
      reported_by: string;
      /**
       * @description Whether the present leader reported it. If not, the report may be out of date: nobody leads, or the configuration no longer has the component.
       * @example true
       */
      is_current: boolean;
      /**
       * Format: date-time
       * @description When it changed to this.
       * @example 2026-11-20T08:30:00.000Z
       */
      at: string;
      /**
       * @description Depends on the component.
       * @example {
       *       "names": [
       *         {
       *           "name": "standard.pools.example.com",
       *           "state": "applied",
       *           "addresses": [
       *             "10.0.0.7"
       *           ]
       *         }
       *       ]
       *     }
       */
      detail: {
        [key: string]: unknown;
      };
    };
    StatusResponse: {
      /**
       * @description Revision of the registry, which increases with each change of a tenant.
       * @example 42
       */
      revision: number;
      /**
       * @description Whether the replica that answers leads.
       * @example true
       */
      is_leader: boolean;
      /** @description The replica that leads; absent while none does. */
      leader?: components['schemas']['LeaderResponse'];
      /** @description How many proxies enforce it. */
      policy: components['schemas']['PolicyStatusResponse'];
      /** @description What the leader has reported, in order of component. */
      components: components['schemas']['ComponentStatusResponse'][];
    };
    LogRecordResponse: {
      /**
       * @description Place in the log: from 1, without gaps.
       * @example 42
       */
      position: number;
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-11-20T08:30:00.000Z
       */
      timestamp: string;
      /**
       * @description The chain that the record is in: the provider, or `control_plane` for what belongs to none.
       * @example control_plane
       */
      scope: string;
      /**
       * @description The provider concerned.
       * @example entra-eu
       */
      provider?: string;
      /**
       * @description The tenant concerned.
       * @example acme
       */
      tenant_id?: string;
      /**
       * @description The namespace concerned, if it is one.
       * @example acme-orders
       */
      namespace?: string;
      /**
       * Format: uuid
       * @description The session in which it happened.
       * @example 0199a3c4-7d9f-7000-8000-3c5200000000
       */
      session_id?: string;
      /**
       * @description Who did it, as authenticated.
       * @example ann@example.com
       */
      user_id: string;
      /**
       * @description What was done.
       * @example tenant.register
       */
      action: string;
      /**
       * @description What it was done to.
       * @example tenant:acme
       */
      resource: string;
      /**
       * @description What came of it.
       * @example success
       * @enum {string}
       */
      result: 'success' | 'denied' | 'failure';
      /**
       * @description Rows that were read or written.
       * @example 3
       */
      rows_accessed?: number;
      /**
       * @description Whether personal data was among it.
       * @example false
       */
      pii_accessed?: boolean;
      /**
       * @description X-Request-Id of the request.
       * @example 7d9f3c52
       */
      request_id?: string;
      /**
       * @description More about it, depending on the action; never secrets or values of attributes.
       * @example {
       *       "source": "api",
       *       "version": 1,
       *       "patterns": "acme-*",
       *       "pattern_count": 1,
       *       "pool": "premium"
       *     }
       */
      detail?: {
        [key: string]: unknown;
      };
      /**
       * @description `hash` of the record before in the same scope; 64 zeros for the first.
       * @example 0000000000000000000000000000000000000000000000000000000000000000
       */
      previous_hash: string;
      /**
       * @description SHA-256 over `previous_hash` and the other fields as JSON in the canonical form of RFC 8785.
       * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
       */
      hash: string;
      /**
       * @description SHA-256 over the `seal` of the record before, whatever its scope, and this `hash`.
       * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
       */
      seal: string;
    };
    LogPage: {
      /** @description In the order that was asked for. */
      items: components['schemas']['LogRecordResponse'][];
      /**
       * @description Reading forward: `after` of the next request, whether or not there is more now.
       * @example 42
       */
      next_after?: number;
      /**
       * @description Reading backward: `before` of the next request; absent at the beginning of the log.
       * @example 17
       */
      next_before?: number;
    };
    LogSealResponse: {
      /**
       * @description The last position.
       * @example 42
       */
      position: number;
      /**
       * @description `seal` of the record there: it covers every record up to it, of all scopes.
       * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
       */
      seal: string;
      /**
       * Format: date-time
       * @description When it was signed.
       * @example 2026-11-20T08:30:00.000Z
       */
      time: string;
      /**
       * @description The three of them as a compact JWS (RFC 7515). Keep it: `GET /api/v1/log/verify?kept=…` compares.
       * @example eyJhbGciOiJFUzI1NiJ9.eyJwb3NpdGlvbiI6NDJ9.c2lnbmF0dXJl
       */
      signature: string;
      /**
       * @description The public key as a JWK (RFC 7517).
       * @example {
       *       "kty": "EC",
       *       "crv": "P-256",
       *       "x": "MKBC",
       *       "y": "4Etl",
       *       "alg": "ES256",
       *       "use": "sig",
       *       "kid": "log-1"
       *     }
       */
      key: {
        [key: string]: unknown;
      };
    };
    LogVerificationResponse: {
      /**
       * @description Whether every record is as it was written and none is missing.
       * @example true
       */
      valid: boolean;
      /**
       * @description Intact records: all, or those before the break.
       * @example 42
       */
      records: number;
      /**
       * @description Position of the first record there should be.
       * @example 1
       */
      first: number;
      /**
       * @description Position of the last; `first` - 1 when there are none.
       * @example 42
       */
      last: number;
      /**
       * @description The first position that is not as it was.
       * @example 17
       */
      broken_at?: number;
      /**
       * @description `position`: a record is missing or was inserted; `previous_hash`: it does not follow on the one before in its scope; `hash`: it was changed; `seal`: the log is another than it was, from here or earlier; `cut`: it ends before the seal that was kept; `signature`: that seal was not signed here.
       * @example hash
       * @enum {string}
       */
      reason?: 'position' | 'previous_hash' | 'hash' | 'seal' | 'cut' | 'signature';
    };
    NamespaceUsageResponse: {
      /**
       * @description Proxies that report it.
       * @example 2
       */
      proxies: number;
      /**
       * @description Open sessions.
       * @example 3
       */
      sessions: number;
      /**
       * @description Connections, by backend.
       * @example {
       *       "postgres": {
       *         "in_use": 12,
       *         "idle": 3,
       *         "waiting": 0
       *       }
       *     }
       */
      connections: {
        [key: string]: {
          /** @description Connections with requests. */
          in_use: number;
          /** @description Connections that nobody uses. */
          idle: number;
          /** @description Requests that wait for one. */
          waiting: number;
          /** @description Connections that the namespace may have at each proxy; that a tenant may have at all. */
          limit?: number;
        };
      };
      /**
       * @description Requests since the proxies started.
       * @example 120000
       */
      requests: number;
      /**
       * @description Requests per second, lately; absent when no proxy tells it.
       * @example 42.5
       */
      requests_per_second?: number;
      /**
       * @description Requests that failed.
       * @example 3
       */
      errors: number;
      /**
       * @description Requests that were not begun, by code of the reason.
       * @example {
       *       "POOL_TIMEOUT": 1
       *     }
       */
      rejected: {
        [key: string]: number;
      };
      /**
       * @description Median time of a request at the proxy where it is longest.
       * @example 1.2
       */
      p50_ms?: number;
      /**
       * @description Time that 99 % of requests take at most, at the proxy where it is longest.
       * @example 9.5
       */
      p99_ms?: number;
      /**
       * @description CPU time; absent when it is not measured.
       * @example 812.4
       */
      cpu_seconds?: number;
      /**
       * @description Memory.
       * @example 1048576
       */
      memory_bytes?: number;
      /**
       * @description Name of the namespace.
       * @example acme-orders
       */
      namespace: string;
      /**
       * @description The tenant that it belongs to.
       * @example acme
       */
      tenant_id?: string;
    };
    OtherNamespacesUsage: {
      /**
       * @description Proxies that report it.
       * @example 2
       */
      proxies: number;
      /**
       * @description Open sessions.
       * @example 3
       */
      sessions: number;
      /**
       * @description Connections, by backend.
       * @example {
       *       "postgres": {
       *         "in_use": 12,
       *         "idle": 3,
       *         "waiting": 0
       *       }
       *     }
       */
      connections: {
        [key: string]: {
          /** @description Connections with requests. */
          in_use: number;
          /** @description Connections that nobody uses. */
          idle: number;
          /** @description Requests that wait for one. */
          waiting: number;
          /** @description Connections that the namespace may have at each proxy; that a tenant may have at all. */
          limit?: number;
        };
      };
      /**
       * @description Requests since the proxies started.
       * @example 120000
       */
      requests: number;
      /**
       * @description Requests per second, lately; absent when no proxy tells it.
       * @example 42.5
       */
      requests_per_second?: number;
      /**
       * @description Requests that failed.
       * @example 3
       */
      errors: number;
      /**
       * @description Requests that were not begun, by code of the reason.
       * @example {
       *       "POOL_TIMEOUT": 1
       *     }
       */
      rejected: {
        [key: string]: number;
      };
      /**
       * @description Median time of a request at the proxy where it is longest.
       * @example 1.2
       */
      p50_ms?: number;
      /**
       * @description Time that 99 % of requests take at most, at the proxy where it is longest.
       * @example 9.5
       */
      p99_ms?: number;
      /**
       * @description CPU time; absent when it is not measured.
       * @example 812.4
       */
      cpu_seconds?: number;
      /**
       * @description Memory.
       * @example 1048576
       */
      memory_bytes?: number;
      /**
       * @description How many these are, counted at each proxy.
       * @example 4000
       */
      namespaces: number;
    };
    UsageResponse: {
      /**
       * @description Proxies that report it.
       * @example 2
       */
      proxies: number;
      /**
       * @description Open sessions.
       * @example 3
       */
      sessions: number;
      /**
       * @description Connections, by backend.
       * @example {
       *       "postgres": {
       *         "in_use": 12,
       *         "idle": 3,
       *         "waiting": 0
       *       }
       *     }
       */
      connections: {
        [key: string]: {
          /** @description Connections with requests. */
          in_use: number;
          /** @description Connections that nobody uses. */
          idle: number;
          /** @description Requests that wait for one. */
          waiting: number;
          /** @description Connections that the namespace may have at each proxy; that a tenant may have at all. */
          limit?: number;
        };
      };
      /**
       * @description Requests since the proxies started.
       * @example 120000
       */
      requests: number;
      /**
       * @description Requests per second, lately; absent when no proxy tells it.
       * @example 42.5
       */
      requests_per_second?: number;
      /**
       * @description Requests that failed.
       * @example 3
       */
      errors: number;
      /**
       * @description Requests that were not begun, by code of the reason.
       * @example {
       *       "POOL_TIMEOUT": 1
       *     }
       */
      rejected: {
        [key: string]: number;
      };
      /**
       * @description Median time of a request at the proxy where it is longest.
       * @example 1.2
       */
      p50_ms?: number;
      /**
       * @description Time that 99 % of requests take at most, at the proxy where it is longest.
       * @example 9.5
       */
      p99_ms?: number;
      /**
       * @description CPU time; absent when it is not measured.
       * @example 812.4
       */
      cpu_seconds?: number;
      /**
       * @description Memory.
       * @example 1048576
       */
      memory_bytes?: number;
      /** @description The busiest namespaces, by connections in use and requests that wait. */
      namespaces: components['schemas']['NamespaceUsageResponse'][];
      /**
       * @description Namespaces beyond these that proxies name, with what was asked for.
       * @example 0
       */
      more_namespaces: number;
      /** @description What proxies report as one sum, beside the 1,000 busiest namespaces of each. */
      unnamed: components['schemas']['OtherNamespacesUsage'][];
      /** @description How caps are divided, in order of pool and backend. Only for admins of all namespaces. */
      caps: components['schemas']['CapUsageResponse'][];
    };
  };
  responses: {
    /**
     * @description - `VALIDATION_FAILED`: fields are wrong; `errors` has one text for each
     *     - `INVALID_REQUEST`: a value is out of range or does not fit another one
     *     - `INVALID_IDENTIFIER`: an id, a name or a pattern has the wrong form
     */
    InvalidParameters: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /**
     * @description - `VALIDATION_FAILED`: fields are wrong; `errors` has one text for each
     *     - `INVALID_JSON`: the body is not JSON
     *     - `INVALID_REQUEST`: a value is out of range or does not fit another one
     *     - `INVALID_IDENTIFIER`: an id, a name or a pattern has the wrong form
     */
    InvalidRequest: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description No credential, or one that is wrong, expired or revoked */
    Unauthenticated: {
      headers: {
        /** @description Which credential is needed, and what is wrong with the one that was given. */
        'WWW-Authenticate'?: string;
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "type": "urn:palisade:problem:unauthenticated",
         *       "title": "Unauthorized",
         *       "status": 401,
         *       "code": "UNAUTHENTICATED",
         *       "detail": "the bearer token is not valid here",
         *       "request_id": "7d9f3c52"
         *     }
         */
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description The credential lacks the scope, or is not an admin of every namespace */
    Forbidden: {
      headers: {
        /** @description Which credential is needed, and what is wrong with the one that was given. */
        'WWW-Authenticate'?: string;
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "type": "urn:palisade:problem:forbidden",
         *       "title": "Forbidden",
         *       "status": 403,
         *       "code": "FORBIDDEN",
         *       "detail": "this operation needs the scope \"operate\"",
         *       "request_id": "7d9f3c52"
         *     }
         */
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description The body exceeds 1 MiB */
    TooLarge: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "type": "about:blank",
         *       "title": "Payload Too Large",
         *       "status": 413,
         *       "code": "PAYLOAD_TOO_LARGE",
         *       "detail": "body: expected at most 1048576 bytes",
         *       "request_id": "7d9f3c52"
         *     }
         */
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description The body is not `application/json` */
    UnsupportedMediaType: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "type": "about:blank",
         *       "title": "Unsupported Media Type",
         *       "status": 415,
         *       "code": "UNSUPPORTED_MEDIA_TYPE",
         *       "detail": "Content-Type: expected application/json",
         *       "request_id": "7d9f3c52"
         *     }
         */
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description A thousand requests of the caller wait for their turn; `Retry-After` in seconds */
    TooMany: {
      headers: {
        /** @description Seconds after which to try again. */
        'Retry-After'?: string;
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "type": "about:blank",
         *       "title": "Too Many Requests",
         *       "status": 429,
         *       "code": "TOO_MANY_REQUESTS",
         *       "detail": "expected at most 1000 requests of one caller that wait",
         *       "request_id": "7d9f3c52"
         *     }
         */
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description The URL and the headers together exceed 16 KiB (control plane) */
    HeadersTooLarge: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "type": "about:blank",
         *       "title": "Request Header Fields Too Large",
         *       "status": 431,
         *       "code": "HEADERS_TOO_LARGE",
         *       "detail": "the URL and the headers are too large",
         *       "request_id": "7d9f3c52"
         *     }
         */
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description A defect; there is a `request_id` and nothing else */
    Failure: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "type": "about:blank",
         *       "title": "Internal Server Error",
         *       "status": 500,
         *       "code": "INTERNAL_ERROR",
         *       "request_id": "7d9f3c52"
         *     }
         */
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /**
     * @description - `STORE_UNAVAILABLE`: the database cannot be reached, has no disk or memory left for a change, or all connections to it are in use; `Retry-After` in seconds
     *     - `ISSUER_UNAVAILABLE`: the keys of a token's issuer cannot be loaded
     */
    Unavailable: {
      headers: {
        /** @description Seconds after which to try again. */
        'Retry-After'?: string;
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
  };
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  listTenants: {
    parameters: {
      query?: {
        /** @description Items per page. */
        limit?: number;
        /** @description `next_cursor` of the page before; leave it out for the first. E.g. `WyJhY21lLWVudHJhIl0`. */
        cursor?: string;
        /** @description Only tenants with namespaces in this pool. E.g. `premium`. */
        pool?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TenantPage'];
        };
      };
      400: components['responses']['InvalidParameters'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      429: components['responses']['TooMany'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['Failure'];
      503: components['responses']['Unavailable'];
    };
  };
  registerTenant: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RegisterTenantBody'];
      };
    };
    responses: {
      /** @description The identical tenant is registered already; nothing was changed */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TenantResponse'];
        };
      };
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TenantResponse'];
        };
      };
      /**
       * @description - `VALIDATION_FAILED`: fields are wrong; `errors` has one text for each
       *     - `INVALID_JSON`: the body is not JSON
       *     - `INVALID_REQUEST`: a value is out of range or does not fit another one
       *     - `INVALID_IDENTIFIER`: an id, a name or a pattern has the wrong form
       *     - `UNKNOWN_POOL`: the configuration has no such pool
       *     - `POOL_REQUIRED`: the request names no pool, and neither does a rule or `default_pool`
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      /**
       * @description - `NAMESPACE_OVERLAP`: some namespace would belong to two tenants
       *     - `TOO_MANY_PATTERNS`: the limit of patterns that are neither `name` nor `prefix*` is reached
       *     - `SINGLE_TENANT`: the installation serves a single tenant
       *     - `TENANT_CONFLICT`: the tenant is registered with other values
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      413: components['responses']['TooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooMany'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['Failure'];
      503: components['responses']['Unavailable'];
    };
  };
  getTenant: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the tenant. */
        tenant_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TenantResponse'];
        };
      };
      400: components['responses']['InvalidParameters'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      /** @description No such tenant among those that the caller may see */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:tenant-not-found",
           *       "title": "Not Found",
           *       "status": 404,
           *       "code": "TENANT_NOT_FOUND",
           *       "detail": "no tenant \"acme\" is registered",
           *       "request_id": "7d9f3c52"
           *     }
           */
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      429: components['responses']['TooMany'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['Failure'];
      503: components['responses']['Unavailable'];
    };
  };
  replaceTenant: {
    parameters: {
      query?: never;
      header?: {
        /** @description ETag of the tenant that is to be changed; another version is left alone. */
        'If-Match'?: string;
      };
      path: {
        /** @description Id of the tenant. */
        tenant_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ReplaceTenantBody'];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TenantResponse'];
        };
      };
      /**
       * @description - `VALIDATION_FAILED`: fields are wrong; `errors` has one text for each
       *     - `INVALID_JSON`: the body is not JSON
       *     - `INVALID_REQUEST`: a value is out of range or does not fit another one
       *     - `INVALID_IDENTIFIER`: an id, a name or a pattern has the wrong form
       *     - `UNKNOWN_POOL`: the configuration has no such pool
       *     - `POOL_REQUIRED`: the request names no pool, and neither does a rule or `default_pool`
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      /** @description No such tenant among those that the caller may see */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:tenant-not-found",
           *       "title": "Not Found",
           *       "status": 404,
           *       "code": "TENANT_NOT_FOUND",
           *       "detail": "no tenant \"acme\" is registered",
           *       "request_id": "7d9f3c52"
           *     }
           */
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description - `NAMESPACE_OVERLAP`: some namespace would belong to two tenants
       *     - `TOO_MANY_PATTERNS`: the limit of patterns that are neither `name` nor `prefix*` is reached
       *     - `SINGLE_TENANT`: the installation serves a single tenant
       *     - `MANAGED_ELSEWHERE`: another source owns it, and would undo the change
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The state is not the one that the request names */
      412: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:precondition-failed",
           *       "title": "Precondition Failed",
           *       "status": 412,
           *       "code": "PRECONDITION_FAILED",
           *       "detail": "the resource is at version 4, the request demands 3",
           *       "request_id": "7d9f3c52"
           *     }
           */
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      413: components['responses']['TooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooMany'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['Failure'];
      503: components['responses']['Unavailable'];
    };
  };
  removeTenant: {
    parameters: {
      query?: never;
      header?: {
        /** @description ETag of the tenant that is to be changed; another version is left alone. */
        'If-Match'?: string;
      };
      path: {
        /** @description Id of the tenant. */
        tenant_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description No Content */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['InvalidParameters'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      /** @description No such tenant among those that the caller may see */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:tenant-not-found",
           *       "title": "Not Found",
           *       "status": 404,
           *       "code": "TENANT_NOT_FOUND",
           *       "detail": "no tenant \"acme\" is registered",
           *       "request_id": "7d9f3c52"
           *     }
           */
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description - `MANAGED_ELSEWHERE`: another source owns it, and would undo the change
       *     - `SINGLE_TENANT`: the installation serves a single tenant
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The state is not the one that the request names */
      412: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:precondition-failed",
           *       "title": "Precondition Failed",
           *       "status": 412,
           *       "code": "PRECONDITION_FAILED",
           *       "detail": "the resource is at version 4, the request demands 3",
           *       "request_id": "7d9f3c52"
           *     }
           */
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      429: components['responses']['TooMany'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['Failure'];
      503: components['responses']['Unavailable'];
    };
  };
  resolveNamespace: {
    parameters: {
      query: {
        /** @description Name of the namespace. */
        namespace: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ResolveResponse'];
        };
      };
      400: components['responses']['InvalidParameters'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      /**
       * @description - `NAMESPACE_NOT_FOUND`: the namespace is not one that the caller administers
       *     - `NO_ROUTE`: nothing says where the namespace goes
       */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      429: components['responses']['TooMany'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['Failure'];
      503: components['responses']['Unavailable'];
    };
  };
  explainRoute: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ExplainBody'];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ExplainResponse'];
        };
      };
      400: components['responses']['InvalidRequest'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      /** @description The namespace is not one that the caller administers */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:namespace-not-found",
           *       "title": "Not Found",
           *       "status": 404,
           *       "code": "NAMESPACE_NOT_FOUND",
           *       "detail": "namespace \"acme-orders\" does not exist among those that you administer",
           *       "request_id": "7d9f3c52"
           *     }
           */
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      413: components['responses']['TooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooMany'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['Failure'];
      503: components['responses']['Unavailable'];
    };
  };
  findRouteOfUser: {
    parameters: {
      query: {
        /** @description Full identifier of the user. */
        user: string;
        /** @description Name of the namespace. */
        namespace: string;
        /** @description The relation in question; one that includes it answers as well. */
        relation?: 'read' | 'write' | 'admin';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AccessRouteResponse'];
        };
      };
      /**
       * @description - `VALIDATION_FAILED`: fields are wrong; `errors` has one text for each
       *     - `INVALID_REQUEST`: a value is out of range or does not fit another one
       *     - `INVALID_IDENTIFIER`: an id, a name or a pattern has the wrong form
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      /** @description The namespace is not one that the caller administers */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:namespace-not-found",
           *       "title": "Not Found",
           *       "status": 404,
           *       "code": "NAMESPACE_NOT_FOUND",
           *       "detail": "namespace \"acme-orders\" does not exist among those that you administer",
           *       "request_id": "7d9f3c52"
           *     }
           */
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      429: components['responses']['TooMany'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['Failure'];
      503: components['responses']['Unavailable'];
    };
  };
  listNamespacesOfUser: {
    parameters: {
      query: {
        /** @description Items per page. */
        limit?: number;
        /** @description `next_cursor` of the page before; leave it out for the first. E.g. `WyJhY21lLWVudHJhIl0`. */
        cursor?: string;
        /** @description Full identifier of the user. */
        user: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ReachableNamespacePage'];
        };
      };
      /**
       * @description - `VALIDATION_FAILED`: fields are wrong; `errors` has one text for each
       *     - `INVALID_REQUEST`: a value is out of range or does not fit another one
       *     - `INVALID_IDENTIFIER`: an id, a name or a pattern has the wrong form
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      429: components['responses']['TooMany'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['Failure'];
      503: components['responses']['Unavailable'];
    };
  };
  listTenantAdmins: {
    parameters: {
      query?: {
        /** @description Items per page. */
        limit?: number;
        /** @description `next_cursor` of the page before; leave it out for the first. E.g. `WyJhY21lLWVudHJhIl0`. */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description Id of the tenant. */
        tenant_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TenantAdminPage'];
        };
      };
      /**
       * @description - `VALIDATION_FAILED`: fields are wrong; `errors` has one text for each
       *     - `INVALID_REQUEST`: a value is out of range or does not fit another one
       *     - `INVALID_IDENTIFIER`: an id, a name or a pattern has the wrong form
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      /** @description No such tenant among those that the caller may see */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:tenant-not-found",
           *       "title": "Not Found",
           *       "status": 404,
           *       "code": "TENANT_NOT_FOUND",
           *       "detail": "no tenant \"acme\" is registered",
           *       "request_id": "7d9f3c52"
           *     }
           */
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      429: components['responses']['TooMany'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['Failure'];
      503: components['responses']['Unavailable'];
    };
  };
  listPools: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PoolList'];
        };
      };
      400: components['responses']['InvalidParameters'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      429: components['responses']['TooMany'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['Failure'];
      503: components['responses']['Unavailable'];
    };
  };
  getPool: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the pool. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PoolResponse'];
        };
      };
      400: components['responses']['InvalidParameters'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      /** @description No such pool */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:pool-not-found",
           *       "title": "Not Found",
           *       "status": 404,
           *       "code": "POOL_NOT_FOUND",
           *       "detail": "there is no pool \"gold\"",
           *       "request_id": "7d9f3c52"
           *     }
           */
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      429: components['responses']['TooMany'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['Failure'];
      503: components['responses']['Unavailable'];
    };
  };
  getSizing: {
    parameters: {
      query: {
        /** @description How many tenants there will be. */
        tenants: number;
        /** @description `table`: what is known from experience. `usage`: what tenants use now; only for admins of all namespaces. E.g. `table`. */
        from?: 'table' | 'usage';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SizingResponse'];
        };
      };
      400: components['responses']['InvalidParameters'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      /** @description No proxy reports what tenants use */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:nothing-measured",
           *       "title": "Conflict",
           *       "status": 409,
           *       "code": "NOTHING_MEASURED",
           *       "detail": "no proxy has reported what tenants use within half a minute; ask without from=usage",
           *       "request_id": "7d9f3c52"
           *     }
           */
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      429: components['responses']['TooMany'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['Failure'];
      503: components['responses']['Unavailable'];
    };
  };
  listProxies: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProxyList'];
        };
      };
      400: components['responses']['InvalidParameters'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      429: components['responses']['TooMany'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['Failure'];
      503: components['responses']['Unavailable'];
    };
  };
  registerProxy: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RegisterProxyBody'];
      };
    };
    responses: {
      /** @description The proxy was known already */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RegisteredProxyResponse'];
        };
      };
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RegisteredProxyResponse'];
        };
      };
      /**
       * @description - `VALIDATION_FAILED`: fields are wrong; `errors` has one text for each
       *     - `INVALID_JSON`: the body is not JSON
       *     - `INVALID_IDENTIFIER`: an id, a name or a pattern has the wrong form
       *     - `UNKNOWN_POOL`: the configuration has no such pool
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      /**
       * @description - `MANAGED_ELSEWHERE`: another source owns it, and would undo the change
       *     - `PROXY_TAKEN`: a proxy of this id was registered with another credential
       *     - `TOO_MANY_PROXIES`: the limit of proxies is reached, in the pool or overall
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      413: components['responses']['TooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooMany'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['Failure'];
      503: components['responses']['Unavailable'];
    };
  };
  sendHeartbeat: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the proxy. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['HeartbeatBody'];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RegisteredProxyResponse'];
        };
      };
      /**
       * @description - `VALIDATION_FAILED`: fields are wrong; `errors` has one text for each
       *     - `INVALID_JSON`: the body is not JSON
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      /** @description No such proxy, or it was forgotten: register again */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:proxy-not-found",
           *       "title": "Not Found",
           *       "status": 404,
           *       "code": "PROXY_NOT_FOUND",
           *       "detail": "there is no proxy \"standard-1\"",
           *       "request_id": "7d9f3c52"
           *     }
           */
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      413: components['responses']['TooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooMany'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['Failure'];
      503: components['responses']['Unavailable'];
    };
  };
  getProxy: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the proxy. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProxyResponse'];
        };
      };
      400: components['responses']['InvalidParameters'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      /** @description No such proxy, or it was forgotten: register again */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:proxy-not-found",
           *       "title": "Not Found",
           *       "status": 404,
           *       "code": "PROXY_NOT_FOUND",
           *       "detail": "there is no proxy \"standard-1\"",
           *       "request_id": "7d9f3c52"
           *     }
           */
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      429: components['responses']['TooMany'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['Failure'];
      503: components['responses']['Unavailable'];
    };
  };
  removeProxy: {
    parameters: {
      query?: {
        /** @description Says that no process of the proxy has a connection to a backend any more; caps are exceeded if one has. E.g. `closed`. */
        connections?: 'closed';
      };
      header?: never;
      path: {
        /** @description Id of the proxy. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description No Content */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Fields are wrong; `errors` has one text for each */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "about:blank",
           *       "title": "Bad Request",
           *       "status": 400,
           *       "code": "VALIDATION_FAILED",
           *       "detail": "the request is not valid",
           *       "errors": [
           *         "namespace: expected a text of 1 to 63 characters without control characters"
           *       ],
           *       "request_id": "7d9f3c52"
           *     }
           */
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      /** @description No such proxy, or it was forgotten: register again */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:proxy-not-found",
           *       "title": "Not Found",
           *       "status": 404,
           *       "code": "PROXY_NOT_FOUND",
           *       "detail": "there is no proxy \"standard-1\"",
           *       "request_id": "7d9f3c52"
           *     }
           */
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Another source owns it, and would undo the change */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:managed-elsewhere",
           *       "title": "Conflict",
           *       "status": 409,
           *       "code": "MANAGED_ELSEWHERE",
           *       "detail": "tenant \"acme\" is managed by kubernetes; change it there",
           *       "request_id": "7d9f3c52"
           *     }
           */
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      429: components['responses']['TooMany'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['Failure'];
      503: components['responses']['Unavailable'];
    };
  };
  adjustProxy: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the proxy. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AdjustProxyBody'];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProxyResponse'];
        };
      };
      /**
       * @description - `VALIDATION_FAILED`: fields are wrong; `errors` has one text for each
       *     - `INVALID_JSON`: the body is not JSON
       *     - `INVALID_IDENTIFIER`: an id, a name or a pattern has the wrong form
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      /** @description No such proxy, or it was forgotten: register again */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:proxy-not-found",
           *       "title": "Not Found",
           *       "status": 404,
           *       "code": "PROXY_NOT_FOUND",
           *       "detail": "there is no proxy \"standard-1\"",
           *       "request_id": "7d9f3c52"
           *     }
           */
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      413: components['responses']['TooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooMany'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['Failure'];
      503: components['responses']['Unavailable'];
    };
  };
  askAccess: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the proxy. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AccessQuestionsBody'];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProxyAccessList'];
        };
      };
      /**
       * @description - `VALIDATION_FAILED`: fields are wrong; `errors` has one text for each
       *     - `INVALID_JSON`: the body is not JSON
       *     - `INVALID_REQUEST`: a value is out of range or does not fit another one
       *     - `INVALID_IDENTIFIER`: an id, a name or a pattern has the wrong form
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      /** @description No such proxy, or it was forgotten: register again */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:proxy-not-found",
           *       "title": "Not Found",
           *       "status": 404,
           *       "code": "PROXY_NOT_FOUND",
           *       "detail": "there is no proxy \"standard-1\"",
           *       "request_id": "7d9f3c52"
           *     }
           */
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      413: components['responses']['TooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooMany'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['Failure'];
      503: components['responses']['Unavailable'];
    };
  };
  followPolicy: {
    parameters: {
      query?: never;
      header?: {
        /** @description Id of the last event that the proxy has applied. E.g. `the id of an event`. */
        'Last-Event-ID'?: string;
      };
      path: {
        /** @description Id of the proxy. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/event-stream': string;
        };
      };
      /** @description An id, a name or a pattern has the wrong form */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:invalid-identifier",
           *       "title": "Bad Request",
           *       "status": 400,
           *       "code": "INVALID_IDENTIFIER",
           *       "detail": "namespace: expected 1 to 63 of a-z, 0-9 and inner \"-\", found \"Acme!\"",
           *       "request_id": "7d9f3c52"
           *     }
           */
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      /** @description No such proxy, or it was forgotten: register again */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:proxy-not-found",
           *       "title": "Not Found",
           *       "status": 404,
           *       "code": "PROXY_NOT_FOUND",
           *       "detail": "there is no proxy \"standard-1\"",
           *       "request_id": "7d9f3c52"
           *     }
           */
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      429: components['responses']['TooMany'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['Failure'];
      /** @description The replica has as many policy streams as it can serve, or is about to end */
      503: {
        headers: {
          /** @description Seconds after which to try again. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:too-many-streams",
           *       "title": "Service Unavailable",
           *       "status": 503,
           *       "code": "TOO_MANY_STREAMS",
           *       "detail": "this replica serves at most 2000 policy streams: ask another one",
           *       "request_id": "7d9f3c52"
           *     }
           */
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  reloadLoadBalancer: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LoadBalancerVersionResponse'];
        };
      };
      400: components['responses']['InvalidParameters'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      /** @description The configuration has no `load_balancer` */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:load-balancer-not-configured",
           *       "title": "Conflict",
           *       "status": 409,
           *       "code": "LOAD_BALANCER_NOT_CONFIGURED",
           *       "detail": "there is no load_balancer in the configuration",
           *       "request_id": "7d9f3c52"
           *     }
           */
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      429: components['responses']['TooMany'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['Failure'];
      /**
       * @description - `LOAD_BALANCER_REJECTED`: the configuration cannot be rendered, or its check failed; nothing was changed
       *     - `LOAD_BALANCER_ROLLED_BACK`: the load balancer did not load the configuration; the previous one was restored
       *     - `LOAD_BALANCER_FAILED`: the load balancer does not run, or neither loaded the configuration nor could be restored
       */
      502: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description No replica leads, or the leader does not answer; `Retry-After` in seconds */
      503: {
        headers: {
          /** @description Seconds after which to try again. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:leader-unavailable",
           *       "title": "Service Unavailable",
           *       "status": 503,
           *       "code": "LEADER_UNAVAILABLE",
           *       "detail": "no leader answers at the moment; the request may still be carried out",
           *       "request_id": "7d9f3c52"
           *     }
           */
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  previewLoadBalancer: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LoadBalancerPreviewResponse'];
        };
      };
      400: components['responses']['InvalidParameters'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      /** @description The configuration has no `load_balancer` */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:load-balancer-not-configured",
           *       "title": "Conflict",
           *       "status": 409,
           *       "code": "LOAD_BALANCER_NOT_CONFIGURED",
           *       "detail": "there is no load_balancer in the configuration",
           *       "request_id": "7d9f3c52"
           *     }
           */
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      429: components['responses']['TooMany'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['Failure'];
      /** @description The configuration cannot be rendered, or its check failed; nothing was changed */
      502: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:load-balancer-rejected",
           *       "title": "Bad Gateway",
           *       "status": 502,
           *       "code": "LOAD_BALANCER_REJECTED",
           *       "detail": "revision 42 was rejected as 0199a3c4-7d9f-7000-8000-3c5200000000: haproxy ended with exit code 1: …",
           *       "request_id": "7d9f3c52"
           *     }
           */
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description No replica leads, or the leader does not answer; `Retry-After` in seconds */
      503: {
        headers: {
          /** @description Seconds after which to try again. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:leader-unavailable",
           *       "title": "Service Unavailable",
           *       "status": 503,
           *       "code": "LEADER_UNAVAILABLE",
           *       "detail": "no leader answers at the moment; the request may still be carried out",
           *       "request_id": "7d9f3c52"
           *     }
           */
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listLoadBalancerVersions: {
    parameters: {
      query?: {
        /** @description Items per page. */
        limit?: number;
        /** @description `next_cursor` of the page before; leave it out for the first. E.g. `WyJhY21lLWVudHJhIl0`. */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LoadBalancerVersionPage'];
        };
      };
      /**
       * @description - `VALIDATION_FAILED`: fields are wrong; `errors` has one text for each
       *     - `INVALID_REQUEST`: a value is out of range or does not fit another one
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      /** @description The configuration has no `load_balancer` */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:load-balancer-not-configured",
           *       "title": "Conflict",
           *       "status": 409,
           *       "code": "LOAD_BALANCER_NOT_CONFIGURED",
           *       "detail": "there is no load_balancer in the configuration",
           *       "request_id": "7d9f3c52"
           *     }
           */
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      429: components['responses']['TooMany'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['Failure'];
      /** @description No replica leads, or the leader does not answer; `Retry-After` in seconds */
      503: {
        headers: {
          /** @description Seconds after which to try again. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:leader-unavailable",
           *       "title": "Service Unavailable",
           *       "status": 503,
           *       "code": "LEADER_UNAVAILABLE",
           *       "detail": "no leader answers at the moment; the request may still be carried out",
           *       "request_id": "7d9f3c52"
           *     }
           */
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getLoadBalancerStatus: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LoadBalancerStatusResponse'];
        };
      };
      400: components['responses']['InvalidParameters'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      /** @description The configuration has no `load_balancer` */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:load-balancer-not-configured",
           *       "title": "Conflict",
           *       "status": 409,
           *       "code": "LOAD_BALANCER_NOT_CONFIGURED",
           *       "detail": "there is no load_balancer in the configuration",
           *       "request_id": "7d9f3c52"
           *     }
           */
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      429: components['responses']['TooMany'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['Failure'];
      /** @description No replica leads, or the leader does not answer; `Retry-After` in seconds */
      503: {
        headers: {
          /** @description Seconds after which to try again. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:leader-unavailable",
           *       "title": "Service Unavailable",
           *       "status": 503,
           *       "code": "LEADER_UNAVAILABLE",
           *       "detail": "no leader answers at the moment; the request may still be carried out",
           *       "request_id": "7d9f3c52"
           *     }
           */
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getStatus: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StatusResponse'];
        };
      };
      400: components['responses']['InvalidParameters'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      429: components['responses']['TooMany'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['Failure'];
      503: components['responses']['Unavailable'];
    };
  };
  listLogRecords: {
    parameters: {
      query?: {
        /** @description Items per page. */
        limit?: number;
        /** @description Only positions above this one: `next_after` of the page before. */
        after?: number;
        /** @description Only what happened at this time or later. E.g. `2026-11-20T08:30:00.000Z`. */
        since?: string;
        /** @description Only what happened before this time. E.g. `2026-11-20T08:30:00.000Z`. */
        until?: string;
        /** @description Only what this person or credential did. E.g. `ann@example.com`. */
        user_id?: string;
        /** @description Only this action. E.g. `tenant.register`. */
        action?: string;
        /** @description Only what concerns this provider. E.g. `entra-eu`. */
        provider?: string;
        /** @description Only what concerns this tenant. E.g. `acme`. */
        tenant_id?: string;
        /** @description Only what concerns this namespace. E.g. `acme-orders`. */
        namespace?: string;
        /** @description `asc` reads forward from `after`, `desc` backward from `before` or the end. */
        order?: 'asc' | 'desc';
        /** @description Only positions below this one: `next_before` of the page before. */
        before?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LogPage'];
        };
      };
      400: components['responses']['InvalidParameters'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      429: components['responses']['TooMany'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['Failure'];
      503: components['responses']['Unavailable'];
    };
  };
  followLog: {
    parameters: {
      query?: {
        /** @description Items per page. */
        limit?: number;
        /** @description Only positions above this one: `next_after` of the page before. */
        after?: number;
        /** @description Only what happened at this time or later. E.g. `2026-11-20T08:30:00.000Z`. */
        since?: string;
        /** @description Only what happened before this time. E.g. `2026-11-20T08:30:00.000Z`. */
        until?: string;
        /** @description Only what this person or credential did. E.g. `ann@example.com`. */
        user_id?: string;
        /** @description Only this action. E.g. `tenant.register`. */
        action?: string;
        /** @description Only what concerns this provider. E.g. `entra-eu`. */
        provider?: string;
        /** @description Only what concerns this tenant. E.g. `acme`. */
        tenant_id?: string;
        /** @description Only what concerns this namespace. E.g. `acme-orders`. */
        namespace?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LogPage'];
        };
      };
      400: components['responses']['InvalidParameters'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      429: components['responses']['TooMany'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['Failure'];
      503: components['responses']['Unavailable'];
    };
  };
  getLogSeal: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LogSealResponse'];
        };
      };
      400: components['responses']['InvalidParameters'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      429: components['responses']['TooMany'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['Failure'];
      503: components['responses']['Unavailable'];
    };
  };
  verifyLog: {
    parameters: {
      query?: {
        /** @description `signature` of an older seal: the log must still have what it had then. E.g. `eyJhbGciOiJFUzI1NiJ9.eyJwb3NpdGlvbiI6NDJ9.c2lnbmF0dXJl`. */
        kept?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LogVerificationResponse'];
        };
      };
      400: components['responses']['InvalidParameters'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      429: components['responses']['TooMany'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['Failure'];
      503: components['responses']['Unavailable'];
    };
  };
  getUsage: {
    parameters: {
      query?: {
        /** @description Items per page. */
        limit?: number;
        /** @description Only namespaces of this tenant. E.g. `acme`. */
        tenant?: string;
        /** @description Only this namespace. E.g. `acme-orders`. */
        namespace?: string;
        /** @description Only what proxies of this pool report. E.g. `standard`. */
        pool?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UsageResponse'];
        };
      };
      /** @description Fields are wrong; `errors` has one text for each */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "about:blank",
           *       "title": "Bad Request",
           *       "status": 400,
           *       "code": "VALIDATION_FAILED",
           *       "detail": "the request is not valid",
           *       "errors": [
           *         "namespace: expected a text of 1 to 63 characters without control characters"
           *       ],
           *       "request_id": "7d9f3c52"
           *     }
           */
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      /**
       * @description - `TENANT_NOT_FOUND`: no such tenant among those that the caller may see
       *     - `NAMESPACE_NOT_FOUND`: the namespace is not one that the caller administers
       */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      429: components['responses']['TooMany'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['Failure'];
      503: components['responses']['Unavailable'];
    };
  };
}

/** The version of Palisade that has this API. */
export const version = '0.1.0';
