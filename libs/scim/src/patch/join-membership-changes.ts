import type { Filter, MembershipChange, ResourceId } from '@palisade/domain';
import { NEVER } from '../filter/bind-special-attributes.js';
import { dropRepeatedConditions } from '../filter/drop-repeated-conditions.js';
import { countConditions } from '../filter/filter-weight.js';
import { badRequest } from '../scim.errors.js';

/** How many conditions may choose members to remove: a store evaluates each for every member of the group. */
const MAX_CONDITIONS = 20;

/** Changes of one kind that follow each other. */
type Run =
  | { readonly kind: 'add' | 'remove'; readonly ids: Set<ResourceId> }
  | { readonly kind: 'removeMatching'; readonly filters: Filter[] }
  | { readonly kind: 'replace'; readonly ids: readonly ResourceId[] };

/**
 * The same changes in fewer steps: additions, removals, or removals by filter, that follow each other become one.
 *
 * @throws {ScimError} 400 tooMany when filters with more than 20 different conditions choose members to remove
 */
export function joinMembershipChanges(changes: readonly MembershipChange[]): MembershipChange[] {
  const runs: Run[] = [];
  for (const change of changes) {
    const last = runs.at(-1);
    if (last === undefined || !extend(last, change)) {
      runs.push(startRun(change));
    }
  }
  const joined = runs.map(endRun);
  checkConditions(joined);
  return joined;
}

/** False when the change cannot be joined to the run. */
function extend(run: Run, change: MembershipChange): boolean {
  if (run.kind === 'removeMatching' && change.kind === 'removeMatching') {
    run.filters.push(change.filter);
    return true;
  }
  if ((run.kind === 'add' && change.kind === 'add') || (run.kind === 'remove' && change.kind === 'remove')) {
    change.ids.forEach((id) => run.ids.add(id));
    return true;
  }
  return false;
}

function startRun(change: MembershipChange): Run {
  switch (change.kind) {
    case 'add':
    case 'remove':
      return { kind: change.kind, ids: new Set(change.ids) };
    case 'removeMatching':
      return { kind: 'removeMatching', filters: [change.filter] };
    case 'replace':
      return change;
    default:
      return change satisfies never;
  }
}

function endRun(run: Run): MembershipChange {
  switch (run.kind) {
    case 'add':
    case 'remove':
      return { kind: run.kind, ids: [...run.ids] };
    case 'removeMatching': {
      const [first = NEVER, ...others] = run.filters;
      const filter: Filter = others.length === 0 ? first : { kind: 'or', operands: run.filters };
      return { kind: 'removeMatching', filter: dropRepeatedConditions(filter) };
    }
    case 'replace':
      return run;
    default:
      return run satisfies never;
  }
}

function checkConditions(changes: readonly MembershipChange[]): void {
  const count = changes.reduce(
    (sum, change) => sum + (change.kind === 'removeMatching' ? countConditions(change.filter) : 0),
    0,
  );
  if (count > MAX_CONDITIONS) {
    // RFC 7644 table 9: "many more results than the server is willing to calculate or process". ADR-0008.
    throw badRequest(
      'tooMany',
      `members: expected at most ${MAX_CONDITIONS} conditions on members to remove in one request, found ${count}`,
    );
  }
}
