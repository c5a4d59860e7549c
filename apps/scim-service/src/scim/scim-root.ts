/** Where the protocol's URLs begin; the version in it is SCIM's (RFC 7644 §3.13). */
export const SCIM_ROOT = '/scim/v2';
