/** Names of namespaces, tenants, pools and providers as the API pages describe them; the parsers in domain judge. */
export const LABEL = { minLength: 1, maxLength: 63, pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$' } as const;
