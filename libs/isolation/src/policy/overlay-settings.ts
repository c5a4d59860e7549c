import { isObject } from '@palisade/domain';

type Section = Readonly<Record<string, unknown>>;

/** Either of them says the cap, so one of a policy replaces both. */
const CAP_KEYS = ['max_total_connections', 'max_connections'];

/** A process's own settings, with what a policy says in their place. What the own ones only state of the level is dropped. */
export function overlaySettings(own: unknown, policy: Section): Section {
  const { connection_pools: ownPools, ...others } = sectionOf(own);
  const { per_namespace: _, ...backends } = sectionOf(ownPools);
  const policyPools = sectionOf(policy['connection_pools']);
  const kept = Object.entries(backends).map(([name, backend]) => {
    const { shared: _shared, ...rest } = sectionOf(backend);
    const hasCap = CAP_KEYS.some((key) => Object.hasOwn(sectionOf(policyPools[name]), key));
    return [name, hasCap ? Object.fromEntries(Object.entries(rest).filter(([key]) => !CAP_KEYS.includes(key))) : rest];
  });
  return overlay({ ...others, connection_pools: Object.fromEntries(kept) }, policy);
}

/** Without what a policy says of other backends than these. */
export function keepBackends(policy: Section, backends: ReadonlySet<string>): Section {
  const { connection_pools: pools, ...others } = policy;
  if (!isObject(pools)) {
    return policy;
  }
  const kept = Object.entries(pools).filter(([name]) => name === 'per_namespace' || backends.has(name));
  return { ...others, connection_pools: Object.fromEntries(kept) };
}

function overlay(below: Section, above: Section): Section {
  const merged = new Map(Object.entries(below));
  for (const [name, value] of Object.entries(above)) {
    const covered = merged.get(name);
    merged.set(name, isObject(covered) && isObject(value) ? overlay(covered, value) : value);
  }
  return Object.fromEntries(merged);
}

function sectionOf(value: unknown): Section {
  return isObject(value) ? value : {};
}
