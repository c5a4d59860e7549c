import type { ProviderId } from '@palisade/domain';
import type { Client } from 'pg';
import { countChange } from '../../src/postgres/directory/resource-counts.js';

/** Users `e1`, `e2` … as creating them one by one would store them, all within one minute. */
export async function insertUsers(client: Client, provider: ProviderId, count: number): Promise<void> {
  await client.query(
    `with inserted as (
      insert into resources
        (provider_id, id, resource_type, external_id, attributes, search, created_at, modified_at)
      select $1::text, 'user:scim:' || $1 || ':e' || i, 'User', 'e' || i,
        json_build_object('userName', 'User' || i || '@example.com', 'displayName', 'Given' || i),
        jsonb_build_object($1::text, jsonb_build_object(
          'userName', 'user' || i || '@example.com', 'displayName', 'given' || i, 'title', 'engineer',
          'emails', jsonb_build_array(
            jsonb_build_object('type', 'work', 'value', 'user' || i || '@example.com', 'primary', true),
            jsonb_build_object('type', 'home', 'value', 'home' || i || '@example.com')),
          'phoneNumbers', jsonb_build_array(jsonb_build_object('value', i::text)))),
        timestamptz '2026-01-01T00:00:00Z' + i * interval '6 milliseconds',
        timestamptz '2026-01-01T00:00:00Z' + i * interval '6 milliseconds'
      from generate_series(1, $2::integer) i
      returning provider_id, resource_type, sequence
    )
    ${countChange('inserted', 1)}`,
    [provider, count],
  );
}

/** Deletes every user whose number satisfies a condition on `i`, as deleting them one by one would. */
export async function deleteUsersWhere(client: Client, provider: ProviderId, condition: string): Promise<void> {
  await client.query(
    `with numbered as (
      select id, substr(external_id, 2)::integer as i from resources where provider_id = $1 and resource_type = 'User'
    ), deleted as (
      delete from resources r using numbered n where r.provider_id = $1 and r.id = n.id and (${condition})
      returning r.provider_id, r.resource_type, r.sequence
    )
    ${countChange('deleted', -1)}`,
    [provider],
  );
}
