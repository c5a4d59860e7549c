interface Page {
  readonly Resources: readonly { readonly externalId: string }[];
  readonly nextCursor?: string;
}

/** The external ids of all users that a service has, of those that begin with the prefix. */
export async function listUsers(origin: string, token: string, prefix: string): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const query = new URLSearchParams({ attributes: 'externalId', count: '1000', cursor }).toString();
    const answer = await fetch(`${origin}/scim/v2/Users?${query}`, { headers: { Authorization: `Bearer ${token}` } });
    const page = (await answer.json()) as Page;
    found.push(...page.Resources.map(({ externalId }) => externalId).filter((id) => id.startsWith(`${prefix}-`)));
    cursor = page.nextCursor;
  }
  return found;
}
