/** What a newcomer needs once both services run: addresses, tokens, and lines to paste. */
export function welcome({ scim, control, tokens, providerId }) {
  const api = `${scim}/api/v1`;
  const asProvider = `-H 'Authorization: Bearer ${tokens.scim}' -H 'Content-Type: application/scim+json'`;
  const asAdmin = `-H 'Authorization: Bearer ${tokens.admin}' -H 'Content-Type: application/json'`;
  const user = {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    externalId: 'ada',
    userName: 'ada@example.com',
  };
  const group = {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
    externalId: 'eng',
    displayName: 'Engineers',
  };
  const addMember = {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [{ op: 'add', path: 'members', value: [{ value: `user:scim:${providerId}:ada` }] }],
  };
  const binding = { namespace: 'orders', bound_subject: `group:scim:${providerId}:eng`, relation: 'write' };
  const tenant = { tenant_id: 'shop', namespace_pattern: 'orders', pool: 'standard' };
  const question = `user=user:scim:${providerId}:ada&namespace=orders&relation=write`;
  return `
Palisade is ready.

  SCIM            ${scim}/scim/v2      token ${tokens.scim}
  admin API       ${api}       token ${tokens.admin}
  control plane   ${control}              same admin token
  API pages       ${scim}/docs  ${control}/docs

Paste these: a user, a group, a member, a binding, a question; then a tenant, and the same question with the route.
docs/flow.md goes on from there.

curl -sSw '\\n' ${asProvider} ${scim}/scim/v2/Users -d '${JSON.stringify(user)}'
curl -sSw '\\n' ${asProvider} ${scim}/scim/v2/Groups -d '${JSON.stringify(group)}'
curl -sSw '\\n' ${asProvider} ${scim}/scim/v2/Groups/eng -X PATCH -d '${JSON.stringify(addMember)}'
curl -sSw '\\n' ${asAdmin} ${api}/bindings -d '${JSON.stringify(binding)}'
curl -sSw '\\n' ${asAdmin} '${api}/access/check?${question}'
curl -sSw '\\n' ${asAdmin} ${control}/api/v1/tenants -d '${JSON.stringify(tenant)}'
curl -sSw '\\n' ${asAdmin} '${control}/api/v1/access/route?${question}'

Ctrl-C ends both services.
`;
}
