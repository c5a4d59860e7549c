import { dataOf, type ControlPlaneClient, type ControlPlaneComponents } from '@palisade/client';
import { ok, problem, warning, type Finding } from './finding.js';

/** Tenants beyond these pages are not checked. */
const MAX_TENANT_PAGES = 200;
const TENANTS_IN_PAGE = 500;
const MAX_NAMED = 5;
const MAX_DEPTH = 8;
const UNFINISHED: ReadonlySet<unknown> = new Set(['pending', 'failing', 'failed', 'rejected', 'rolled_back']);

type Status = ControlPlaneComponents['schemas']['StatusResponse'];
type Pool = ControlPlaneComponents['schemas']['PoolResponse'];

/** Checks that a replica leads, everything has been applied, pools have proxies, and tenants are routed to pools that exist. */
export async function examineControlPlane(client: ControlPlaneClient): Promise<readonly Finding[]> {
  const status = dataOf(await client.GET('/api/v1/status'));
  const { items: pools } = dataOf(await client.GET('/api/v1/pools'));
  return [
    examineLeader(status),
    ...examineComponents(status),
    ...examinePools(pools),
    ...examinePolicies(pools),
    await examineTenants(client, new Set(pools.map(({ name }) => name))),
  ];
}

function examineLeader({ leader }: Status): Finding {
  return leader === undefined
    ? problem(
        'control-plane leader',
        'no replica leads: changes reach neither load balancer nor DNS, and proxies are not checked',
        'Wait ten seconds and try again; if that does not help, the logs say why no replica gets the lease.',
      )
    : ok('control-plane leader', leader.holder);
}

function examineComponents({ components }: Status): readonly Finding[] {
  return components.map(({ component, detail }) => {
    const unfinished = findUnfinished(detail, MAX_DEPTH);
    return unfinished === undefined
      ? ok(`component ${component}`, 'nothing is pending')
      : problem(
          `component ${component}`,
          unfinished,
          'It is retried automatically; "palisade status --json" and the leader\'s log say why it has not succeeded.',
        );
  });
}

/** Describes the first part of a report that is unfinished or has failed; undefined when there is none. */
export function findUnfinished(detail: unknown, depth: number): string | undefined {
  if (typeof detail !== 'object' || detail === null || depth === 0) {
    return undefined;
  }
  const fields = detail as Readonly<Record<string, unknown>>;
  const state = [fields['state'], fields['result']].find((value) => UNFINISHED.has(value));
  if (state !== undefined) {
    const name = firstText(fields, ['name', 'tenant_id', 'id']);
    const why = firstText(fields, ['error', 'reason', 'detail']);
    return `${name === undefined ? '' : `${name} is `}${String(state)}${why === undefined ? '' : `: ${why}`}`;
  }
  for (const [key, value] of Object.entries(fields)) {
    const found = findUnfinished(value, depth - 1);
    if (found !== undefined) {
      return Array.isArray(detail) ? found : `${key}: ${found}`;
    }
  }
  return undefined;
}

function firstText(fields: Readonly<Record<string, unknown>>, names: readonly string[]): string | undefined {
  const name = names.find((candidate) => typeof fields[candidate] === 'string');
  return name === undefined ? undefined : String(fields[name]);
}

function examinePools(pools: readonly Pool[]): readonly Finding[] {
  return pools.map(({ name, healthy, tenants, proxies }) => {
    if (healthy > 0) {
      return ok(`pool ${name}`, `${healthy} of ${proxies.length} proxies are healthy and take requests`);
    }
    const found =
      proxies.length === 0
        ? 'it has no proxies'
        : `none of its proxies is healthy and takes requests (there are ${proxies.length})`;
    const text = `${found}; tenants with namespaces there: ${tenants}`;
    const advice =
      proxies.length === 0
        ? 'Start proxies that register themselves, or configure how they are discovered.'
        : '"palisade proxy list" shows which proxies are draining and what the health checks found.';
    return tenants > 0 ? problem(`pool ${name}`, text, advice) : warning(`pool ${name}`, text, advice);
  });
}

/** Whether the proxies that follow the policy of their pool enforce it. */
export function examinePolicies(pools: readonly Pick<Pool, 'name' | 'proxies'>[]): readonly Finding[] {
  return pools.flatMap(({ name, proxies }): Finding[] => {
    const policies = proxies.flatMap(({ id, policy }) => (policy === undefined ? [] : [{ id, ...policy }]));
    const rejecting = policies.find(({ state }) => state === 'rejected');
    if (rejecting !== undefined) {
      return [
        problem(
          `policy of ${name}`,
          `${rejecting.id} enforces revision ${rejecting.revision ?? 'none'}, as it cannot enforce ${rejecting.wanted_revision}: ${rejecting.rejected?.reason}`,
          'Correct the tenant or the configuration, or update the proxy; until then it keeps the policy before.',
        ),
      ];
    }
    const late = policies.filter(({ state }) => state !== 'current');
    if (late.length > 0) {
      const named = late
        .slice(0, MAX_NAMED)
        .map(({ id, state, behind }) => `${id} (${state}, ${behind} revisions behind)`)
        .join(', ');
      return [
        warning(
          `policy of ${name}`,
          `not in force everywhere: ${named}${late.length > MAX_NAMED ? ', …' : ''}`,
          'Changes take a moment; if it stays so, the log of the proxy says why it does not reach the control plane.',
        ),
      ];
    }
    return policies.length === 0 ? [] : [ok(`policy of ${name}`, `in force at ${policies.length} proxies`)];
  });
}

async function examineTenants(client: ControlPlaneClient, pools: ReadonlySet<string>): Promise<Finding> {
  const lost: string[] = [];
  let [count, cursor]: [number, string | undefined] = [0, undefined];
  for (let page = 0; page < MAX_TENANT_PAGES && (page === 0 || cursor !== undefined); page++) {
    const query: { limit: number; cursor?: string } = {
      limit: TENANTS_IN_PAGE,
      ...(cursor !== undefined && { cursor }),
    };
    const answer = dataOf(await client.GET('/api/v1/tenants', { params: { query } }));
    count += answer.items.length;
    cursor = answer.next_cursor;
    for (const { tenant_id: id, pool, routing } of answer.items) {
      const named = [...(pool === undefined ? [] : [pool]), ...routing.pools];
      const unknown = named.find((name) => !pools.has(name));
      if (unknown !== undefined || named.length === 0) {
        lost.push(`${id} (${unknown ?? 'no pool'})`);
      }
    }
  }
  if (lost.length === 0) {
    return ok(
      'tenants',
      `${count}${cursor === undefined ? '' : ' and more, which were not checked'}; their pools exist`,
    );
  }
  const named = lost.slice(0, MAX_NAMED).join(', ');
  return problem(
    'tenants',
    `${lost.length} of ${count} are routed to pools that do not exist: ${named}${lost.length > MAX_NAMED ? ', …' : ''}`,
    'Add the pools to proxy_pools in the configuration file, or replace the tenants ("palisade tenant replace").',
  );
}
