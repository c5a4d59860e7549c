/** Generated from docs/openapi/scim-service.json by "npm run docs": do not change it here. */

export interface paths {
  '/api/v1/providers': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List identity providers
     * @description Needs the scope `read`, as an admin of every namespace.
     */
    get: operations['listProviders'];
    put?: never;
    /**
     * Register an identity provider
     * @description What is absent from the body gets its default. Then issue a token for it.
     *
     *     Needs the scope `admin`, as an admin of every namespace.
     */
    post: operations['createProvider'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/providers/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show a provider
     * @description Needs the scope `read`, as an admin of every namespace.
     */
    get: operations['getProvider'];
    /**
     * Replace a provider's settings
     * @description What is absent from the body gets its default; what only answers have is ignored.
     *
     *     Needs the scope `admin`, as an admin of every namespace.
     */
    put: operations['replaceProvider'];
    post?: never;
    /**
     * Remove a provider with its tokens, users, groups and memberships
     * @description Bindings of its groups are suspended: each grants nothing until it is added again, even if a provider of this id is registered later.
     *
     *     Needs the scope `admin`, as an admin of every namespace.
     */
    delete: operations['deleteProvider'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/providers/{provider}/tokens': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List a provider's tokens
     * @description In order of creation, those that have ended as well; never with their secrets.
     *
     *     Needs the scope `read`, as an admin of every namespace.
     */
    get: operations['listTokens'];
    put?: never;
    /**
     * Issue a token or an OAuth 2.0 client
     * @description The secret is shown in this answer only.
     *
     *     Needs the scope `admin`, as an admin of every namespace.
     */
    post: operations['issueToken'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/providers/{provider}/tokens/{token}/rotate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Replace a token without downtime
     * @description Issues a successor; the old token ends after the overlap. A client gets a new client id.
     *
     *     Needs the scope `admin`, as an admin of every namespace.
     */
    post: operations['rotateToken'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/providers/{provider}/tokens/{token}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Revoke a token
     * @description It ends at once, as do the access tokens that were issued to a client. Revoking it again changes nothing.
     *
     *     Needs the scope `admin`, as an admin of every namespace.
     */
    delete: operations['revokeToken'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/oauth/token': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Exchange client credentials for an access token
     * @description RFC 6749 §4.4. The client is a token of kind `client`: its id and its secret, in the body or as HTTP Basic (both parts form-encoded first). Whatever `scope` is asked for, the access token is for all of SCIM.
     */
    post: operations['issueAccessToken'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/oauth/jwks': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The keys that verify access tokens
     * @description RFC 7517. May be kept for five minutes.
     */
    get: operations['getPublicKeys'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/bindings': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List bindings
     * @description Of the namespaces that the caller administers, in order of namespace, group and relation.
     *
     *     Needs the scope `read`.
     */
    get: operations['listBindings'];
    put?: never;
    /**
     * Bind a group to a namespace
     * @description Its active members, those of groups nested in it too, then have the relation. The caller is who approved it. A suspended binding is replaced: adding it again confirms it.
     *
     *     Needs the scope `operate`.
     */
    post: operations['addBinding'];
    /**
     * Remove a binding
     * @description Needs the scope `operate`.
     */
    delete: operations['removeBinding'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/providers/{provider}/users/{user}/deactivate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Mark a user inactive
     * @description Memberships and bindings stay; the user has no access any more. Repeating it changes nothing.
     *
     *     Needs the scope `operate`, as an admin of every namespace.
     */
    post: operations['deactivateUser'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/providers/{provider}/reconcile': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Report, and remove if asked to, the memberships of inactive users
     * @description Needs the scope `operate`, as an admin of every namespace.
     */
    post: operations['reconcileDeprovisioned'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/access/check': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * May this user do this in this namespace, and why?
     * @description Unknown and inactive users may do nothing; bindings of groups that do not exist give nothing.
     *
     *     Needs the scope `read`.
     */
    get: operations['checkAccess'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/access/users/{user}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What may this user do, and why?
     * @description In the namespaces that the caller administers.
     *
     *     Needs the scope `read`.
     */
    get: operations['listGrantsOfUser'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/access/namespaces/{namespace}/users': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Who may do this in this namespace?
     * @description Active users of every provider, each with their strongest relation, in order of id.
     *
     *     Needs the scope `read`.
     */
    get: operations['listUsersOfNamespace'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/relationships': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Export what gives access as relationship tuples, for OpenFGA or SpiceDB
     * @description Streamed: `namespace:N#write@group:scim:p:g#member`, `group:scim:p:g#member@user:scim:p:u` and, for nested groups, `group:scim:p:g#member@group:scim:p:h#member`. Inactive users, dangling and suspended bindings are left out.
     *
     *     Needs the scope `read`, as an admin of every namespace.
     */
    get: operations['exportRelationships'];
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
  '/scim/v2/Users': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List or find users */
    get: operations['listUsers'];
    put?: never;
    /**
     * Create a user
     * @description Repeated with the same `externalId`, it answers the first result and changes nothing, or answers 409 if the provider is set so. The `id` never changes; without `externalId` it is generated.
     */
    post: operations['createUser'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/scim/v2/Users/.search': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Find users by a query in the body
     * @description Like a query in the URL, which may get too long there, or tell too much to whoever logs URLs.
     */
    post: operations['searchUsers'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/scim/v2/Users/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read a user */
    get: operations['getUser'];
    /**
     * Replace a user
     * @description Attributes that the body leaves out stay as they are; `null` and `[]` clear them. Read-only ones are ignored.
     */
    put: operations['replaceUser'];
    post?: never;
    /**
     * Delete a user
     * @description Memberships go with the user.
     */
    delete: operations['deleteUser'];
    options?: never;
    head?: never;
    /**
     * Change a user
     * @description All of the operations take effect, or none. What changes nothing leaves the version alone.
     */
    patch: operations['patchUser'];
    trace?: never;
  };
  '/scim/v2/Groups': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List or find groups */
    get: operations['listGroups'];
    put?: never;
    /**
     * Create a group
     * @description Repeated with the same `externalId`, it answers the first result and changes nothing, or answers 409 if the provider is set so. The `id` never changes; without `externalId` it is generated.
     */
    post: operations['createGroup'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/scim/v2/Groups/.search': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Find groups by a query in the body
     * @description Like a query in the URL, which may get too long there, or tell too much to whoever logs URLs.
     */
    post: operations['searchGroups'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/scim/v2/Groups/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read a group */
    get: operations['getGroup'];
    /**
     * Replace a group
     * @description Attributes that the body leaves out stay as they are; `null` and `[]` clear them. Read-only ones are ignored.
     */
    put: operations['replaceGroup'];
    post?: never;
    /**
     * Delete a group
     * @description Memberships go with the group. Bindings stay, and dangle.
     */
    delete: operations['deleteGroup'];
    options?: never;
    head?: never;
    /**
     * Change a group
     * @description All of the operations take effect, or none. What changes nothing leaves the version alone.
     */
    patch: operations['patchGroup'];
    trace?: never;
  };
  '/scim/v2/Me': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the user behind the credential
     * @description For JWTs of an issuer that the provider trusts with the role `user`.
     */
    get: operations['getMe'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/scim/v2/ServiceProviderConfig': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** What the service supports, and its limits */
    get: operations['getServiceProviderConfig'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/scim/v2/ResourceTypes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the resource types
     * @description All of them on one page; there is no filter.
     */
    get: operations['listResourceTypes'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/scim/v2/ResourceTypes/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read a resource type */
    get: operations['getResourceType'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/scim/v2/Schemas': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the schemas
     * @description All of them on one page; there is no filter.
     */
    get: operations['listSchemas'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/scim/v2/Schemas/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read a schema */
    get: operations['getSchema'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/scim/v2': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List or find users and groups */
    get: operations['listResources'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/scim/v2/.search': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Find users and groups by a query in the body
     * @description Like a query in the URL, which may get too long there, or tell too much to whoever logs URLs.
     */
    post: operations['searchResources'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/scim/v2/Bulk': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Carry out many operations in one request
     * @description Each succeeds or fails alone, with a status of its own. One that refers to another runs after it.
     */
    post: operations['runBulk'];
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
    /** @description An account of a person or a service. Extensions that the provider defines are properties too, named by their URN. */
    User: {
      /**
       * @description URNs of the schemas that the resource uses.
       * @example [
       *       "urn:ietf:params:scim:schemas:core:2.0:User"
       *     ]
       */
      schemas: string[];
      /** @description The identifier that the service gave the resource; it never changes. Unique within the provider. Case exact. */
      readonly id?: string;
      /** @description The client's own identifier for the resource. Unique within the provider. Case exact. */
      externalId?: string;
      /** @description What the service knows about the resource itself. */
      readonly meta?: {
        /** @description Name of the resource type. Case exact. */
        readonly resourceType?: string;
        /**
         * Format: date-time
         * @description When the resource was created.
         */
        readonly created?: string;
        /**
         * Format: date-time
         * @description When the resource last changed.
         */
        readonly lastModified?: string;
        /**
         * Format: uri-reference
         * @description URI of the resource.
         */
        readonly location?: string;
        /** @description The weak entity tag of the resource. Case exact. */
        readonly version?: string;
      };
      /** @description The name that the user signs in with; no two users of a provider share one, whatever its case. Unique within the provider. */
      userName: string;
      /** @description The parts of the user's name. */
      name?: {
        /** @description The whole name, as it is displayed. */
        formatted?: string;
        /** @description Family name, or last name. */
        familyName?: string;
        /** @description Given name, or first name. */
        givenName?: string;
        /** @description Middle name or names. */
        middleName?: string;
        /** @description Title before the name, such as "Dr.". */
        honorificPrefix?: string;
        /** @description Addition after the name, such as "III". */
        honorificSuffix?: string;
      };
      /** @description The name by which the user is shown to others. */
      displayName?: string;
      /** @description What the user is called casually. */
      nickName?: string;
      /**
       * Format: uri-reference
       * @description Location of the user's profile page.
       */
      profileUrl?: string;
      /** @description Job title. */
      title?: string;
      /** @description Relation to the organization, such as "Employee". */
      userType?: string;
      /** @description Languages that the user prefers, in the form of the Accept-Language header. */
      preferredLanguage?: string;
      /** @description Language tag that decides formats of dates, numbers and money. */
      locale?: string;
      /** @description Time zone by its IANA name, such as "Europe/Vienna". */
      timezone?: string;
      /** @description Whether the account is enabled; an inactive user has access to nothing. True for a new user unless given. */
      active?: boolean;
      /** @description Accepted for compatibility and discarded: this service authenticates no users. */
      password?: string;
      /** @description Email addresses. */
      emails?: {
        /** @description Email address. */
        value?: string;
        /** @description The value in a form made for people to read. */
        display?: string;
        /**
         * @description What the value is used for.
         * @example work
         * @example home
         * @example other
         */
        type?: string;
        /** @description Whether this is the preferred value; true for one value at most. */
        primary?: boolean;
      }[];
      /** @description Telephone numbers. */
      phoneNumbers?: {
        /** @description Telephone number, best as a tel: URI as RFC 3966 writes it. */
        value?: string;
        /** @description The value in a form made for people to read. */
        display?: string;
        /**
         * @description What the value is used for.
         * @example work
         * @example home
         * @example mobile
         * @example fax
         * @example pager
         * @example other
         */
        type?: string;
        /** @description Whether this is the preferred value; true for one value at most. */
        primary?: boolean;
      }[];
      /** @description Instant messaging addresses. */
      ims?: {
        /** @description Instant messaging address. */
        value?: string;
        /** @description The value in a form made for people to read. */
        display?: string;
        /**
         * @description What the value is used for.
         * @example aim
         * @example gtalk
         * @example icq
         * @example xmpp
         * @example msn
         * @example skype
         * @example qq
         * @example yahoo
         * @example other
         */
        type?: string;
        /** @description Whether this is the preferred value; true for one value at most. */
        primary?: boolean;
      }[];
      /** @description Pictures of the user. */
      photos?: {
        /**
         * Format: uri-reference
         * @description Location of an image file.
         */
        value?: string;
        /** @description The value in a form made for people to read. */
        display?: string;
        /**
         * @description What the value is used for.
         * @example photo
         * @example thumbnail
         */
        type?: string;
        /** @description Whether this is the preferred value; true for one value at most. */
        primary?: boolean;
      }[];
      /** @description Postal addresses. */
      addresses?: {
        /** @description The whole address, as on a label; may have several lines. */
        formatted?: string;
        /** @description Street, house number or post box; may have several lines. */
        streetAddress?: string;
        /** @description City or town. */
        locality?: string;
        /** @description State, province or region. */
        region?: string;
        /** @description Postal code. */
        postalCode?: string;
        /** @description Country, as an ISO 3166-1 alpha-2 code. */
        country?: string;
        /** @description The value in a form made for people to read. */
        display?: string;
        /**
         * @description What the value is used for.
         * @example work
         * @example home
         * @example other
         */
        type?: string;
        /** @description Whether this is the preferred value; true for one value at most. */
        primary?: boolean;
      }[];
      /** @description Groups that the user is in, derived from the members of groups; change it there. */
      readonly groups?: {
        /** @description Id of the group. Case exact. */
        readonly value?: string;
        /**
         * Format: uri-reference
         * @description Location of the group.
         */
        readonly $ref?: string;
        /** @description Display name of the group. */
        readonly display?: string;
        /**
         * @description Whether the user is a member of the group itself, or only of a group nested in it.
         * @example direct
         * @example indirect
         */
        readonly type?: string;
      }[];
      /** @description Things that the user is entitled to. */
      entitlements?: {
        /** @description Entitlement. */
        value?: string;
        /** @description The value in a form made for people to read. */
        display?: string;
        /** @description What the value is used for. */
        type?: string;
        /** @description Whether this is the preferred value; true for one value at most. */
        primary?: boolean;
      }[];
      /** @description Roles that the user has, such as "Student". */
      roles?: {
        /** @description Role. */
        value?: string;
        /** @description The value in a form made for people to read. */
        display?: string;
        /** @description What the value is used for. */
        type?: string;
        /** @description Whether this is the preferred value; true for one value at most. */
        primary?: boolean;
      }[];
      /** @description Certificates issued to the user. */
      x509Certificates?: {
        /**
         * Format: byte
         * @description One X.509 certificate, DER in base64.
         */
        value?: string;
        /** @description The value in a form made for people to read. */
        display?: string;
        /** @description What the value is used for. */
        type?: string;
        /** @description Whether this is the preferred value; true for one value at most. */
        primary?: boolean;
      }[];
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'?: components['schemas']['EnterpriseUser'];
    } & {
      [key: string]: unknown;
    };
    /** @description A group of users and of other groups. Extensions that the provider defines are properties too, named by their URN. */
    Group: {
      /**
       * @description URNs of the schemas that the resource uses.
       * @example [
       *       "urn:ietf:params:scim:schemas:core:2.0:Group"
       *     ]
       */
      schemas: string[];
      /** @description The identifier that the service gave the resource; it never changes. Unique within the provider. Case exact. */
      readonly id?: string;
      /** @description The client's own identifier for the resource. Unique within the provider. Case exact. */
      externalId?: string;
      /** @description What the service knows about the resource itself. */
      readonly meta?: {
        /** @description Name of the resource type. Case exact. */
        readonly resourceType?: string;
        /**
         * Format: date-time
         * @description When the resource was created.
         */
        readonly created?: string;
        /**
         * Format: date-time
         * @description When the resource last changed.
         */
        readonly lastModified?: string;
        /**
         * Format: uri-reference
         * @description URI of the resource.
         */
        readonly location?: string;
        /** @description The weak entity tag of the resource. Case exact. */
        readonly version?: string;
      };
      /** @description The name by which the group is shown. */
      displayName: string;
      /** @description Users and groups that belong to the group. */
      members?: {
        /** @description Id of the member. Immutable. Case exact. */
        value?: string;
        /**
         * Format: uri-reference
         * @description Location of the member. Immutable.
         */
        $ref?: string;
        /**
         * @description Resource type of the member. Immutable.
         * @example User
         * @example Group
         */
        type?: string;
        /** @description Display name of the member. */
        readonly display?: string;
      }[];
    } & {
      [key: string]: unknown;
    };
    /** @description What an enterprise records about a user. */
    EnterpriseUser: {
      /** @description Identifier that the organization gave the person. */
      employeeNumber?: string;
      /** @description Name of the cost center. */
      costCenter?: string;
      /** @description Name of the organization. */
      organization?: string;
      /** @description Name of the division. */
      division?: string;
      /** @description Name of the department. */
      department?: string;
      /** @description The user's manager. */
      manager?: {
        /** @description Id of the user who is the manager. Case exact. */
        value?: string;
        /**
         * Format: uri-reference
         * @description Location of the user who is the manager.
         */
        $ref?: string;
        /** @description Display name of the manager. */
        readonly displayName?: string;
      };
    };
    /** @description Which parts of SCIM the service supports. */
    ServiceProviderConfig: {
      /**
       * @description URNs of the schemas that the resource uses.
       * @example [
       *       "urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"
       *     ]
       */
      schemas: string[];
      /** @description What the service knows about the resource itself. */
      readonly meta?: {
        /** @description Name of the resource type. Case exact. */
        readonly resourceType?: string;
        /**
         * Format: date-time
         * @description When the resource was created.
         */
        readonly created?: string;
        /**
         * Format: date-time
         * @description When the resource last changed.
         */
        readonly lastModified?: string;
        /**
         * Format: uri-reference
         * @description URI of the resource.
         */
        readonly location?: string;
        /** @description The weak entity tag of the resource. Case exact. */
        readonly version?: string;
      };
      /**
       * Format: uri-reference
       * @description Location of the documentation for people.
       */
      readonly documentationUri?: string;
      /** @description Changing a resource with PATCH. */
      readonly patch: {
        /** @description Whether the feature is supported. */
        readonly supported: boolean;
      };
      /** @description Many operations in one request. */
      readonly bulk: {
        /** @description Whether the feature is supported. */
        readonly supported: boolean;
        /** @description Most operations that one request may hold. */
        readonly maxOperations: number;
        /** @description Most bytes that the body of one request may have. */
        readonly maxPayloadSize: number;
      };
      /** @description Queries with a filter. */
      readonly filter: {
        /** @description Whether the feature is supported. */
        readonly supported: boolean;
        /** @description Most resources that one answer holds. */
        readonly maxResults: number;
      };
      /** @description Changing a password. */
      readonly changePassword: {
        /** @description Whether the feature is supported. */
        readonly supported: boolean;
      };
      /** @description Sorted answers. */
      readonly sort: {
        /** @description Whether the feature is supported. */
        readonly supported: boolean;
      };
      /** @description Versions of resources as entity tags. */
      readonly etag: {
        /** @description Whether the feature is supported. */
        readonly supported: boolean;
      };
      /** @description Ways to page through the answer to a query. */
      readonly pagination?: {
        /** @description Whether a page can be asked for by cursor. */
        readonly cursor: boolean;
        /** @description Whether a page can be asked for by index. */
        readonly index: boolean;
        /**
         * @description The method used when a query names none.
         * @example cursor
         * @example index
         */
        readonly defaultPaginationMethod?: string;
        /** @description Resources on a page when a query gives no count. */
        readonly defaultPageSize?: number;
        /** @description Most resources on a page. */
        readonly maxPageSize?: number;
        /** @description Seconds for which a cursor stays valid at least. */
        readonly cursorTimeout?: number;
      };
      /** @description Ways to authenticate a request. */
      readonly authenticationSchemes: {
        /**
         * @description The kind of scheme.
         * @example oauth
         * @example oauth2
         * @example oauthbearertoken
         * @example httpbasic
         * @example httpdigest
         */
        readonly type: string;
        /** @description The usual name of the scheme. */
        readonly name: string;
        /** @description What the scheme is. */
        readonly description: string;
        /**
         * Format: uri-reference
         * @description Location of the scheme's specification.
         */
        readonly specUri?: string;
        /**
         * Format: uri-reference
         * @description Location of the documentation of its use here.
         */
        readonly documentationUri?: string;
        /** @description Whether this is the preferred scheme. */
        readonly primary?: boolean;
      }[];
    };
    /** @description A type of resource that the service offers. */
    ResourceType: {
      /**
       * @description URNs of the schemas that the resource uses.
       * @example [
       *       "urn:ietf:params:scim:schemas:core:2.0:ResourceType"
       *     ]
       */
      schemas: string[];
      /** @description What the service knows about the resource itself. */
      readonly meta?: {
        /** @description Name of the resource type. Case exact. */
        readonly resourceType?: string;
        /**
         * Format: date-time
         * @description When the resource was created.
         */
        readonly created?: string;
        /**
         * Format: date-time
         * @description When the resource last changed.
         */
        readonly lastModified?: string;
        /**
         * Format: uri-reference
         * @description URI of the resource.
         */
        readonly location?: string;
        /** @description The weak entity tag of the resource. Case exact. */
        readonly version?: string;
      };
      /** @description Identifier of the resource type, the same as its name. */
      readonly id?: string;
      /** @description Name of the resource type. */
      readonly name: string;
      /** @description What resources of this type are. */
      readonly description?: string;
      /**
       * Format: uri-reference
       * @description Where resources of this type are, relative to the protocol's root.
       */
      readonly endpoint: string;
      /**
       * Format: uri-reference
       * @description URN of the core schema.
       */
      readonly schema: string;
      /** @description Schemas that may add attributes to the core schema. */
      readonly schemaExtensions?: {
        /**
         * Format: uri-reference
         * @description URN of the extension.
         */
        readonly schema: string;
        /** @description Whether every resource of this type must use the extension. */
        readonly required: boolean;
      }[];
    };
    /** @description Attributes and their characteristics. */
    Schema: {
      /**
       * @description URNs of the schemas that the resource uses.
       * @example [
       *       "urn:ietf:params:scim:schemas:core:2.0:Schema"
       *     ]
       */
      schemas: string[];
      /** @description What the service knows about the resource itself. */
      readonly meta?: {
        /** @description Name of the resource type. Case exact. */
        readonly resourceType?: string;
        /**
         * Format: date-time
         * @description When the resource was created.
         */
        readonly created?: string;
        /**
         * Format: date-time
         * @description When the resource last changed.
         */
        readonly lastModified?: string;
        /**
         * Format: uri-reference
         * @description URI of the resource.
         */
        readonly location?: string;
        /** @description The weak entity tag of the resource. Case exact. */
        readonly version?: string;
      };
      /** @description URN of the schema. */
      readonly id: string;
      /** @description Name of the schema. */
      readonly name: string;
      /** @description What the schema describes. */
      readonly description?: string;
      /** @description The attributes that the schema defines. */
      readonly attributes: {
        /** @description Name of the attribute. Case exact. */
        readonly name: string;
        /**
         * @description Data type of the attribute.
         * @example string
         * @example complex
         * @example boolean
         * @example decimal
         * @example integer
         * @example dateTime
         * @example reference
         * @example binary
         */
        readonly type: string;
        /** @description Whether the attribute has a list of values. */
        readonly multiValued: boolean;
        /** @description What the attribute means. Case exact. */
        readonly description?: string;
        /** @description Whether the attribute must have a value. */
        readonly required?: boolean;
        /** @description Values that are suggested. Case exact. */
        readonly canonicalValues?: string[];
        /** @description Whether values that differ only in case are different. */
        readonly caseExact?: boolean;
        /**
         * @description Whether a client may set and change the attribute. Case exact.
         * @example readOnly
         * @example readWrite
         * @example immutable
         * @example writeOnly
         */
        readonly mutability?: string;
        /**
         * @description When the attribute is part of an answer. Case exact.
         * @example always
         * @example never
         * @example default
         * @example request
         */
        readonly returned?: string;
        /**
         * @description The resources among which the value is unique. Case exact.
         * @example none
         * @example server
         * @example global
         */
        readonly uniqueness?: string;
        /** @description What a reference may point to. Case exact. */
        readonly referenceTypes?: string[];
        /** @description The parts of a complex attribute. */
        readonly subAttributes?: {
          /** @description Name of the attribute. Case exact. */
          readonly name: string;
          /**
           * @description Data type of the attribute.
           * @example string
           * @example complex
           * @example boolean
           * @example decimal
           * @example integer
           * @example dateTime
           * @example reference
           * @example binary
           */
          readonly type: string;
          /** @description Whether the attribute has a list of values. */
          readonly multiValued: boolean;
          /** @description What the attribute means. Case exact. */
          readonly description?: string;
          /** @description Whether the attribute must have a value. */
          readonly required?: boolean;
          /** @description Values that are suggested. Case exact. */
          readonly canonicalValues?: string[];
          /** @description Whether values that differ only in case are different. */
          readonly caseExact?: boolean;
          /**
           * @description Whether a client may set and change the attribute. Case exact.
           * @example readOnly
           * @example readWrite
           * @example immutable
           * @example writeOnly
           */
          readonly mutability?: string;
          /**
           * @description When the attribute is part of an answer. Case exact.
           * @example always
           * @example never
           * @example default
           * @example request
           */
          readonly returned?: string;
          /**
           * @description The resources among which the value is unique. Case exact.
           * @example none
           * @example server
           * @example global
           */
          readonly uniqueness?: string;
          /** @description What a reference may point to. Case exact. */
          readonly referenceTypes?: string[];
        }[];
      }[];
    };
    /** @description One page of what a query selects, in `Resources`. */
    ListResponse: {
      /** @description The kind of message. */
      schemas: 'urn:ietf:params:scim:api:messages:2.0:ListResponse'[];
      /** @description Resources that the query selects, on all pages together. */
      totalResults: number;
      /** @description Resources on this page. */
      itemsPerPage?: number;
      /** @description With index pagination: the first resource on this page. */
      startIndex?: number;
      /** @description With cursor pagination: `cursor` of the next page, unless this is the last. */
      nextCursor?: string;
    };
    /** @description A query as a body, where a URL would tell too much. */
    SearchRequest: {
      /** @description The kind of message. */
      schemas: 'urn:ietf:params:scim:api:messages:2.0:SearchRequest'[];
      /**
       * @description Which resources to return (RFC 7644 §3.4.2.2): `eq`, `ne`, `co`, `sw`, `ew`, `gt`, `ge`, `lt`, `le`, `pr`, joined by `and`, `or` and `not (…)`; `emails[type eq "work" and value co "@example.com"]` is about one value of a list. Texts are in quotation marks. At most 8192 characters and 32 levels of parentheses.
       * @example userName eq "ada@example.com"
       */
      filter?: string;
      /**
       * @description Attribute to sort by; in order of creation without it.
       * @example userName
       */
      sortBy?: string;
      /**
       * @description Order of `sortBy`.
       * @default ascending
       * @enum {string}
       */
      sortOrder?: 'ascending' | 'descending';
      /**
       * @description Index pagination: the first resource to return, counted from 1, which it is by default.
       * @example 1
       */
      startIndex?: number;
      /**
       * @description Resources per page; 0 returns their number only, more than 1000 counts as 1000.
       * @default 100
       */
      count?: number;
      /** @description Cursor pagination (RFC 9865), for many resources: empty for the first page, then the `nextCursor` of the page before, all else unchanged. Cursors do not expire. Not together with `startIndex`. */
      cursor?: string;
      /**
       * @description Return these attributes only, besides `schemas` and `id`: `userName`, `name.familyName`, or with the URN of an extension before it. Not together with `excludedAttributes`.
       * @example [
       *       "userName",
       *       "emails.value"
       *     ]
       */
      attributes?: string[];
      /**
       * @description Leave these attributes out, e.g. `members` of large groups. Not together with `attributes`.
       * @example [
       *       "members"
       *     ]
       */
      excludedAttributes?: string[];
    };
    /** @description Changes to a resource, in order, all or none. Names count in any case, texts such as "False" as booleans. */
    PatchOp: {
      /** @description The kind of message. */
      schemas: 'urn:ietf:params:scim:api:messages:2.0:PatchOp'[];
      Operations: {
        /**
         * @description `add`, `remove` or `replace`, in any case.
         * @example add
         * @example remove
         * @example replace
         */
        op: string;
        /**
         * @description The attribute to change: `active`, `name.familyName`, `emails[type eq "work"].value`, `members[value eq "…"]`, or one of an extension after its URN and a colon. Without it, `value` holds attributes by name. Required to remove.
         * @example emails[type eq "work"].value
         */
        path?: string;
        /** @description What to add or to set; to remove some elements of a list, those. */
        value?: unknown;
      }[];
    };
    /** @description Operations that each succeed or fail alone. */
    BulkRequest: {
      /** @description The kind of message. */
      schemas: 'urn:ietf:params:scim:api:messages:2.0:BulkRequest'[];
      /** @description Stop after this many failed operations; never by default. */
      failOnErrors?: number;
      Operations: {
        /** @enum {string} */
        method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
        /**
         * @description `/Users` or `/Groups` to create, else `/Users/{id}` or `/Groups/{id}`.
         * @example /Users
         */
        path: string;
        /** @description A name of your choice, required to create; `bulkId:<name>` stands for the id of what it creates. */
        bulkId?: string;
        /**
         * @description Like the header If-Match of the operation.
         * @example W/"3"
         */
        version?: string;
        /** @description The body of the operation; none to delete. */
        data?: Record<string, unknown>;
      }[];
    };
    /** @description The outcome of each operation that was carried out, in the order of the request. */
    BulkResponse: {
      /** @description The kind of message. */
      schemas: 'urn:ietf:params:scim:api:messages:2.0:BulkResponse'[];
      Operations: {
        method: string;
        bulkId?: string;
        /**
         * Format: uri-reference
         * @description The resource; absent when it was not created.
         */
        location?: string;
        /** @description Entity tag of the resource. */
        version?: string;
        /**
         * @description HTTP status of the operation, as a text.
         * @example 201
         */
        status: string;
        /** @description Why the operation failed. */
        response?: components['schemas']['Error'];
      }[];
    };
    /** @description Why a request failed (RFC 7644 §3.12). */
    Error: {
      /** @description The kind of message. */
      schemas: 'urn:ietf:params:scim:api:messages:2.0:Error'[];
      /**
       * @description The HTTP status, as a text.
       * @example 400
       */
      status: string;
      /**
       * @description Stable; branch on it. Not every error has one.
       * @enum {string}
       */
      scimType?:
        | 'invalidFilter'
        | 'invalidSyntax'
        | 'invalidPath'
        | 'noTarget'
        | 'invalidValue'
        | 'mutability'
        | 'tooMany'
        | 'invalidCount'
        | 'invalidCursor'
        | 'sensitive'
        | 'uniqueness';
      /** @description For people: names the attribute or the position, and what was expected. */
      detail: string;
    };
    TokenRequest: {
      /** @enum {string} */
      grant_type: 'client_credentials';
      /**
       * @description Id of a token of kind `client`; not with HTTP Basic.
       * @example 01a5b0c4-7d2e-7c31-9a44-2f6d0c1b9e57
       */
      client_id?: string;
      /**
       * Format: password
       * @description Its secret; not with HTTP Basic.
       */
      client_secret?: string;
    };
    AccessToken: {
      /** @description A JWT (RFC 9068); a bearer token for SCIM. */
      access_token: string;
      /** @enum {string} */
      token_type: 'Bearer';
      /** @description Seconds; an hour, or less when the client ends before. */
      expires_in: number;
      /** @enum {string} */
      scope: 'scim';
    };
    /** @description Why a token request failed (RFC 6749 §5.2). */
    OAuthError: {
      /**
       * @description Stable; branch on it.
       * @enum {string}
       */
      error: 'invalid_request' | 'unsupported_grant_type' | 'invalid_client';
      /** @description For people. */
      error_description?: string;
    };
    /** @description Public keys (RFC 7517 §5). */
    JsonWebKeySet: {
      keys: components['schemas']['JsonWebKey'][];
    };
    /** @description A public key (RFC 7517 §4), with the parameters of its type. */
    JsonWebKey: {
      /**
       * @description Type of the key.
       * @example EC
       */
      kty: string;
      /** @description What the header of a token names. */
      kid: string;
      /**
       * @description Algorithm that it verifies.
       * @example ES256
       */
      alg: string;
      /** @enum {string} */
      use: 'sig';
    } & {
      [key: string]: unknown;
    };
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
        | 'BINDING_CONFLICT'
        | 'BINDING_NOT_FOUND'
        | 'CONFLICT'
        | 'FORBIDDEN'
        | 'HEADERS_TOO_LARGE'
        | 'INTERNAL_ERROR'
        | 'INVALID_IDENTIFIER'
        | 'INVALID_JSON'
        | 'INVALID_REQUEST'
        | 'ISSUER_UNAVAILABLE'
        | 'METHOD_NOT_ALLOWED'
        | 'NAMESPACE_NOT_FOUND'
        | 'NOT_ACCEPTABLE'
        | 'NOT_FOUND'
        | 'NOT_IMPLEMENTED'
        | 'PAYLOAD_TOO_LARGE'
        | 'PRECONDITION_FAILED'
        | 'PROVIDER_BUSY'
        | 'PROVIDER_EXISTS'
        | 'PROVIDER_NOT_FOUND'
        | 'REQUEST_TIMEOUT'
        | 'RESOURCE_NOT_FOUND'
        | 'SERVICE_UNAVAILABLE'
        | 'STORE_UNAVAILABLE'
        | 'TOKEN_ENDED'
        | 'TOKEN_NOT_FOUND'
        | 'TOO_MANY_REQUESTS'
        | 'UNAUTHENTICATED'
        | 'UNKNOWN_SUBJECT'
        | 'UNSUPPORTED_MEDIA_TYPE'
        | 'VALIDATION_FAILED';
      /** @description The service logs it; the header X-Request-Id has it too. */
      request_id?: string;
      /** @description One text for each wrong field. */
      errors?: string[];
    };
    TrustedIssuerBody: {
      /**
       * @description Exact `iss` of the tokens.
       * @example https://login.example.com/tenant
       */
      issuer: string;
      /**
       * @description One of the `aud` of the tokens.
       * @example palisade
       */
      audience: string;
      /**
       * @description Exact `sub`; required for a provisioner, because otherwise any token of the issuer could provision.
       * @example f5b2c1de-provisioning
       */
      subject?: string;
      /**
       * Format: uri
       * @description Where the issuer publishes its keys: https, or http on the loopback interface.
       * @example https://login.example.com/tenant/keys
       */
      jwks_uri: string;
      /**
       * @description `provisioner` may use all of SCIM, `user` only `/Me` and discovery.
       * @example provisioner
       * @enum {string}
       */
      role: 'provisioner' | 'user';
      /**
       * @description The claim that holds the user's userName; required for the role `user`, and only used there.
       * @example email
       */
      user_claim?: string;
    };
    CreateProviderBody: {
      /**
       * @description For people.
       * @example Acme, Entra ID
       */
      display_name?: string;
      /**
       * @description Which behaviour applies where identity providers contradict the RFC.
       * @default rfc
       * @example entra
       * @enum {string}
       */
      dialect?: 'rfc' | 'entra' | 'okta';
      /**
       * @description How a repeated create is answered: with the first result, or with 409.
       * @default return
       * @example return
       * @enum {string}
       */
      repeat_create?: 'return' | 'conflict';
      /**
       * @description Whether groups may name members that have not been pushed yet.
       * @default reject
       * @example reject
       * @enum {string}
       */
      unknown_members?: 'reject' | 'accept';
      /** @description Schemas that the provider adds to users or groups. */
      extensions?: {
        /**
         * @description What the schema adds to.
         * @enum {string}
         */
        resource_type: 'User' | 'Group';
        /**
         * @description Whether each such resource must use it.
         * @default false
         */
        required?: boolean;
        /** @description As RFC 7643 §7 writes one: `id` (a URN), `name`, `description` and `attributes`. */
        schema: Record<string, unknown>;
      }[];
      /** @description External issuers whose tokens authenticate the provider, or its users. */
      trusted_issuers?: components['schemas']['TrustedIssuerBody'][];
      /**
       * @description 1 to 63 of a-z, 0-9 and inner hyphens; the first part of every identifier of the provider's objects.
       * @example acme-entra
       */
      id: string;
    };
    ProviderResponse: {
      /**
       * @description 1 to 63 of a-z, 0-9 and inner hyphens; the first part of every identifier of the provider's objects.
       * @example acme-entra
       */
      id: string;
      /**
       * @description For people.
       * @example Acme, Entra ID
       */
      display_name?: string;
      /**
       * @description Which behaviour applies where identity providers contradict the RFC.
       * @example entra
       * @enum {string}
       */
      dialect: 'rfc' | 'entra' | 'okta';
      /**
       * @description How a repeated create is answered: with the first result, or with 409.
       * @example return
       * @enum {string}
       */
      repeat_create: 'return' | 'conflict';
      /**
       * @description Whether groups may name members that have not been pushed yet.
       * @example reject
       * @enum {string}
       */
      unknown_members: 'reject' | 'accept';
      /** @description Schemas that the provider adds to users or groups. */
      extensions: {
        /**
         * @description What the schema adds to.
         * @enum {string}
         */
        resource_type: 'User' | 'Group';
        /**
         * @description Whether each such resource must use it.
         * @default false
         */
        required?: boolean;
        /** @description As RFC 7643 §7 writes one: `id` (a URN), `name`, `description` and `attributes`. */
        schema: Record<string, unknown>;
      }[];
      /** @description External issuers whose tokens authenticate the provider, or its users. */
      trusted_issuers: components['schemas']['TrustedIssuerBody'][];
      /**
       * Format: date-time
       * @description When the provider was registered.
       * @example 2026-11-20T08:30:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When its settings last changed.
       * @example 2026-11-20T08:30:00.000Z
       */
      modified_at: string;
    };
    ProviderPage: {
      /** @description In order of id. */
      items: components['schemas']['ProviderResponse'][];
      /**
       * @description `cursor` of the next page; absent when this is the last one.
       * @example WyJhY21lLWVudHJhIl0
       */
      next_cursor?: string;
    };
    ReplaceProviderBody: {
      /**
       * @description For people.
       * @example Acme, Entra ID
       */
      display_name?: string;
      /**
       * @description Which behaviour applies where identity providers contradict the RFC.
       * @default rfc
       * @example entra
       * @enum {string}
       */
      dialect?: 'rfc' | 'entra' | 'okta';
      /**
       * @description How a repeated create is answered: with the first result, or with 409.
       * @default return
       * @example return
       * @enum {string}
       */
      repeat_create?: 'return' | 'conflict';
      /**
       * @description Whether groups may name members that have not been pushed yet.
       * @default reject
       * @example reject
       * @enum {string}
       */
      unknown_members?: 'reject' | 'accept';
      /** @description Schemas that the provider adds to users or groups. */
      extensions?: {
        /**
         * @description What the schema adds to.
         * @enum {string}
         */
        resource_type: 'User' | 'Group';
        /**
         * @description Whether each such resource must use it.
         * @default false
         */
        required?: boolean;
        /** @description As RFC 7643 §7 writes one: `id` (a URN), `name`, `description` and `attributes`. */
        schema: Record<string, unknown>;
      }[];
      /** @description External issuers whose tokens authenticate the provider, or its users. */
      trusted_issuers?: components['schemas']['TrustedIssuerBody'][];
      /**
       * @description As in the path, if it is there.
       * @example acme-entra
       */
      id?: string;
    };
    IssueTokenBody: {
      /**
       * Format: date-time
       * @description When the token ends, with a time zone; never by default.
       * @example 2030-01-01T00:00:00Z
       */
      expires_at?: string;
      /**
       * @description For people.
       * @example Entra ID, production
       */
      description?: string;
      /**
       * @description `bearer` is presented on SCIM requests, `client` at the token endpoint, as the secret of an OAuth 2.0 client.
       * @default bearer
       * @example bearer
       * @enum {string}
       */
      kind?: 'bearer' | 'client';
    };
    IssuedTokenResponse: {
      /**
       * Format: uuid
       * @description For kind `client`: the client id.
       * @example 01a5b0c4-7d2e-7c31-9a44-2f6d0c1b9e57
       */
      id: string;
      /**
       * @description `bearer` is presented on SCIM requests, `client` at the token endpoint, as the secret of an OAuth 2.0 client.
       * @example bearer
       * @enum {string}
       */
      kind: 'bearer' | 'client';
      /**
       * @description For people.
       * @example Entra ID, production
       */
      description?: string;
      /**
       * @description The last four characters of the secret.
       * @example x7Qk
       */
      hint: string;
      /**
       * @description Whether it is still valid.
       * @example active
       * @enum {string}
       */
      state: 'active' | 'expired' | 'revoked';
      /**
       * Format: date-time
       * @description When it was issued.
       * @example 2026-11-20T08:30:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When it ends; absent for never.
       * @example 2026-11-20T08:30:00.000Z
       */
      expires_at?: string;
      /**
       * Format: date-time
       * @description When it was last presented, exact to a minute.
       * @example 2026-11-20T08:30:00.000Z
       */
      last_used_at?: string;
      /**
       * Format: date-time
       * @description When it was revoked.
       * @example 2026-11-20T08:30:00.000Z
       */
      revoked_at?: string;
      /**
       * @description Shown in this answer only.
       * @example pls_3q2-7wAAEjRWeJq83v8Qk1mZ5n0cX9uT4yR6sVbLx7Qk
       */
      secret: string;
    };
    TokenResponse: {
      /**
       * Format: uuid
       * @description For kind `client`: the client id.
       * @example 01a5b0c4-7d2e-7c31-9a44-2f6d0c1b9e57
       */
      id: string;
      /**
       * @description `bearer` is presented on SCIM requests, `client` at the token endpoint, as the secret of an OAuth 2.0 client.
       * @example bearer
       * @enum {string}
       */
      kind: 'bearer' | 'client';
      /**
       * @description For people.
       * @example Entra ID, production
       */
      description?: string;
      /**
       * @description The last four characters of the secret.
       * @example x7Qk
       */
      hint: string;
      /**
       * @description Whether it is still valid.
       * @example active
       * @enum {string}
       */
      state: 'active' | 'expired' | 'revoked';
      /**
       * Format: date-time
       * @description When it was issued.
       * @example 2026-11-20T08:30:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When it ends; absent for never.
       * @example 2026-11-20T08:30:00.000Z
       */
      expires_at?: string;
      /**
       * Format: date-time
       * @description When it was last presented, exact to a minute.
       * @example 2026-11-20T08:30:00.000Z
       */
      last_used_at?: string;
      /**
       * Format: date-time
       * @description When it was revoked.
       * @example 2026-11-20T08:30:00.000Z
       */
      revoked_at?: string;
    };
    TokenList: {
      /** @description In order of creation. */
      items: components['schemas']['TokenResponse'][];
    };
    RotateTokenBody: {
      /**
       * Format: date-time
       * @description When the token ends, with a time zone; never by default.
       * @example 2030-01-01T00:00:00Z
       */
      expires_at?: string;
      /**
       * @description How long the old token goes on working.
       * @default 3600
       * @example 3600
       */
      overlap_seconds?: number;
    };
    AddBindingBody: {
      /**
       * @description Full identifier of the group.
       * @example group:scim:default:eng
       */
      bound_subject?: string;
      /**
       * @description Another name for `bound_subject`; exactly one of the two is required.
       * @example group:scim:default:eng
       */
      source_group?: string;
      /**
       * @description Name of the namespace.
       * @example orders
       */
      namespace: string;
      /**
       * @description What the group may do; each includes the ones before it.
       * @default read
       * @example write
       * @enum {string}
       */
      relation?: 'read' | 'write' | 'admin';
      /**
       * @description `manual` for a binding that somebody decided on, `import` for one that was taken over.
       * @default manual
       * @example manual
       * @enum {string}
       */
      source?: 'manual' | 'import';
      /**
       * @description Bind a group that has not been pushed yet; the binding dangles until it is.
       * @default false
       * @example false
       */
      pending?: boolean;
    };
    ListedBindingResponse: {
      /**
       * @description Full identifier of the group.
       * @example group:scim:default:eng
       */
      bound_subject: string;
      /**
       * @description Name of the namespace.
       * @example orders
       */
      namespace: string;
      /**
       * @description What the group may do; each includes the ones before it.
       * @example write
       * @enum {string}
       */
      relation: 'read' | 'write' | 'admin';
      /**
       * @description `manual` for a binding that somebody decided on, `import` for one that was taken over.
       * @example manual
       * @enum {string}
       */
      source: 'manual' | 'import';
      /**
       * @description Who approved it, as authenticated.
       * @example ann@example.com
       */
      approved_by: string;
      /**
       * Format: date-time
       * @description When it was added.
       * @example 2026-11-20T08:30:00.000Z
       */
      created_at: string;
      /**
       * @description `dangling`: the group does not exist, and the binding gives nothing until it does. `suspended`: its provider was deleted, and the binding gives nothing until it is added again.
       * @example active
       * @enum {string}
       */
      state: 'active' | 'dangling' | 'suspended';
      /**
       * @description Display name of the group, when it exists and the binding is not suspended.
       * @example Engineers
       */
      display?: string;
    };
    BindingPage: {
      /** @description In order of namespace, group and relation. */
      items: components['schemas']['ListedBindingResponse'][];
      /**
       * @description `cursor` of the next page; absent when this is the last one.
       * @example WyJhY21lLWVudHJhIl0
       */
      next_cursor?: string;
    };
    UserSummary: {
      /**
       * @description Full identifier of the user.
       * @example user:scim:default:ada
       */
      id: string;
      /**
       * @description Their current externalId.
       * @example ada
       */
      external_id?: string;
      /**
       * @description Their userName.
       * @example ada@example.com
       */
      user_name: string;
      /**
       * @description Always false now.
       * @example false
       */
      active: boolean;
    };
    ReconcileBody: {
      /**
       * @description Remove the memberships as well, in one transaction.
       * @default false
       * @example false
       */
      apply?: boolean;
    };
    ReconcileItem: {
      /**
       * @description Full identifier of the user.
       * @example user:scim:default:ada
       */
      user_id: string;
      /**
       * @description Their current externalId.
       * @example ada
       */
      external_id?: string;
      /**
       * @description Their userName.
       * @example ada@example.com
       */
      user_name: string;
      /**
       * @description Their displayName, or else their userName.
       * @example Ada Lovelace
       */
      display: string;
      /**
       * @description Full identifier of the group.
       * @example group:scim:default:eng
       */
      group_id: string;
      /**
       * @description The group's displayName.
       * @example Engineers
       */
      group_display: string;
      /**
       * @description Namespaces that are bound to the group, or to one that contains it: where a reactivated user would have access again. At most 100.
       * @example [
       *       "orders"
       *     ]
       */
      namespaces: string[];
    };
    ReconcileResponse: {
      /**
       * @description `<group_display_name>:<user_external_id>` of each membership of an inactive user, sorted.
       * @example [
       *       "Engineers:ada"
       *     ]
       */
      memberships: string[];
      /** @description The same memberships in the same order, with what each consists of. */
      items: components['schemas']['ReconcileItem'][];
    };
    BindingResponse: {
      /**
       * @description Full identifier of the group.
       * @example group:scim:default:eng
       */
      bound_subject: string;
      /**
       * @description Name of the namespace.
       * @example orders
       */
      namespace: string;
      /**
       * @description What the group may do; each includes the ones before it.
       * @example write
       * @enum {string}
       */
      relation: 'read' | 'write' | 'admin';
      /**
       * @description `manual` for a binding that somebody decided on, `import` for one that was taken over.
       * @example manual
       * @enum {string}
       */
      source: 'manual' | 'import';
      /**
       * @description Who approved it, as authenticated.
       * @example ann@example.com
       */
      approved_by: string;
      /**
       * Format: date-time
       * @description When it was added.
       * @example 2026-11-20T08:30:00.000Z
       */
      created_at: string;
    };
    GrantResponse: {
      /**
       * @description From the group that the user is a direct member of up to the bound one.
       * @example [
       *       "group:scim:default:backend",
       *       "group:scim:default:eng"
       *     ]
       */
      groups: string[];
      /** @description The binding that gives it. */
      binding: components['schemas']['BindingResponse'];
    };
    CheckResponse: {
      /**
       * @description Whether the user has the relation.
       * @example true
       */
      allowed: boolean;
      /** @description Each way in which they have it; empty when they do not. */
      explanation: components['schemas']['GrantResponse'][];
      /**
       * @description Why they do not have it: there is no such user, they are inactive, the binding that would give it is suspended, they have less in this namespace, or nothing. Absent when they have it. `unknown_user`, `inactive_user` and `suspended_binding` are told to admins of every namespace only; for others it is `weaker_relation` or `no_relation`.
       * @example weaker_relation
       * @enum {string}
       */
      reason?: 'unknown_user' | 'inactive_user' | 'suspended_binding' | 'weaker_relation' | 'no_relation';
    };
    UserGrantsResponse: {
      /** @description Each way in which the user has some relation. */
      grants: components['schemas']['GrantResponse'][];
    };
    NamespaceUserResponse: {
      /**
       * @description Full identifier of the user.
       * @example user:scim:default:ada
       */
      id: string;
      /**
       * @description Their userName.
       * @example ada@example.com
       */
      user_name: string;
      /**
       * @description The strongest that they have.
       * @example write
       * @enum {string}
       */
      relation: 'read' | 'write' | 'admin';
    };
    NamespaceUserPage: {
      /** @description In order of id. */
      items: components['schemas']['NamespaceUserResponse'][];
      /**
       * @description `cursor` of the next page; absent when this is the last one.
       * @example WyJhY21lLWVudHJhIl0
       */
      next_cursor?: string;
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
  };
  responses: {
    /** @description No credential, or one that is wrong, expired or revoked */
    ScimUnauthenticated: {
      headers: {
        /** @description Which credential is needed, and what is wrong with the one that was given. */
        'WWW-Authenticate'?: string;
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "schemas": [
         *         "urn:ietf:params:scim:api:messages:2.0:Error"
         *       ],
         *       "status": "401",
         *       "detail": "the bearer token is not valid here"
         *     }
         */
        'application/scim+json': components['schemas']['Error'];
      };
    };
    /** @description The body exceeds 1 MiB */
    ScimTooLarge: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "schemas": [
         *         "urn:ietf:params:scim:api:messages:2.0:Error"
         *       ],
         *       "status": "413",
         *       "detail": "body: expected at most 1048576 bytes"
         *     }
         */
        'application/scim+json': components['schemas']['Error'];
      };
    };
    /** @description The body is neither `application/scim+json` nor `application/json` */
    ScimUnsupportedMediaType: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "schemas": [
         *         "urn:ietf:params:scim:api:messages:2.0:Error"
         *       ],
         *       "status": "415",
         *       "detail": "Content-Type: expected application/scim+json or application/json"
         *     }
         */
        'application/scim+json': components['schemas']['Error'];
      };
    };
    /** @description The URL and the headers are too large */
    ScimHeadersTooLarge: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "schemas": [
         *         "urn:ietf:params:scim:api:messages:2.0:Error"
         *       ],
         *       "status": "431",
         *       "detail": "the URL and the headers are too large"
         *     }
         */
        'application/scim+json': components['schemas']['Error'];
      };
    };
    /** @description The provider has more requests under way than its share */
    ScimBusy: {
      headers: {
        /** @description Seconds after which to try again. */
        'Retry-After'?: string;
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "schemas": [
         *         "urn:ietf:params:scim:api:messages:2.0:Error"
         *       ],
         *       "status": "429",
         *       "detail": "provider \"default\" has too many requests under way (200 waiting), retry in 5 s"
         *     }
         */
        'application/scim+json': components['schemas']['Error'];
      };
    };
    /** @description A defect; the detail has the id of the request and nothing else */
    ScimFailure: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "schemas": [
         *         "urn:ietf:params:scim:api:messages:2.0:Error"
         *       ],
         *       "status": "500",
         *       "detail": "internal error, request id 7d9f3c52"
         *     }
         */
        'application/scim+json': components['schemas']['Error'];
      };
    };
    /** @description The store, or the issuer of the token, cannot be reached */
    ScimUnavailable: {
      headers: {
        /** @description Seconds after which to try again. */
        'Retry-After'?: string;
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "schemas": [
         *         "urn:ietf:params:scim:api:messages:2.0:Error"
         *       ],
         *       "status": "503",
         *       "detail": "the store is unavailable, retry in 1 s"
         *     }
         */
        'application/scim+json': components['schemas']['Error'];
      };
    };
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
  listProviders: {
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
          'application/json': components['schemas']['ProviderPage'];
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
  createProvider: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateProviderBody'];
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProviderResponse'];
        };
      };
      400: components['responses']['InvalidRequest'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      /** @description The provider id is taken */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:provider-exists",
           *       "title": "Conflict",
           *       "status": 409,
           *       "code": "PROVIDER_EXISTS",
           *       "detail": "provider \"default\" exists already",
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
  getProvider: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the provider. */
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
          'application/json': components['schemas']['ProviderResponse'];
        };
      };
      400: components['responses']['InvalidParameters'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      /** @description No such provider */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:provider-not-found",
           *       "title": "Not Found",
           *       "status": 404,
           *       "code": "PROVIDER_NOT_FOUND",
           *       "detail": "provider \"default\" does not exist",
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
  replaceProvider: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the provider. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ReplaceProviderBody'];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProviderResponse'];
        };
      };
      400: components['responses']['InvalidRequest'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      /** @description No such provider */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:provider-not-found",
           *       "title": "Not Found",
           *       "status": 404,
           *       "code": "PROVIDER_NOT_FOUND",
           *       "detail": "provider \"default\" does not exist",
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
  deleteProvider: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the provider. */
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
      400: components['responses']['InvalidParameters'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      /** @description No such provider */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:provider-not-found",
           *       "title": "Not Found",
           *       "status": 404,
           *       "code": "PROVIDER_NOT_FOUND",
           *       "detail": "provider \"default\" does not exist",
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
  listTokens: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the provider. */
        provider: string;
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
          'application/json': components['schemas']['TokenList'];
        };
      };
      400: components['responses']['InvalidParameters'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      /** @description No such provider */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:provider-not-found",
           *       "title": "Not Found",
           *       "status": 404,
           *       "code": "PROVIDER_NOT_FOUND",
           *       "detail": "provider \"default\" does not exist",
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
  issueToken: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the provider. */
        provider: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['IssueTokenBody'];
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IssuedTokenResponse'];
        };
      };
      400: components['responses']['InvalidRequest'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      /** @description No such provider */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:provider-not-found",
           *       "title": "Not Found",
           *       "status": 404,
           *       "code": "PROVIDER_NOT_FOUND",
           *       "detail": "provider \"default\" does not exist",
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
  rotateToken: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the provider. */
        provider: string;
        /** @description Id of the token. */
        token: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['RotateTokenBody'];
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IssuedTokenResponse'];
        };
      };
      400: components['responses']['InvalidRequest'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      /** @description The provider has no such token */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:token-not-found",
           *       "title": "Not Found",
           *       "status": 404,
           *       "code": "TOKEN_NOT_FOUND",
           *       "detail": "provider \"default\" has no token \"01a5b0c4-7d2e-7c31-9a44-2f6d0c1b9e57\"",
           *       "request_id": "7d9f3c52"
           *     }
           */
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token is revoked or expired and cannot be rotated */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:token-ended",
           *       "title": "Conflict",
           *       "status": 409,
           *       "code": "TOKEN_ENDED",
           *       "detail": "token 01a5b0c4-7d2e-7c31-9a44-2f6d0c1b9e57 has expired or is revoked; create a new one instead",
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
  revokeToken: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the provider. */
        provider: string;
        /** @description Id of the token. */
        token: string;
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
      /** @description The provider has no such token */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:token-not-found",
           *       "title": "Not Found",
           *       "status": 404,
           *       "code": "TOKEN_NOT_FOUND",
           *       "detail": "provider \"default\" has no token \"01a5b0c4-7d2e-7c31-9a44-2f6d0c1b9e57\"",
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
  issueAccessToken: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/x-www-form-urlencoded': components['schemas']['TokenRequest'];
      };
    };
    responses: {
      /** @description An access token */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "access_token": "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJwcm92aWRlciI6ImFjbWUtZW50cmEifQ.c2lnbmF0dXJl",
           *       "token_type": "Bearer",
           *       "expires_in": 3600,
           *       "scope": "scim"
           *     }
           */
          'application/json': components['schemas']['AccessToken'];
        };
      };
      /**
       * @description - `invalid_request`: a parameter is missing, repeated or malformed
       *     - `unsupported_grant_type`: the grant type is not `client_credentials`
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OAuthError'];
        };
      };
      /** @description The client is unknown, or its secret wrong, expired or revoked */
      401: {
        headers: {
          /** @description Which credential is needed, and what is wrong with the one that was given. */
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "error": "invalid_client",
           *       "error_description": "unknown client or wrong secret"
           *     }
           */
          'application/json': components['schemas']['OAuthError'];
        };
      };
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['Failure'];
      /** @description The database cannot be reached, has no disk or memory left for a change, or all connections to it are in use; `Retry-After` in seconds */
      503: {
        headers: {
          /** @description Seconds after which to try again. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:store-unavailable",
           *       "title": "Service Unavailable",
           *       "status": 503,
           *       "code": "STORE_UNAVAILABLE",
           *       "detail": "the store is unavailable, retry in 1 s",
           *       "request_id": "7d9f3c52"
           *     }
           */
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getPublicKeys: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The keys */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['JsonWebKeySet'];
        };
      };
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['Failure'];
      /** @description The database cannot be reached, has no disk or memory left for a change, or all connections to it are in use; `Retry-After` in seconds */
      503: {
        headers: {
          /** @description Seconds after which to try again. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:store-unavailable",
           *       "title": "Service Unavailable",
           *       "status": 503,
           *       "code": "STORE_UNAVAILABLE",
           *       "detail": "the store is unavailable, retry in 1 s",
           *       "request_id": "7d9f3c52"
           *     }
           */
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listBindings: {
    parameters: {
      query?: {
        /** @description Items per page. */
        limit?: number;
        /** @description `next_cursor` of the page before; leave it out for the first. E.g. `WyJhY21lLWVudHJhIl0`. */
        cursor?: string;
        /** @description Only of this namespace. E.g. `orders`. */
        namespace?: string;
        /** @description Only of groups of this provider. E.g. `default`. */
        provider?: string;
        /** @description Only of this group. E.g. `group:scim:default:eng`. */
        bound_subject?: string;
        /** @description Only in this state. E.g. `dangling`. */
        state?: 'active' | 'dangling' | 'suspended';
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
          'application/json': components['schemas']['BindingPage'];
        };
      };
      400: components['responses']['InvalidParameters'];
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
           *       "detail": "namespace \"orders\" does not exist among those that you administer",
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
  addBinding: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AddBindingBody'];
      };
    };
    responses: {
      /** @description The identical binding existed already; nothing was changed */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ListedBindingResponse'];
        };
      };
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ListedBindingResponse'];
        };
      };
      /**
       * @description - `VALIDATION_FAILED`: fields are wrong; `errors` has one text for each
       *     - `INVALID_JSON`: the body is not JSON
       *     - `INVALID_REQUEST`: a value is out of range or does not fit another one
       *     - `INVALID_IDENTIFIER`: an id, a name or a pattern has the wrong form
       *     - `UNKNOWN_SUBJECT`: the group to bind does not exist
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
           *       "detail": "namespace \"orders\" does not exist among those that you administer",
           *       "request_id": "7d9f3c52"
           *     }
           */
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The group is bound already, from another source */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:binding-conflict",
           *       "title": "Conflict",
           *       "status": 409,
           *       "code": "BINDING_CONFLICT",
           *       "detail": "group:scim:default:eng already has write on orders with source \"import\"; remove that binding first",
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
  removeBinding: {
    parameters: {
      query: {
        /** @description Full identifier of the group. */
        bound_subject: string;
        /** @description Name of the namespace. */
        namespace: string;
        /** @description What the group may do; each includes the ones before it. */
        relation: 'read' | 'write' | 'admin';
      };
      header?: never;
      path?: never;
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
      /**
       * @description - `NAMESPACE_NOT_FOUND`: the namespace is not one that the caller administers
       *     - `BINDING_NOT_FOUND`: there is no such binding
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
  deactivateUser: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the provider. */
        provider: string;
        /** @description External id or full identifier of the user. */
        user: string;
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
          'application/json': components['schemas']['UserSummary'];
        };
      };
      400: components['responses']['InvalidParameters'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      /**
       * @description - `PROVIDER_NOT_FOUND`: no such provider
       *     - `RESOURCE_NOT_FOUND`: no such user or group
       */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The provider has more operations under way than its share; `Retry-After` in seconds */
      429: {
        headers: {
          /** @description Seconds after which to try again. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:provider-busy",
           *       "title": "Too Many Requests",
           *       "status": 429,
           *       "code": "PROVIDER_BUSY",
           *       "detail": "provider \"default\" has too many requests under way (200 waiting), retry in 5 s",
           *       "request_id": "7d9f3c52"
           *     }
           */
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['Failure'];
      503: components['responses']['Unavailable'];
    };
  };
  reconcileDeprovisioned: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the provider. */
        provider: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ReconcileBody'];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ReconcileResponse'];
        };
      };
      400: components['responses']['InvalidRequest'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      /** @description No such provider */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:provider-not-found",
           *       "title": "Not Found",
           *       "status": 404,
           *       "code": "PROVIDER_NOT_FOUND",
           *       "detail": "provider \"default\" does not exist",
           *       "request_id": "7d9f3c52"
           *     }
           */
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      413: components['responses']['TooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      /** @description The provider has more operations under way than its share; `Retry-After` in seconds */
      429: {
        headers: {
          /** @description Seconds after which to try again. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:provider-busy",
           *       "title": "Too Many Requests",
           *       "status": 429,
           *       "code": "PROVIDER_BUSY",
           *       "detail": "provider \"default\" has too many requests under way (200 waiting), retry in 5 s",
           *       "request_id": "7d9f3c52"
           *     }
           */
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['Failure'];
      503: components['responses']['Unavailable'];
    };
  };
  checkAccess: {
    parameters: {
      query: {
        /** @description Provider of the user; may be left out when the user is given by full identifier. E.g. `default`. */
        provider?: string;
        /** @description Full identifier or external id of the user. */
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
          'application/json': components['schemas']['CheckResponse'];
        };
      };
      400: components['responses']['InvalidParameters'];
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
           *       "detail": "namespace \"orders\" does not exist among those that you administer",
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
  listGrantsOfUser: {
    parameters: {
      query?: {
        /** @description Provider of the user; may be left out when the user is given by full identifier. E.g. `default`. */
        provider?: string;
      };
      header?: never;
      path: {
        /** @description External id or full identifier of the user. */
        user: string;
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
          'application/json': components['schemas']['UserGrantsResponse'];
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
  listUsersOfNamespace: {
    parameters: {
      query?: {
        /** @description Items per page. */
        limit?: number;
        /** @description `next_cursor` of the page before; leave it out for the first. E.g. `WyJhY21lLWVudHJhIl0`. */
        cursor?: string;
        /** @description Users with at least this relation. */
        relation?: 'read' | 'write' | 'admin';
      };
      header?: never;
      path: {
        /** @description Name of the namespace. */
        namespace: string;
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
          'application/json': components['schemas']['NamespaceUserPage'];
        };
      };
      400: components['responses']['InvalidParameters'];
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
           *       "detail": "namespace \"orders\" does not exist among those that you administer",
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
  exportRelationships: {
    parameters: {
      query?: {
        /** @description `ndjson` and `json`: objects with `tuple`, `object`, `relation` and `subject`, identifiers verbatim. `openfga` and `spicedb`: what those import; in identifiers `:` is written `|`, other special characters as `=` and hexadecimal UTF-8. */
        format?: 'ndjson' | 'json' | 'openfga' | 'spicedb';
        /** @description Only this provider's groups and their bindings. E.g. `default`. */
        provider?: string;
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
          /**
           * @example {"tuple":"namespace:orders#write@group:scim:default:eng#member","object":"namespace:orders","relation":"write","subject":"group:scim:default:eng#member"}
           *     {"tuple":"group:scim:default:eng#member@group:scim:default:backend#member","object":"group:scim:default:eng","relation":"member","subject":"group:scim:default:backend#member"}
           *     {"tuple":"group:scim:default:eng#member@user:scim:default:ada","object":"group:scim:default:eng","relation":"member","subject":"user:scim:default:ada"}
           */
          'application/x-ndjson': string;
          'application/json':
            | {
                /**
                 * @description The whole, as Zanzibar writes it.
                 * @example namespace:orders#write@group:scim:default:eng#member
                 */
                tuple: string;
                /**
                 * @description What the relation is to.
                 * @example namespace:orders
                 */
                object: string;
                /**
                 * @description `member` of a group, or what a binding gives.
                 * @example write
                 */
                relation: string;
                /**
                 * @description Who has the relation: a user, or the members of a group.
                 * @example group:scim:default:eng#member
                 */
                subject: string;
              }[]
            | {
                /**
                 * @description Who has the relation: a user, or the members of a group.
                 * @example group:scim:default:eng#member
                 */
                user: string;
                /**
                 * @description `member` of a group, or what a binding gives.
                 * @example write
                 */
                relation: string;
                /**
                 * @description What the relation is to.
                 * @example namespace:orders
                 */
                object: string;
              }[];
          /**
           * @example namespace:orders#write@group:scim|default|eng#member
           *     group:scim|default|eng#member@group:scim|default|backend#member
           *     group:scim|default|eng#member@user:scim|default|ada
           */
          'text/plain': string;
        };
      };
      400: components['responses']['InvalidParameters'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      /** @description The provider has more operations under way than its share; `Retry-After` in seconds */
      429: {
        headers: {
          /** @description Seconds after which to try again. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "urn:palisade:problem:provider-busy",
           *       "title": "Too Many Requests",
           *       "status": 429,
           *       "code": "PROVIDER_BUSY",
           *       "detail": "provider \"default\" has too many requests under way (200 waiting), retry in 5 s",
           *       "request_id": "7d9f3c52"
           *     }
           */
          'application/problem+json': components['schemas']['Problem'];
        };
      };
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
  listUsers: {
    parameters: {
      query?: {
        /** @description Which resources to return (RFC 7644 §3.4.2.2): `eq`, `ne`, `co`, `sw`, `ew`, `gt`, `ge`, `lt`, `le`, `pr`, joined by `and`, `or` and `not (…)`; `emails[type eq "work" and value co "@example.com"]` is about one value of a list. Texts are in quotation marks. At most 8192 characters and 32 levels of parentheses. */
        filter?: string;
        /** @description Attribute to sort by; in order of creation without it. */
        sortBy?: string;
        /** @description Order of `sortBy`. */
        sortOrder?: 'ascending' | 'descending';
        /** @description Index pagination: the first resource to return, counted from 1, which it is by default. */
        startIndex?: number;
        /** @description Resources per page; 0 returns their number only, more than 1000 counts as 1000. */
        count?: number;
        /** @description Cursor pagination (RFC 9865), for many resources: empty for the first page, then the `nextCursor` of the page before, all else unchanged. Cursors do not expire. Not together with `startIndex`. */
        cursor?: string;
        /** @description Return these attributes only, besides `schemas` and `id`: `userName`, `name.familyName`, or with the URN of an extension before it. Not together with `excludedAttributes`. */
        attributes?: string[];
        /** @description Leave these attributes out, e.g. `members` of large groups. Not together with `attributes`. */
        excludedAttributes?: string[];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page; empty when nothing is found */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:ListResponse"
           *       ],
           *       "totalResults": 1,
           *       "itemsPerPage": 1,
           *       "startIndex": 1,
           *       "Resources": [
           *         {
           *           "schemas": [
           *             "urn:ietf:params:scim:schemas:core:2.0:User",
           *             "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"
           *           ],
           *           "id": "user:scim:default:ada",
           *           "externalId": "ada",
           *           "userName": "ada@example.com",
           *           "name": {
           *             "familyName": "Lovelace",
           *             "givenName": "Ada"
           *           },
           *           "displayName": "Ada Lovelace",
           *           "title": "Analyst",
           *           "active": true,
           *           "emails": [
           *             {
           *               "value": "ada@example.com",
           *               "type": "work",
           *               "primary": true
           *             }
           *           ],
           *           "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": {
           *             "employeeNumber": "1815",
           *             "department": "Engines"
           *           },
           *           "groups": [
           *             {
           *               "value": "group:scim:default:eng",
           *               "$ref": "https://scim.example.com/scim/v2/Groups/group:scim:default:eng",
           *               "display": "Engineers",
           *               "type": "direct"
           *             }
           *           ],
           *           "meta": {
           *             "resourceType": "User",
           *             "created": "2026-11-20T08:30:00.000Z",
           *             "lastModified": "2026-11-20T08:30:00.000Z",
           *             "location": "https://scim.example.com/scim/v2/Users/user:scim:default:ada",
           *             "version": "W/\"1.bbCp93rGAp\""
           *           }
           *         }
           *       ]
           *     }
           */
          'application/scim+json': components['schemas']['ListResponse'] & {
            Resources: WithRequired<components['schemas']['User'], 'id'>[];
          };
        };
      };
      /**
       * @description - `invalidFilter`: the filter is malformed, names an unknown attribute, or compares with the wrong type
       *     - `invalidPath`: a path leads to no attribute
       *     - `invalidValue`: a value has the wrong type or form, a required one is missing, or a member does not exist
       *     - `invalidCount`: `count` is not an integer
       *     - `invalidCursor`: the cursor is invalid, or belongs to another query
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/scim+json': components['schemas']['Error'];
        };
      };
      401: components['responses']['ScimUnauthenticated'];
      /**
       * @description - `sensitive`: the filter or the sort is on an attribute that is never returned
       *     - `forbidden`: the credential belongs to a user
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/scim+json': components['schemas']['Error'];
        };
      };
      429: components['responses']['ScimBusy'];
      431: components['responses']['ScimHeadersTooLarge'];
      500: components['responses']['ScimFailure'];
      503: components['responses']['ScimUnavailable'];
    };
  };
  createUser: {
    parameters: {
      query?: {
        /** @description Return these attributes only, besides `schemas` and `id`: `userName`, `name.familyName`, or with the URN of an extension before it. Not together with `excludedAttributes`. */
        attributes?: string[];
        /** @description Leave these attributes out, e.g. `members` of large groups. Not together with `attributes`. */
        excludedAttributes?: string[];
      };
      header?: {
        /** @description `return=minimal`: no body in the answer. */
        Prefer?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/scim+json': components['schemas']['User'];
        'application/json': components['schemas']['User'];
      };
    };
    responses: {
      /** @description Created, or it existed already. Without a body if `Prefer` says so */
      201: {
        headers: {
          /** @description Version of the resource, for `If-Match`. */
          ETag?: string;
          /** @description URL of the resource. */
          Location?: string;
          /** @description The same. */
          'Content-Location'?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:schemas:core:2.0:User",
           *         "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"
           *       ],
           *       "id": "user:scim:default:ada",
           *       "externalId": "ada",
           *       "userName": "ada@example.com",
           *       "name": {
           *         "familyName": "Lovelace",
           *         "givenName": "Ada"
           *       },
           *       "displayName": "Ada Lovelace",
           *       "title": "Analyst",
           *       "active": true,
           *       "emails": [
           *         {
           *           "value": "ada@example.com",
           *           "type": "work",
           *           "primary": true
           *         }
           *       ],
           *       "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": {
           *         "employeeNumber": "1815",
           *         "department": "Engines"
           *       },
           *       "groups": [
           *         {
           *           "value": "group:scim:default:eng",
           *           "$ref": "https://scim.example.com/scim/v2/Groups/group:scim:default:eng",
           *           "display": "Engineers",
           *           "type": "direct"
           *         }
           *       ],
           *       "meta": {
           *         "resourceType": "User",
           *         "created": "2026-11-20T08:30:00.000Z",
           *         "lastModified": "2026-11-20T08:30:00.000Z",
           *         "location": "https://scim.example.com/scim/v2/Users/user:scim:default:ada",
           *         "version": "W/\"1.bbCp93rGAp\""
           *       }
           *     }
           */
          'application/scim+json': WithRequired<components['schemas']['User'], 'id'>;
        };
      };
      /**
       * @description - `invalidSyntax`: the body is not JSON or not the message expected, has an unknown attribute, or a header is malformed
       *     - `invalidValue`: a value has the wrong type or form, a required one is missing, or a member does not exist
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/scim+json': components['schemas']['Error'];
        };
      };
      401: components['responses']['ScimUnauthenticated'];
      /** @description The credential belongs to a user */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "403",
           *       "detail": "a user may only use /Me and the discovery endpoints"
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      /** @description The name or identifier belongs to another resource */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "409",
           *       "scimType": "uniqueness",
           *       "detail": "another User of this provider already has userName \"ada@example.com\""
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      413: components['responses']['ScimTooLarge'];
      415: components['responses']['ScimUnsupportedMediaType'];
      429: components['responses']['ScimBusy'];
      431: components['responses']['ScimHeadersTooLarge'];
      500: components['responses']['ScimFailure'];
      503: components['responses']['ScimUnavailable'];
    };
  };
  searchUsers: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/scim+json': components['schemas']['SearchRequest'];
        'application/json': components['schemas']['SearchRequest'];
      };
    };
    responses: {
      /** @description One page; empty when nothing is found */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:ListResponse"
           *       ],
           *       "totalResults": 1,
           *       "itemsPerPage": 1,
           *       "startIndex": 1,
           *       "Resources": [
           *         {
           *           "schemas": [
           *             "urn:ietf:params:scim:schemas:core:2.0:User",
           *             "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"
           *           ],
           *           "id": "user:scim:default:ada",
           *           "externalId": "ada",
           *           "userName": "ada@example.com",
           *           "name": {
           *             "familyName": "Lovelace",
           *             "givenName": "Ada"
           *           },
           *           "displayName": "Ada Lovelace",
           *           "title": "Analyst",
           *           "active": true,
           *           "emails": [
           *             {
           *               "value": "ada@example.com",
           *               "type": "work",
           *               "primary": true
           *             }
           *           ],
           *           "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": {
           *             "employeeNumber": "1815",
           *             "department": "Engines"
           *           },
           *           "groups": [
           *             {
           *               "value": "group:scim:default:eng",
           *               "$ref": "https://scim.example.com/scim/v2/Groups/group:scim:default:eng",
           *               "display": "Engineers",
           *               "type": "direct"
           *             }
           *           ],
           *           "meta": {
           *             "resourceType": "User",
           *             "created": "2026-11-20T08:30:00.000Z",
           *             "lastModified": "2026-11-20T08:30:00.000Z",
           *             "location": "https://scim.example.com/scim/v2/Users/user:scim:default:ada",
           *             "version": "W/\"1.bbCp93rGAp\""
           *           }
           *         }
           *       ]
           *     }
           */
          'application/scim+json': components['schemas']['ListResponse'] & {
            Resources: WithRequired<components['schemas']['User'], 'id'>[];
          };
        };
      };
      /**
       * @description - `invalidSyntax`: the body is not JSON or not the message expected, has an unknown attribute, or a header is malformed
       *     - `invalidFilter`: the filter is malformed, names an unknown attribute, or compares with the wrong type
       *     - `invalidPath`: a path leads to no attribute
       *     - `invalidValue`: a value has the wrong type or form, a required one is missing, or a member does not exist
       *     - `invalidCount`: `count` is not an integer
       *     - `invalidCursor`: the cursor is invalid, or belongs to another query
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/scim+json': components['schemas']['Error'];
        };
      };
      401: components['responses']['ScimUnauthenticated'];
      /**
       * @description - `sensitive`: the filter or the sort is on an attribute that is never returned
       *     - `forbidden`: the credential belongs to a user
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/scim+json': components['schemas']['Error'];
        };
      };
      413: components['responses']['ScimTooLarge'];
      415: components['responses']['ScimUnsupportedMediaType'];
      429: components['responses']['ScimBusy'];
      431: components['responses']['ScimHeadersTooLarge'];
      500: components['responses']['ScimFailure'];
      503: components['responses']['ScimUnavailable'];
    };
  };
  getUser: {
    parameters: {
      query?: {
        /** @description Return these attributes only, besides `schemas` and `id`: `userName`, `name.familyName`, or with the URN of an extension before it. Not together with `excludedAttributes`. */
        attributes?: string[];
        /** @description Leave these attributes out, e.g. `members` of large groups. Not together with `attributes`. */
        excludedAttributes?: string[];
      };
      header?: {
        /** @description Only if this is the version: the `ETag` of an earlier answer, or `*` for any. */
        'If-Match'?: string;
        /** @description Answer 304 without a body if this is still the version: the `ETag` of an earlier answer. */
        'If-None-Match'?: string;
      };
      path: {
        /** @description External id or full identifier of the user. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The user */
      200: {
        headers: {
          /** @description Version of the resource, for `If-Match`. */
          ETag?: string;
          /** @description URL of the resource. */
          Location?: string;
          /** @description The same. */
          'Content-Location'?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:schemas:core:2.0:User",
           *         "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"
           *       ],
           *       "id": "user:scim:default:ada",
           *       "externalId": "ada",
           *       "userName": "ada@example.com",
           *       "name": {
           *         "familyName": "Lovelace",
           *         "givenName": "Ada"
           *       },
           *       "displayName": "Ada Lovelace",
           *       "title": "Analyst",
           *       "active": true,
           *       "emails": [
           *         {
           *           "value": "ada@example.com",
           *           "type": "work",
           *           "primary": true
           *         }
           *       ],
           *       "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": {
           *         "employeeNumber": "1815",
           *         "department": "Engines"
           *       },
           *       "groups": [
           *         {
           *           "value": "group:scim:default:eng",
           *           "$ref": "https://scim.example.com/scim/v2/Groups/group:scim:default:eng",
           *           "display": "Engineers",
           *           "type": "direct"
           *         }
           *       ],
           *       "meta": {
           *         "resourceType": "User",
           *         "created": "2026-11-20T08:30:00.000Z",
           *         "lastModified": "2026-11-20T08:30:00.000Z",
           *         "location": "https://scim.example.com/scim/v2/Users/user:scim:default:ada",
           *         "version": "W/\"1.bbCp93rGAp\""
           *       }
           *     }
           */
          'application/scim+json': WithRequired<components['schemas']['User'], 'id'>;
        };
      };
      /** @description Still the version that `If-None-Match` names */
      304: {
        headers: {
          /** @description Version of the resource, for `If-Match`. */
          ETag?: string;
          /** @description URL of the resource. */
          Location?: string;
          /** @description The same. */
          'Content-Location'?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /**
       * @description - `invalidSyntax`: the body is not JSON or not the message expected, has an unknown attribute, or a header is malformed
       *     - `invalidValue`: a value has the wrong type or form, a required one is missing, or a member does not exist
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/scim+json': components['schemas']['Error'];
        };
      };
      401: components['responses']['ScimUnauthenticated'];
      /** @description The credential belongs to a user */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "403",
           *       "detail": "a user may only use /Me and the discovery endpoints"
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      /** @description Nothing of this provider has the id */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "404",
           *       "detail": "User \"ada\" does not exist in provider \"default\""
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      /** @description `If-Match` names another version, or `If-None-Match` of a change names this one */
      412: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "412",
           *       "detail": "the resource is at version W/\"4\", the request demands W/\"3\""
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      429: components['responses']['ScimBusy'];
      431: components['responses']['ScimHeadersTooLarge'];
      500: components['responses']['ScimFailure'];
      503: components['responses']['ScimUnavailable'];
    };
  };
  replaceUser: {
    parameters: {
      query?: {
        /** @description Return these attributes only, besides `schemas` and `id`: `userName`, `name.familyName`, or with the URN of an extension before it. Not together with `excludedAttributes`. */
        attributes?: string[];
        /** @description Leave these attributes out, e.g. `members` of large groups. Not together with `attributes`. */
        excludedAttributes?: string[];
      };
      header?: {
        /** @description Only if this is the version: the `ETag` of an earlier answer, or `*` for any. */
        'If-Match'?: string;
        /** @description Change any version but this one, or `*` for none at all. */
        'If-None-Match'?: string;
        /** @description `return=minimal`: no body in the answer. */
        Prefer?: string;
      };
      path: {
        /** @description External id or full identifier of the user. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/scim+json': components['schemas']['User'];
        'application/json': components['schemas']['User'];
      };
    };
    responses: {
      /** @description Replaced */
      200: {
        headers: {
          /** @description Version of the resource, for `If-Match`. */
          ETag?: string;
          /** @description URL of the resource. */
          Location?: string;
          /** @description The same. */
          'Content-Location'?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:schemas:core:2.0:User",
           *         "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"
           *       ],
           *       "id": "user:scim:default:ada",
           *       "externalId": "ada",
           *       "userName": "ada@example.com",
           *       "name": {
           *         "familyName": "Lovelace",
           *         "givenName": "Ada"
           *       },
           *       "displayName": "Ada Lovelace",
           *       "title": "Analyst",
           *       "active": true,
           *       "emails": [
           *         {
           *           "value": "ada@example.com",
           *           "type": "work",
           *           "primary": true
           *         }
           *       ],
           *       "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": {
           *         "employeeNumber": "1815",
           *         "department": "Engines"
           *       },
           *       "groups": [
           *         {
           *           "value": "group:scim:default:eng",
           *           "$ref": "https://scim.example.com/scim/v2/Groups/group:scim:default:eng",
           *           "display": "Engineers",
           *           "type": "direct"
           *         }
           *       ],
           *       "meta": {
           *         "resourceType": "User",
           *         "created": "2026-11-20T08:30:00.000Z",
           *         "lastModified": "2026-11-20T08:30:00.000Z",
           *         "location": "https://scim.example.com/scim/v2/Users/user:scim:default:ada",
           *         "version": "W/\"1.bbCp93rGAp\""
           *       }
           *     }
           */
          'application/scim+json': WithRequired<components['schemas']['User'], 'id'>;
        };
      };
      /** @description Replaced; `Prefer` asks for no body */
      204: {
        headers: {
          /** @description Version of the resource, for `If-Match`. */
          ETag?: string;
          /** @description URL of the resource. */
          Location?: string;
          /** @description The same. */
          'Content-Location'?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /**
       * @description - `invalidSyntax`: the body is not JSON or not the message expected, has an unknown attribute, or a header is malformed
       *     - `invalidValue`: a value has the wrong type or form, a required one is missing, or a member does not exist
       *     - `mutability`: the attribute is read-only or immutable
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/scim+json': components['schemas']['Error'];
        };
      };
      401: components['responses']['ScimUnauthenticated'];
      /** @description The credential belongs to a user */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "403",
           *       "detail": "a user may only use /Me and the discovery endpoints"
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      /** @description Nothing of this provider has the id */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "404",
           *       "detail": "User \"ada\" does not exist in provider \"default\""
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      /** @description The name or identifier belongs to another resource */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "409",
           *       "scimType": "uniqueness",
           *       "detail": "another User of this provider already has userName \"ada@example.com\""
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      /** @description `If-Match` names another version, or `If-None-Match` of a change names this one */
      412: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "412",
           *       "detail": "the resource is at version W/\"4\", the request demands W/\"3\""
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      413: components['responses']['ScimTooLarge'];
      415: components['responses']['ScimUnsupportedMediaType'];
      429: components['responses']['ScimBusy'];
      431: components['responses']['ScimHeadersTooLarge'];
      500: components['responses']['ScimFailure'];
      503: components['responses']['ScimUnavailable'];
    };
  };
  deleteUser: {
    parameters: {
      query?: never;
      header?: {
        /** @description Only if this is the version: the `ETag` of an earlier answer, or `*` for any. */
        'If-Match'?: string;
        /** @description Change any version but this one, or `*` for none at all. */
        'If-None-Match'?: string;
      };
      path: {
        /** @description External id or full identifier of the user. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Deleted */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The body is not JSON or not the message expected, has an unknown attribute, or a header is malformed */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "400",
           *       "scimType": "invalidSyntax",
           *       "detail": "User: expected attributes that its schemas define, found \"colour\""
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      401: components['responses']['ScimUnauthenticated'];
      /** @description The credential belongs to a user */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "403",
           *       "detail": "a user may only use /Me and the discovery endpoints"
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      /** @description Nothing of this provider has the id */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "404",
           *       "detail": "User \"ada\" does not exist in provider \"default\""
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      /** @description `If-Match` names another version, or `If-None-Match` of a change names this one */
      412: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "412",
           *       "detail": "the resource is at version W/\"4\", the request demands W/\"3\""
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      429: components['responses']['ScimBusy'];
      431: components['responses']['ScimHeadersTooLarge'];
      500: components['responses']['ScimFailure'];
      503: components['responses']['ScimUnavailable'];
    };
  };
  patchUser: {
    parameters: {
      query?: {
        /** @description Return these attributes only, besides `schemas` and `id`: `userName`, `name.familyName`, or with the URN of an extension before it. Not together with `excludedAttributes`. */
        attributes?: string[];
        /** @description Leave these attributes out, e.g. `members` of large groups. Not together with `attributes`. */
        excludedAttributes?: string[];
      };
      header?: {
        /** @description Only if this is the version: the `ETag` of an earlier answer, or `*` for any. */
        'If-Match'?: string;
        /** @description Change any version but this one, or `*` for none at all. */
        'If-None-Match'?: string;
        /** @description `return=minimal`: no body in the answer. */
        Prefer?: string;
      };
      path: {
        /** @description External id or full identifier of the user. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/scim+json': components['schemas']['PatchOp'];
        'application/json': components['schemas']['PatchOp'];
      };
    };
    responses: {
      /** @description Changed */
      200: {
        headers: {
          /** @description Version of the resource, for `If-Match`. */
          ETag?: string;
          /** @description URL of the resource. */
          Location?: string;
          /** @description The same. */
          'Content-Location'?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:schemas:core:2.0:User",
           *         "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"
           *       ],
           *       "id": "user:scim:default:ada",
           *       "externalId": "ada",
           *       "userName": "ada@example.com",
           *       "name": {
           *         "familyName": "Lovelace",
           *         "givenName": "Ada"
           *       },
           *       "displayName": "Ada Lovelace",
           *       "title": "Analyst",
           *       "active": true,
           *       "emails": [
           *         {
           *           "value": "ada@example.com",
           *           "type": "work",
           *           "primary": true
           *         }
           *       ],
           *       "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": {
           *         "employeeNumber": "1815",
           *         "department": "Engines"
           *       },
           *       "groups": [
           *         {
           *           "value": "group:scim:default:eng",
           *           "$ref": "https://scim.example.com/scim/v2/Groups/group:scim:default:eng",
           *           "display": "Engineers",
           *           "type": "direct"
           *         }
           *       ],
           *       "meta": {
           *         "resourceType": "User",
           *         "created": "2026-11-20T08:30:00.000Z",
           *         "lastModified": "2026-11-20T08:30:00.000Z",
           *         "location": "https://scim.example.com/scim/v2/Users/user:scim:default:ada",
           *         "version": "W/\"1.bbCp93rGAp\""
           *       }
           *     }
           */
          'application/scim+json': WithRequired<components['schemas']['User'], 'id'>;
        };
      };
      /** @description Changed; `Prefer` asks for no body */
      204: {
        headers: {
          /** @description Version of the resource, for `If-Match`. */
          ETag?: string;
          /** @description URL of the resource. */
          Location?: string;
          /** @description The same. */
          'Content-Location'?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /**
       * @description - `invalidSyntax`: the body is not JSON or not the message expected, has an unknown attribute, or a header is malformed
       *     - `invalidPath`: a path leads to no attribute
       *     - `invalidFilter`: the filter is malformed, names an unknown attribute, or compares with the wrong type
       *     - `noTarget`: a path with a filter selects nothing, or a remove has no path
       *     - `invalidValue`: a value has the wrong type or form, a required one is missing, or a member does not exist
       *     - `mutability`: the attribute is read-only or immutable
       *     - `tooMany`: the filter or the operations would take too much work
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/scim+json': components['schemas']['Error'];
        };
      };
      401: components['responses']['ScimUnauthenticated'];
      /**
       * @description - `sensitive`: the filter or the sort is on an attribute that is never returned
       *     - `forbidden`: the credential belongs to a user
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/scim+json': components['schemas']['Error'];
        };
      };
      /** @description Nothing of this provider has the id */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "404",
           *       "detail": "User \"ada\" does not exist in provider \"default\""
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      /** @description The name or identifier belongs to another resource */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "409",
           *       "scimType": "uniqueness",
           *       "detail": "another User of this provider already has userName \"ada@example.com\""
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      /** @description `If-Match` names another version, or `If-None-Match` of a change names this one */
      412: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "412",
           *       "detail": "the resource is at version W/\"4\", the request demands W/\"3\""
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      413: components['responses']['ScimTooLarge'];
      415: components['responses']['ScimUnsupportedMediaType'];
      429: components['responses']['ScimBusy'];
      431: components['responses']['ScimHeadersTooLarge'];
      500: components['responses']['ScimFailure'];
      503: components['responses']['ScimUnavailable'];
    };
  };
  listGroups: {
    parameters: {
      query?: {
        /** @description Which resources to return (RFC 7644 §3.4.2.2): `eq`, `ne`, `co`, `sw`, `ew`, `gt`, `ge`, `lt`, `le`, `pr`, joined by `and`, `or` and `not (…)`; `emails[type eq "work" and value co "@example.com"]` is about one value of a list. Texts are in quotation marks. At most 8192 characters and 32 levels of parentheses. */
        filter?: string;
        /** @description Attribute to sort by; in order of creation without it. */
        sortBy?: string;
        /** @description Order of `sortBy`. */
        sortOrder?: 'ascending' | 'descending';
        /** @description Index pagination: the first resource to return, counted from 1, which it is by default. */
        startIndex?: number;
        /** @description Resources per page; 0 returns their number only, more than 1000 counts as 1000. */
        count?: number;
        /** @description Cursor pagination (RFC 9865), for many resources: empty for the first page, then the `nextCursor` of the page before, all else unchanged. Cursors do not expire. Not together with `startIndex`. */
        cursor?: string;
        /** @description Return these attributes only, besides `schemas` and `id`: `userName`, `name.familyName`, or with the URN of an extension before it. Not together with `excludedAttributes`. */
        attributes?: string[];
        /** @description Leave these attributes out, e.g. `members` of large groups. Not together with `attributes`. */
        excludedAttributes?: string[];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page; empty when nothing is found */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:ListResponse"
           *       ],
           *       "totalResults": 1,
           *       "itemsPerPage": 1,
           *       "startIndex": 1,
           *       "Resources": [
           *         {
           *           "schemas": [
           *             "urn:ietf:params:scim:schemas:core:2.0:Group"
           *           ],
           *           "id": "group:scim:default:eng",
           *           "externalId": "eng",
           *           "displayName": "Engineers",
           *           "members": [
           *             {
           *               "value": "user:scim:default:ada",
           *               "$ref": "https://scim.example.com/scim/v2/Users/user:scim:default:ada",
           *               "type": "User",
           *               "display": "Ada Lovelace"
           *             }
           *           ],
           *           "meta": {
           *             "resourceType": "Group",
           *             "created": "2026-11-20T08:30:00.000Z",
           *             "lastModified": "2026-11-20T08:30:00.000Z",
           *             "location": "https://scim.example.com/scim/v2/Groups/group:scim:default:eng",
           *             "version": "W/\"1.KmeMTG-iNS\""
           *           }
           *         }
           *       ]
           *     }
           */
          'application/scim+json': components['schemas']['ListResponse'] & {
            Resources: WithRequired<components['schemas']['Group'], 'id'>[];
          };
        };
      };
      /**
       * @description - `invalidFilter`: the filter is malformed, names an unknown attribute, or compares with the wrong type
       *     - `invalidPath`: a path leads to no attribute
       *     - `invalidValue`: a value has the wrong type or form, a required one is missing, or a member does not exist
       *     - `invalidCount`: `count` is not an integer
       *     - `invalidCursor`: the cursor is invalid, or belongs to another query
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/scim+json': components['schemas']['Error'];
        };
      };
      401: components['responses']['ScimUnauthenticated'];
      /**
       * @description - `sensitive`: the filter or the sort is on an attribute that is never returned
       *     - `forbidden`: the credential belongs to a user
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/scim+json': components['schemas']['Error'];
        };
      };
      429: components['responses']['ScimBusy'];
      431: components['responses']['ScimHeadersTooLarge'];
      500: components['responses']['ScimFailure'];
      503: components['responses']['ScimUnavailable'];
    };
  };
  createGroup: {
    parameters: {
      query?: {
        /** @description Return these attributes only, besides `schemas` and `id`: `userName`, `name.familyName`, or with the URN of an extension before it. Not together with `excludedAttributes`. */
        attributes?: string[];
        /** @description Leave these attributes out, e.g. `members` of large groups. Not together with `attributes`. */
        excludedAttributes?: string[];
      };
      header?: {
        /** @description `return=minimal`: no body in the answer. */
        Prefer?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/scim+json': components['schemas']['Group'];
        'application/json': components['schemas']['Group'];
      };
    };
    responses: {
      /** @description Created, or it existed already. Without a body if `Prefer` says so */
      201: {
        headers: {
          /** @description Version of the resource, for `If-Match`. */
          ETag?: string;
          /** @description URL of the resource. */
          Location?: string;
          /** @description The same. */
          'Content-Location'?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:schemas:core:2.0:Group"
           *       ],
           *       "id": "group:scim:default:eng",
           *       "externalId": "eng",
           *       "displayName": "Engineers",
           *       "members": [
           *         {
           *           "value": "user:scim:default:ada",
           *           "$ref": "https://scim.example.com/scim/v2/Users/user:scim:default:ada",
           *           "type": "User",
           *           "display": "Ada Lovelace"
           *         }
           *       ],
           *       "meta": {
           *         "resourceType": "Group",
           *         "created": "2026-11-20T08:30:00.000Z",
           *         "lastModified": "2026-11-20T08:30:00.000Z",
           *         "location": "https://scim.example.com/scim/v2/Groups/group:scim:default:eng",
           *         "version": "W/\"1.KmeMTG-iNS\""
           *       }
           *     }
           */
          'application/scim+json': WithRequired<components['schemas']['Group'], 'id'>;
        };
      };
      /**
       * @description - `invalidSyntax`: the body is not JSON or not the message expected, has an unknown attribute, or a header is malformed
       *     - `invalidValue`: a value has the wrong type or form, a required one is missing, or a member does not exist
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/scim+json': components['schemas']['Error'];
        };
      };
      401: components['responses']['ScimUnauthenticated'];
      /** @description The credential belongs to a user */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "403",
           *       "detail": "a user may only use /Me and the discovery endpoints"
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      /** @description The name or identifier belongs to another resource */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "409",
           *       "scimType": "uniqueness",
           *       "detail": "another User of this provider already has userName \"ada@example.com\""
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      413: components['responses']['ScimTooLarge'];
      415: components['responses']['ScimUnsupportedMediaType'];
      429: components['responses']['ScimBusy'];
      431: components['responses']['ScimHeadersTooLarge'];
      500: components['responses']['ScimFailure'];
      503: components['responses']['ScimUnavailable'];
    };
  };
  searchGroups: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/scim+json': components['schemas']['SearchRequest'];
        'application/json': components['schemas']['SearchRequest'];
      };
    };
    responses: {
      /** @description One page; empty when nothing is found */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:ListResponse"
           *       ],
           *       "totalResults": 1,
           *       "itemsPerPage": 1,
           *       "startIndex": 1,
           *       "Resources": [
           *         {
           *           "schemas": [
           *             "urn:ietf:params:scim:schemas:core:2.0:Group"
           *           ],
           *           "id": "group:scim:default:eng",
           *           "externalId": "eng",
           *           "displayName": "Engineers",
           *           "members": [
           *             {
           *               "value": "user:scim:default:ada",
           *               "$ref": "https://scim.example.com/scim/v2/Users/user:scim:default:ada",
           *               "type": "User",
           *               "display": "Ada Lovelace"
           *             }
           *           ],
           *           "meta": {
           *             "resourceType": "Group",
           *             "created": "2026-11-20T08:30:00.000Z",
           *             "lastModified": "2026-11-20T08:30:00.000Z",
           *             "location": "https://scim.example.com/scim/v2/Groups/group:scim:default:eng",
           *             "version": "W/\"1.KmeMTG-iNS\""
           *           }
           *         }
           *       ]
           *     }
           */
          'application/scim+json': components['schemas']['ListResponse'] & {
            Resources: WithRequired<components['schemas']['Group'], 'id'>[];
          };
        };
      };
      /**
       * @description - `invalidSyntax`: the body is not JSON or not the message expected, has an unknown attribute, or a header is malformed
       *     - `invalidFilter`: the filter is malformed, names an unknown attribute, or compares with the wrong type
       *     - `invalidPath`: a path leads to no attribute
       *     - `invalidValue`: a value has the wrong type or form, a required one is missing, or a member does not exist
       *     - `invalidCount`: `count` is not an integer
       *     - `invalidCursor`: the cursor is invalid, or belongs to another query
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/scim+json': components['schemas']['Error'];
        };
      };
      401: components['responses']['ScimUnauthenticated'];
      /**
       * @description - `sensitive`: the filter or the sort is on an attribute that is never returned
       *     - `forbidden`: the credential belongs to a user
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/scim+json': components['schemas']['Error'];
        };
      };
      413: components['responses']['ScimTooLarge'];
      415: components['responses']['ScimUnsupportedMediaType'];
      429: components['responses']['ScimBusy'];
      431: components['responses']['ScimHeadersTooLarge'];
      500: components['responses']['ScimFailure'];
      503: components['responses']['ScimUnavailable'];
    };
  };
  getGroup: {
    parameters: {
      query?: {
        /** @description Return these attributes only, besides `schemas` and `id`: `userName`, `name.familyName`, or with the URN of an extension before it. Not together with `excludedAttributes`. */
        attributes?: string[];
        /** @description Leave these attributes out, e.g. `members` of large groups. Not together with `attributes`. */
        excludedAttributes?: string[];
      };
      header?: {
        /** @description Only if this is the version: the `ETag` of an earlier answer, or `*` for any. */
        'If-Match'?: string;
        /** @description Answer 304 without a body if this is still the version: the `ETag` of an earlier answer. */
        'If-None-Match'?: string;
      };
      path: {
        /** @description External id or full identifier of the group. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The group */
      200: {
        headers: {
          /** @description Version of the resource, for `If-Match`. */
          ETag?: string;
          /** @description URL of the resource. */
          Location?: string;
          /** @description The same. */
          'Content-Location'?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:schemas:core:2.0:Group"
           *       ],
           *       "id": "group:scim:default:eng",
           *       "externalId": "eng",
           *       "displayName": "Engineers",
           *       "members": [
           *         {
           *           "value": "user:scim:default:ada",
           *           "$ref": "https://scim.example.com/scim/v2/Users/user:scim:default:ada",
           *           "type": "User",
           *           "display": "Ada Lovelace"
           *         }
           *       ],
           *       "meta": {
           *         "resourceType": "Group",
           *         "created": "2026-11-20T08:30:00.000Z",
           *         "lastModified": "2026-11-20T08:30:00.000Z",
           *         "location": "https://scim.example.com/scim/v2/Groups/group:scim:default:eng",
           *         "version": "W/\"1.KmeMTG-iNS\""
           *       }
           *     }
           */
          'application/scim+json': WithRequired<components['schemas']['Group'], 'id'>;
        };
      };
      /** @description Still the version that `If-None-Match` names */
      304: {
        headers: {
          /** @description Version of the resource, for `If-Match`. */
          ETag?: string;
          /** @description URL of the resource. */
          Location?: string;
          /** @description The same. */
          'Content-Location'?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /**
       * @description - `invalidSyntax`: the body is not JSON or not the message expected, has an unknown attribute, or a header is malformed
       *     - `invalidValue`: a value has the wrong type or form, a required one is missing, or a member does not exist
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/scim+json': components['schemas']['Error'];
        };
      };
      401: components['responses']['ScimUnauthenticated'];
      /** @description The credential belongs to a user */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "403",
           *       "detail": "a user may only use /Me and the discovery endpoints"
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      /** @description Nothing of this provider has the id */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "404",
           *       "detail": "User \"ada\" does not exist in provider \"default\""
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      /** @description `If-Match` names another version, or `If-None-Match` of a change names this one */
      412: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "412",
           *       "detail": "the resource is at version W/\"4\", the request demands W/\"3\""
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      429: components['responses']['ScimBusy'];
      431: components['responses']['ScimHeadersTooLarge'];
      500: components['responses']['ScimFailure'];
      503: components['responses']['ScimUnavailable'];
    };
  };
  replaceGroup: {
    parameters: {
      query?: {
        /** @description Return these attributes only, besides `schemas` and `id`: `userName`, `name.familyName`, or with the URN of an extension before it. Not together with `excludedAttributes`. */
        attributes?: string[];
        /** @description Leave these attributes out, e.g. `members` of large groups. Not together with `attributes`. */
        excludedAttributes?: string[];
      };
      header?: {
        /** @description Only if this is the version: the `ETag` of an earlier answer, or `*` for any. */
        'If-Match'?: string;
        /** @description Change any version but this one, or `*` for none at all. */
        'If-None-Match'?: string;
        /** @description `return=minimal`: no body in the answer. */
        Prefer?: string;
      };
      path: {
        /** @description External id or full identifier of the group. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/scim+json': components['schemas']['Group'];
        'application/json': components['schemas']['Group'];
      };
    };
    responses: {
      /** @description Replaced */
      200: {
        headers: {
          /** @description Version of the resource, for `If-Match`. */
          ETag?: string;
          /** @description URL of the resource. */
          Location?: string;
          /** @description The same. */
          'Content-Location'?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:schemas:core:2.0:Group"
           *       ],
           *       "id": "group:scim:default:eng",
           *       "externalId": "eng",
           *       "displayName": "Engineers",
           *       "members": [
           *         {
           *           "value": "user:scim:default:ada",
           *           "$ref": "https://scim.example.com/scim/v2/Users/user:scim:default:ada",
           *           "type": "User",
           *           "display": "Ada Lovelace"
           *         }
           *       ],
           *       "meta": {
           *         "resourceType": "Group",
           *         "created": "2026-11-20T08:30:00.000Z",
           *         "lastModified": "2026-11-20T08:30:00.000Z",
           *         "location": "https://scim.example.com/scim/v2/Groups/group:scim:default:eng",
           *         "version": "W/\"1.KmeMTG-iNS\""
           *       }
           *     }
           */
          'application/scim+json': WithRequired<components['schemas']['Group'], 'id'>;
        };
      };
      /** @description Replaced; `Prefer` asks for no body */
      204: {
        headers: {
          /** @description Version of the resource, for `If-Match`. */
          ETag?: string;
          /** @description URL of the resource. */
          Location?: string;
          /** @description The same. */
          'Content-Location'?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /**
       * @description - `invalidSyntax`: the body is not JSON or not the message expected, has an unknown attribute, or a header is malformed
       *     - `invalidValue`: a value has the wrong type or form, a required one is missing, or a member does not exist
       *     - `mutability`: the attribute is read-only or immutable
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/scim+json': components['schemas']['Error'];
        };
      };
      401: components['responses']['ScimUnauthenticated'];
      /** @description The credential belongs to a user */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "403",
           *       "detail": "a user may only use /Me and the discovery endpoints"
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      /** @description Nothing of this provider has the id */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "404",
           *       "detail": "User \"ada\" does not exist in provider \"default\""
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      /** @description The name or identifier belongs to another resource */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "409",
           *       "scimType": "uniqueness",
           *       "detail": "another User of this provider already has userName \"ada@example.com\""
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      /** @description `If-Match` names another version, or `If-None-Match` of a change names this one */
      412: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "412",
           *       "detail": "the resource is at version W/\"4\", the request demands W/\"3\""
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      413: components['responses']['ScimTooLarge'];
      415: components['responses']['ScimUnsupportedMediaType'];
      429: components['responses']['ScimBusy'];
      431: components['responses']['ScimHeadersTooLarge'];
      500: components['responses']['ScimFailure'];
      503: components['responses']['ScimUnavailable'];
    };
  };
  deleteGroup: {
    parameters: {
      query?: never;
      header?: {
        /** @description Only if this is the version: the `ETag` of an earlier answer, or `*` for any. */
        'If-Match'?: string;
        /** @description Change any version but this one, or `*` for none at all. */
        'If-None-Match'?: string;
      };
      path: {
        /** @description External id or full identifier of the group. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Deleted */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The body is not JSON or not the message expected, has an unknown attribute, or a header is malformed */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "400",
           *       "scimType": "invalidSyntax",
           *       "detail": "User: expected attributes that its schemas define, found \"colour\""
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      401: components['responses']['ScimUnauthenticated'];
      /** @description The credential belongs to a user */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "403",
           *       "detail": "a user may only use /Me and the discovery endpoints"
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      /** @description Nothing of this provider has the id */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "404",
           *       "detail": "User \"ada\" does not exist in provider \"default\""
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      /** @description `If-Match` names another version, or `If-None-Match` of a change names this one */
      412: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "412",
           *       "detail": "the resource is at version W/\"4\", the request demands W/\"3\""
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      429: components['responses']['ScimBusy'];
      431: components['responses']['ScimHeadersTooLarge'];
      500: components['responses']['ScimFailure'];
      503: components['responses']['ScimUnavailable'];
    };
  };
  patchGroup: {
    parameters: {
      query?: {
        /** @description Return these attributes only, besides `schemas` and `id`: `userName`, `name.familyName`, or with the URN of an extension before it. Not together with `excludedAttributes`. */
        attributes?: string[];
        /** @description Leave these attributes out, e.g. `members` of large groups. Not together with `attributes`. */
        excludedAttributes?: string[];
      };
      header?: {
        /** @description Only if this is the version: the `ETag` of an earlier answer, or `*` for any. */
        'If-Match'?: string;
        /** @description Change any version but this one, or `*` for none at all. */
        'If-None-Match'?: string;
        /** @description `return=minimal`: no body in the answer. */
        Prefer?: string;
      };
      path: {
        /** @description External id or full identifier of the group. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/scim+json': components['schemas']['PatchOp'];
        'application/json': components['schemas']['PatchOp'];
      };
    };
    responses: {
      /** @description Changed */
      200: {
        headers: {
          /** @description Version of the resource, for `If-Match`. */
          ETag?: string;
          /** @description URL of the resource. */
          Location?: string;
          /** @description The same. */
          'Content-Location'?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:schemas:core:2.0:Group"
           *       ],
           *       "id": "group:scim:default:eng",
           *       "externalId": "eng",
           *       "displayName": "Engineers",
           *       "members": [
           *         {
           *           "value": "user:scim:default:ada",
           *           "$ref": "https://scim.example.com/scim/v2/Users/user:scim:default:ada",
           *           "type": "User",
           *           "display": "Ada Lovelace"
           *         }
           *       ],
           *       "meta": {
           *         "resourceType": "Group",
           *         "created": "2026-11-20T08:30:00.000Z",
           *         "lastModified": "2026-11-20T08:30:00.000Z",
           *         "location": "https://scim.example.com/scim/v2/Groups/group:scim:default:eng",
           *         "version": "W/\"1.KmeMTG-iNS\""
           *       }
           *     }
           */
          'application/scim+json': WithRequired<components['schemas']['Group'], 'id'>;
        };
      };
      /** @description Changed; `Prefer` asks for no body, or the dialect of the provider is `entra` or `okta` */
      204: {
        headers: {
          /** @description Version of the resource, for `If-Match`. */
          ETag?: string;
          /** @description URL of the resource. */
          Location?: string;
          /** @description The same. */
          'Content-Location'?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /**
       * @description - `invalidSyntax`: the body is not JSON or not the message expected, has an unknown attribute, or a header is malformed
       *     - `invalidPath`: a path leads to no attribute
       *     - `invalidFilter`: the filter is malformed, names an unknown attribute, or compares with the wrong type
       *     - `noTarget`: a path with a filter selects nothing, or a remove has no path
       *     - `invalidValue`: a value has the wrong type or form, a required one is missing, or a member does not exist
       *     - `mutability`: the attribute is read-only or immutable
       *     - `tooMany`: the filter or the operations would take too much work
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/scim+json': components['schemas']['Error'];
        };
      };
      401: components['responses']['ScimUnauthenticated'];
      /**
       * @description - `sensitive`: the filter or the sort is on an attribute that is never returned
       *     - `forbidden`: the credential belongs to a user
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/scim+json': components['schemas']['Error'];
        };
      };
      /** @description Nothing of this provider has the id */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "404",
           *       "detail": "User \"ada\" does not exist in provider \"default\""
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      /** @description The name or identifier belongs to another resource */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "409",
           *       "scimType": "uniqueness",
           *       "detail": "another User of this provider already has userName \"ada@example.com\""
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      /** @description `If-Match` names another version, or `If-None-Match` of a change names this one */
      412: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "412",
           *       "detail": "the resource is at version W/\"4\", the request demands W/\"3\""
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      413: components['responses']['ScimTooLarge'];
      415: components['responses']['ScimUnsupportedMediaType'];
      429: components['responses']['ScimBusy'];
      431: components['responses']['ScimHeadersTooLarge'];
      500: components['responses']['ScimFailure'];
      503: components['responses']['ScimUnavailable'];
    };
  };
  getMe: {
    parameters: {
      query?: {
        /** @description Return these attributes only, besides `schemas` and `id`: `userName`, `name.familyName`, or with the URN of an extension before it. Not together with `excludedAttributes`. */
        attributes?: string[];
        /** @description Leave these attributes out, e.g. `members` of large groups. Not together with `attributes`. */
        excludedAttributes?: string[];
      };
      header?: {
        /** @description Only if this is the version: the `ETag` of an earlier answer, or `*` for any. */
        'If-Match'?: string;
        /** @description Answer 304 without a body if this is still the version: the `ETag` of an earlier answer. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The user */
      200: {
        headers: {
          /** @description Version of the resource, for `If-Match`. */
          ETag?: string;
          /** @description URL of the resource. */
          Location?: string;
          /** @description The same. */
          'Content-Location'?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:schemas:core:2.0:User",
           *         "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"
           *       ],
           *       "id": "user:scim:default:ada",
           *       "externalId": "ada",
           *       "userName": "ada@example.com",
           *       "name": {
           *         "familyName": "Lovelace",
           *         "givenName": "Ada"
           *       },
           *       "displayName": "Ada Lovelace",
           *       "title": "Analyst",
           *       "active": true,
           *       "emails": [
           *         {
           *           "value": "ada@example.com",
           *           "type": "work",
           *           "primary": true
           *         }
           *       ],
           *       "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": {
           *         "employeeNumber": "1815",
           *         "department": "Engines"
           *       },
           *       "groups": [
           *         {
           *           "value": "group:scim:default:eng",
           *           "$ref": "https://scim.example.com/scim/v2/Groups/group:scim:default:eng",
           *           "display": "Engineers",
           *           "type": "direct"
           *         }
           *       ],
           *       "meta": {
           *         "resourceType": "User",
           *         "created": "2026-11-20T08:30:00.000Z",
           *         "lastModified": "2026-11-20T08:30:00.000Z",
           *         "location": "https://scim.example.com/scim/v2/Users/user:scim:default:ada",
           *         "version": "W/\"1.bbCp93rGAp\""
           *       }
           *     }
           */
          'application/scim+json': WithRequired<components['schemas']['User'], 'id'>;
        };
      };
      /** @description Still the version that `If-None-Match` names */
      304: {
        headers: {
          /** @description Version of the resource, for `If-Match`. */
          ETag?: string;
          /** @description URL of the resource. */
          Location?: string;
          /** @description The same. */
          'Content-Location'?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /**
       * @description - `invalidSyntax`: the body is not JSON or not the message expected, has an unknown attribute, or a header is malformed
       *     - `invalidValue`: a value has the wrong type or form, a required one is missing, or a member does not exist
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/scim+json': components['schemas']['Error'];
        };
      };
      401: components['responses']['ScimUnauthenticated'];
      /** @description Nothing of this provider has the id */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "404",
           *       "detail": "User \"ada\" does not exist in provider \"default\""
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      /** @description `If-Match` names another version, or `If-None-Match` of a change names this one */
      412: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "412",
           *       "detail": "the resource is at version W/\"4\", the request demands W/\"3\""
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      429: components['responses']['ScimBusy'];
      431: components['responses']['ScimHeadersTooLarge'];
      500: components['responses']['ScimFailure'];
      /** @description The credential is not a user, as those of provisioners are not */
      501: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "501",
           *       "detail": "/Me: this credential is not a user"
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      503: components['responses']['ScimUnavailable'];
    };
  };
  getServiceProviderConfig: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The configuration */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"
           *       ],
           *       "patch": {
           *         "supported": true
           *       },
           *       "bulk": {
           *         "supported": true,
           *         "maxOperations": 1000,
           *         "maxPayloadSize": 8388608
           *       },
           *       "filter": {
           *         "supported": true,
           *         "maxResults": 1000
           *       },
           *       "changePassword": {
           *         "supported": false
           *       },
           *       "sort": {
           *         "supported": true
           *       },
           *       "etag": {
           *         "supported": true
           *       },
           *       "pagination": {
           *         "cursor": true,
           *         "index": true,
           *         "defaultPaginationMethod": "index",
           *         "defaultPageSize": 100,
           *         "maxPageSize": 1000
           *       },
           *       "authenticationSchemes": [
           *         {
           *           "type": "oauthbearertoken",
           *           "name": "OAuth Bearer Token",
           *           "description": "A bearer token in the Authorization header.",
           *           "specUri": "https://www.rfc-editor.org/info/rfc6750",
           *           "primary": true
           *         },
           *         {
           *           "type": "oauth2",
           *           "name": "OAuth 2.0",
           *           "description": "An access token obtained with client credentials, or issued by an issuer that the provider trusts.",
           *           "specUri": "https://www.rfc-editor.org/info/rfc6749"
           *         }
           *       ],
           *       "meta": {
           *         "resourceType": "ServiceProviderConfig",
           *         "location": "https://scim.example.com/scim/v2/ServiceProviderConfig"
           *       }
           *     }
           */
          'application/scim+json': components['schemas']['ServiceProviderConfig'];
        };
      };
      401: components['responses']['ScimUnauthenticated'];
      /** @description Discovery cannot be filtered */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "403",
           *       "detail": "filter: discovery endpoints cannot be filtered"
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      429: components['responses']['ScimBusy'];
      431: components['responses']['ScimHeadersTooLarge'];
      500: components['responses']['ScimFailure'];
      503: components['responses']['ScimUnavailable'];
    };
  };
  listResourceTypes: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Every resource type */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:ListResponse"
           *       ],
           *       "totalResults": 2,
           *       "itemsPerPage": 2,
           *       "startIndex": 1,
           *       "Resources": [
           *         {
           *           "schemas": [
           *             "urn:ietf:params:scim:schemas:core:2.0:ResourceType"
           *           ],
           *           "id": "User",
           *           "name": "User",
           *           "description": "An account of a person or a service.",
           *           "endpoint": "/Users",
           *           "schema": "urn:ietf:params:scim:schemas:core:2.0:User",
           *           "schemaExtensions": [
           *             {
           *               "schema": "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User",
           *               "required": false
           *             }
           *           ],
           *           "meta": {
           *             "resourceType": "ResourceType",
           *             "location": "https://scim.example.com/scim/v2/ResourceTypes/User"
           *           }
           *         },
           *         {
           *           "schemas": [
           *             "urn:ietf:params:scim:schemas:core:2.0:ResourceType"
           *           ],
           *           "id": "Group",
           *           "name": "Group",
           *           "description": "A group of users and of other groups.",
           *           "endpoint": "/Groups",
           *           "schema": "urn:ietf:params:scim:schemas:core:2.0:Group",
           *           "meta": {
           *             "resourceType": "ResourceType",
           *             "location": "https://scim.example.com/scim/v2/ResourceTypes/Group"
           *           }
           *         }
           *       ]
           *     }
           */
          'application/scim+json': components['schemas']['ListResponse'] & {
            Resources: components['schemas']['ResourceType'][];
          };
        };
      };
      401: components['responses']['ScimUnauthenticated'];
      /** @description Discovery cannot be filtered */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "403",
           *       "detail": "filter: discovery endpoints cannot be filtered"
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      429: components['responses']['ScimBusy'];
      431: components['responses']['ScimHeadersTooLarge'];
      500: components['responses']['ScimFailure'];
      503: components['responses']['ScimUnavailable'];
    };
  };
  getResourceType: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the resource type. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The resource type */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:schemas:core:2.0:ResourceType"
           *       ],
           *       "id": "User",
           *       "name": "User",
           *       "description": "An account of a person or a service.",
           *       "endpoint": "/Users",
           *       "schema": "urn:ietf:params:scim:schemas:core:2.0:User",
           *       "schemaExtensions": [
           *         {
           *           "schema": "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User",
           *           "required": false
           *         }
           *       ],
           *       "meta": {
           *         "resourceType": "ResourceType",
           *         "location": "https://scim.example.com/scim/v2/ResourceTypes/User"
           *       }
           *     }
           */
          'application/scim+json': components['schemas']['ResourceType'];
        };
      };
      401: components['responses']['ScimUnauthenticated'];
      /** @description Nothing of this provider has the id */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "404",
           *       "detail": "User \"ada\" does not exist in provider \"default\""
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      429: components['responses']['ScimBusy'];
      431: components['responses']['ScimHeadersTooLarge'];
      500: components['responses']['ScimFailure'];
      503: components['responses']['ScimUnavailable'];
    };
  };
  listSchemas: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Every schema */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:ListResponse"
           *       ],
           *       "totalResults": 1,
           *       "itemsPerPage": 1,
           *       "startIndex": 1,
           *       "Resources": [
           *         {
           *           "schemas": [
           *             "urn:ietf:params:scim:schemas:core:2.0:Schema"
           *           ],
           *           "id": "urn:ietf:params:scim:schemas:core:2.0:Group",
           *           "name": "Group",
           *           "description": "A group of users and of other groups.",
           *           "attributes": [
           *             {
           *               "name": "displayName",
           *               "type": "string",
           *               "multiValued": false,
           *               "description": "The name by which the group is shown.",
           *               "required": true,
           *               "caseExact": false,
           *               "mutability": "readWrite",
           *               "returned": "default",
           *               "uniqueness": "none"
           *             },
           *             {
           *               "name": "members",
           *               "type": "complex",
           *               "multiValued": true,
           *               "description": "Users and groups that belong to the group.",
           *               "required": false,
           *               "caseExact": false,
           *               "mutability": "readWrite",
           *               "returned": "default",
           *               "uniqueness": "none",
           *               "subAttributes": [
           *                 {
           *                   "name": "value",
           *                   "type": "string",
           *                   "multiValued": false,
           *                   "description": "Id of the member.",
           *                   "required": false,
           *                   "caseExact": true,
           *                   "mutability": "immutable",
           *                   "returned": "default",
           *                   "uniqueness": "none"
           *                 },
           *                 {
           *                   "name": "$ref",
           *                   "type": "reference",
           *                   "multiValued": false,
           *                   "description": "Location of the member.",
           *                   "required": false,
           *                   "caseExact": true,
           *                   "mutability": "immutable",
           *                   "returned": "default",
           *                   "uniqueness": "none",
           *                   "referenceTypes": [
           *                     "User",
           *                     "Group"
           *                   ]
           *                 },
           *                 {
           *                   "name": "type",
           *                   "type": "string",
           *                   "multiValued": false,
           *                   "description": "Resource type of the member.",
           *                   "required": false,
           *                   "canonicalValues": [
           *                     "User",
           *                     "Group"
           *                   ],
           *                   "caseExact": false,
           *                   "mutability": "immutable",
           *                   "returned": "default",
           *                   "uniqueness": "none"
           *                 },
           *                 {
           *                   "name": "display",
           *                   "type": "string",
           *                   "multiValued": false,
           *                   "description": "Display name of the member.",
           *                   "required": false,
           *                   "caseExact": false,
           *                   "mutability": "readOnly",
           *                   "returned": "default",
           *                   "uniqueness": "none"
           *                 }
           *               ]
           *             }
           *           ],
           *           "meta": {
           *             "resourceType": "Schema",
           *             "location": "https://scim.example.com/scim/v2/Schemas/urn:ietf:params:scim:schemas:core:2.0:Group"
           *           }
           *         }
           *       ]
           *     }
           */
          'application/scim+json': components['schemas']['ListResponse'] & {
            Resources: components['schemas']['Schema'][];
          };
        };
      };
      401: components['responses']['ScimUnauthenticated'];
      /** @description Discovery cannot be filtered */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "403",
           *       "detail": "filter: discovery endpoints cannot be filtered"
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      429: components['responses']['ScimBusy'];
      431: components['responses']['ScimHeadersTooLarge'];
      500: components['responses']['ScimFailure'];
      503: components['responses']['ScimUnavailable'];
    };
  };
  getSchema: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description URN of the schema, in any case. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The schema */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:schemas:core:2.0:Schema"
           *       ],
           *       "id": "urn:ietf:params:scim:schemas:core:2.0:Group",
           *       "name": "Group",
           *       "description": "A group of users and of other groups.",
           *       "attributes": [
           *         {
           *           "name": "displayName",
           *           "type": "string",
           *           "multiValued": false,
           *           "description": "The name by which the group is shown.",
           *           "required": true,
           *           "caseExact": false,
           *           "mutability": "readWrite",
           *           "returned": "default",
           *           "uniqueness": "none"
           *         },
           *         {
           *           "name": "members",
           *           "type": "complex",
           *           "multiValued": true,
           *           "description": "Users and groups that belong to the group.",
           *           "required": false,
           *           "caseExact": false,
           *           "mutability": "readWrite",
           *           "returned": "default",
           *           "uniqueness": "none",
           *           "subAttributes": [
           *             {
           *               "name": "value",
           *               "type": "string",
           *               "multiValued": false,
           *               "description": "Id of the member.",
           *               "required": false,
           *               "caseExact": true,
           *               "mutability": "immutable",
           *               "returned": "default",
           *               "uniqueness": "none"
           *             },
           *             {
           *               "name": "$ref",
           *               "type": "reference",
           *               "multiValued": false,
           *               "description": "Location of the member.",
           *               "required": false,
           *               "caseExact": true,
           *               "mutability": "immutable",
           *               "returned": "default",
           *               "uniqueness": "none",
           *               "referenceTypes": [
           *                 "User",
           *                 "Group"
           *               ]
           *             },
           *             {
           *               "name": "type",
           *               "type": "string",
           *               "multiValued": false,
           *               "description": "Resource type of the member.",
           *               "required": false,
           *               "canonicalValues": [
           *                 "User",
           *                 "Group"
           *               ],
           *               "caseExact": false,
           *               "mutability": "immutable",
           *               "returned": "default",
           *               "uniqueness": "none"
           *             },
           *             {
           *               "name": "display",
           *               "type": "string",
           *               "multiValued": false,
           *               "description": "Display name of the member.",
           *               "required": false,
           *               "caseExact": false,
           *               "mutability": "readOnly",
           *               "returned": "default",
           *               "uniqueness": "none"
           *             }
           *           ]
           *         }
           *       ],
           *       "meta": {
           *         "resourceType": "Schema",
           *         "location": "https://scim.example.com/scim/v2/Schemas/urn:ietf:params:scim:schemas:core:2.0:Group"
           *       }
           *     }
           */
          'application/scim+json': components['schemas']['Schema'];
        };
      };
      401: components['responses']['ScimUnauthenticated'];
      /** @description Nothing of this provider has the id */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "404",
           *       "detail": "User \"ada\" does not exist in provider \"default\""
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      429: components['responses']['ScimBusy'];
      431: components['responses']['ScimHeadersTooLarge'];
      500: components['responses']['ScimFailure'];
      503: components['responses']['ScimUnavailable'];
    };
  };
  listResources: {
    parameters: {
      query?: {
        /** @description Which resources to return (RFC 7644 §3.4.2.2): `eq`, `ne`, `co`, `sw`, `ew`, `gt`, `ge`, `lt`, `le`, `pr`, joined by `and`, `or` and `not (…)`; `emails[type eq "work" and value co "@example.com"]` is about one value of a list. Texts are in quotation marks. At most 8192 characters and 32 levels of parentheses. */
        filter?: string;
        /** @description Attribute to sort by; in order of creation without it. */
        sortBy?: string;
        /** @description Order of `sortBy`. */
        sortOrder?: 'ascending' | 'descending';
        /** @description Index pagination: the first resource to return, counted from 1, which it is by default. */
        startIndex?: number;
        /** @description Resources per page; 0 returns their number only, more than 1000 counts as 1000. */
        count?: number;
        /** @description Cursor pagination (RFC 9865), for many resources: empty for the first page, then the `nextCursor` of the page before, all else unchanged. Cursors do not expire. Not together with `startIndex`. */
        cursor?: string;
        /** @description Return these attributes only, besides `schemas` and `id`: `userName`, `name.familyName`, or with the URN of an extension before it. Not together with `excludedAttributes`. */
        attributes?: string[];
        /** @description Leave these attributes out, e.g. `members` of large groups. Not together with `attributes`. */
        excludedAttributes?: string[];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page; empty when nothing is found */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:ListResponse"
           *       ],
           *       "totalResults": 2,
           *       "itemsPerPage": 2,
           *       "startIndex": 1,
           *       "Resources": [
           *         {
           *           "schemas": [
           *             "urn:ietf:params:scim:schemas:core:2.0:User",
           *             "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"
           *           ],
           *           "id": "user:scim:default:ada",
           *           "externalId": "ada",
           *           "userName": "ada@example.com",
           *           "name": {
           *             "familyName": "Lovelace",
           *             "givenName": "Ada"
           *           },
           *           "displayName": "Ada Lovelace",
           *           "title": "Analyst",
           *           "active": true,
           *           "emails": [
           *             {
           *               "value": "ada@example.com",
           *               "type": "work",
           *               "primary": true
           *             }
           *           ],
           *           "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": {
           *             "employeeNumber": "1815",
           *             "department": "Engines"
           *           },
           *           "groups": [
           *             {
           *               "value": "group:scim:default:eng",
           *               "$ref": "https://scim.example.com/scim/v2/Groups/group:scim:default:eng",
           *               "display": "Engineers",
           *               "type": "direct"
           *             }
           *           ],
           *           "meta": {
           *             "resourceType": "User",
           *             "created": "2026-11-20T08:30:00.000Z",
           *             "lastModified": "2026-11-20T08:30:00.000Z",
           *             "location": "https://scim.example.com/scim/v2/Users/user:scim:default:ada",
           *             "version": "W/\"1.bbCp93rGAp\""
           *           }
           *         },
           *         {
           *           "schemas": [
           *             "urn:ietf:params:scim:schemas:core:2.0:Group"
           *           ],
           *           "id": "group:scim:default:eng",
           *           "externalId": "eng",
           *           "displayName": "Engineers",
           *           "members": [
           *             {
           *               "value": "user:scim:default:ada",
           *               "$ref": "https://scim.example.com/scim/v2/Users/user:scim:default:ada",
           *               "type": "User",
           *               "display": "Ada Lovelace"
           *             }
           *           ],
           *           "meta": {
           *             "resourceType": "Group",
           *             "created": "2026-11-20T08:30:00.000Z",
           *             "lastModified": "2026-11-20T08:30:00.000Z",
           *             "location": "https://scim.example.com/scim/v2/Groups/group:scim:default:eng",
           *             "version": "W/\"1.KmeMTG-iNS\""
           *           }
           *         }
           *       ]
           *     }
           */
          'application/scim+json': components['schemas']['ListResponse'] & {
            Resources: (
              WithRequired<components['schemas']['User'], 'id'> | WithRequired<components['schemas']['Group'], 'id'>
            )[];
          };
        };
      };
      /**
       * @description - `invalidFilter`: the filter is malformed, names an unknown attribute, or compares with the wrong type
       *     - `invalidPath`: a path leads to no attribute
       *     - `invalidValue`: a value has the wrong type or form, a required one is missing, or a member does not exist
       *     - `invalidCount`: `count` is not an integer
       *     - `invalidCursor`: the cursor is invalid, or belongs to another query
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/scim+json': components['schemas']['Error'];
        };
      };
      401: components['responses']['ScimUnauthenticated'];
      /**
       * @description - `sensitive`: the filter or the sort is on an attribute that is never returned
       *     - `forbidden`: the credential belongs to a user
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/scim+json': components['schemas']['Error'];
        };
      };
      429: components['responses']['ScimBusy'];
      431: components['responses']['ScimHeadersTooLarge'];
      500: components['responses']['ScimFailure'];
      503: components['responses']['ScimUnavailable'];
    };
  };
  searchResources: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/scim+json': components['schemas']['SearchRequest'];
        'application/json': components['schemas']['SearchRequest'];
      };
    };
    responses: {
      /** @description One page; empty when nothing is found */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:ListResponse"
           *       ],
           *       "totalResults": 2,
           *       "itemsPerPage": 2,
           *       "startIndex": 1,
           *       "Resources": [
           *         {
           *           "schemas": [
           *             "urn:ietf:params:scim:schemas:core:2.0:User",
           *             "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"
           *           ],
           *           "id": "user:scim:default:ada",
           *           "externalId": "ada",
           *           "userName": "ada@example.com",
           *           "name": {
           *             "familyName": "Lovelace",
           *             "givenName": "Ada"
           *           },
           *           "displayName": "Ada Lovelace",
           *           "title": "Analyst",
           *           "active": true,
           *           "emails": [
           *             {
           *               "value": "ada@example.com",
           *               "type": "work",
           *               "primary": true
           *             }
           *           ],
           *           "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": {
           *             "employeeNumber": "1815",
           *             "department": "Engines"
           *           },
           *           "groups": [
           *             {
           *               "value": "group:scim:default:eng",
           *               "$ref": "https://scim.example.com/scim/v2/Groups/group:scim:default:eng",
           *               "display": "Engineers",
           *               "type": "direct"
           *             }
           *           ],
           *           "meta": {
           *             "resourceType": "User",
           *             "created": "2026-11-20T08:30:00.000Z",
           *             "lastModified": "2026-11-20T08:30:00.000Z",
           *             "location": "https://scim.example.com/scim/v2/Users/user:scim:default:ada",
           *             "version": "W/\"1.bbCp93rGAp\""
           *           }
           *         },
           *         {
           *           "schemas": [
           *             "urn:ietf:params:scim:schemas:core:2.0:Group"
           *           ],
           *           "id": "group:scim:default:eng",
           *           "externalId": "eng",
           *           "displayName": "Engineers",
           *           "members": [
           *             {
           *               "value": "user:scim:default:ada",
           *               "$ref": "https://scim.example.com/scim/v2/Users/user:scim:default:ada",
           *               "type": "User",
           *               "display": "Ada Lovelace"
           *             }
           *           ],
           *           "meta": {
           *             "resourceType": "Group",
           *             "created": "2026-11-20T08:30:00.000Z",
           *             "lastModified": "2026-11-20T08:30:00.000Z",
           *             "location": "https://scim.example.com/scim/v2/Groups/group:scim:default:eng",
           *             "version": "W/\"1.KmeMTG-iNS\""
           *           }
           *         }
           *       ]
           *     }
           */
          'application/scim+json': components['schemas']['ListResponse'] & {
            Resources: (
              WithRequired<components['schemas']['User'], 'id'> | WithRequired<components['schemas']['Group'], 'id'>
            )[];
          };
        };
      };
      /**
       * @description - `invalidSyntax`: the body is not JSON or not the message expected, has an unknown attribute, or a header is malformed
       *     - `invalidFilter`: the filter is malformed, names an unknown attribute, or compares with the wrong type
       *     - `invalidPath`: a path leads to no attribute
       *     - `invalidValue`: a value has the wrong type or form, a required one is missing, or a member does not exist
       *     - `invalidCount`: `count` is not an integer
       *     - `invalidCursor`: the cursor is invalid, or belongs to another query
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/scim+json': components['schemas']['Error'];
        };
      };
      401: components['responses']['ScimUnauthenticated'];
      /**
       * @description - `sensitive`: the filter or the sort is on an attribute that is never returned
       *     - `forbidden`: the credential belongs to a user
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/scim+json': components['schemas']['Error'];
        };
      };
      413: components['responses']['ScimTooLarge'];
      415: components['responses']['ScimUnsupportedMediaType'];
      429: components['responses']['ScimBusy'];
      431: components['responses']['ScimHeadersTooLarge'];
      500: components['responses']['ScimFailure'];
      503: components['responses']['ScimUnavailable'];
    };
  };
  runBulk: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/scim+json': components['schemas']['BulkRequest'];
        'application/json': components['schemas']['BulkRequest'];
      };
    };
    responses: {
      /** @description What came of each operation */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:BulkResponse"
           *       ],
           *       "Operations": [
           *         {
           *           "method": "POST",
           *           "bulkId": "alan",
           *           "location": "https://scim.example.com/scim/v2/Users/user:scim:default:alan",
           *           "version": "W/\"1\"",
           *           "status": "201"
           *         },
           *         {
           *           "method": "POST",
           *           "bulkId": "crypto",
           *           "location": "https://scim.example.com/scim/v2/Groups/group:scim:default:crypto",
           *           "version": "W/\"1\"",
           *           "status": "201"
           *         }
           *       ]
           *     }
           */
          'application/scim+json': components['schemas']['BulkResponse'];
        };
      };
      /**
       * @description - `invalidSyntax`: the body is not JSON or not the message expected, has an unknown attribute, or a header is malformed
       *     - `invalidValue`: a value has the wrong type or form, a required one is missing, or a member does not exist
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/scim+json': components['schemas']['Error'];
        };
      };
      401: components['responses']['ScimUnauthenticated'];
      /** @description The credential belongs to a user */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "403",
           *       "detail": "a user may only use /Me and the discovery endpoints"
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      /** @description The body exceeds 8 MiB or has over 1000 operations */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schemas": [
           *         "urn:ietf:params:scim:api:messages:2.0:Error"
           *       ],
           *       "status": "413",
           *       "detail": "Operations: expected at most 1000, found 1001"
           *     }
           */
          'application/scim+json': components['schemas']['Error'];
        };
      };
      415: components['responses']['ScimUnsupportedMediaType'];
      429: components['responses']['ScimBusy'];
      431: components['responses']['ScimHeadersTooLarge'];
      500: components['responses']['ScimFailure'];
      503: components['responses']['ScimUnavailable'];
    };
  };
}
type WithRequired<T, K extends keyof T> = T & {
  [P in K]-?: T[P];
};

/** The version of Palisade that has this API. */
export const version = '0.1.0';
