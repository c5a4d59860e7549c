import type { Batch } from './batches.js';
import type { Resource, ResourceKind } from './resource-kind.js';

/** What the records of a batch are called, and which groups they name as members. */
export interface Footprint {
  readonly names: ReadonlySet<string>;
  readonly references: ReadonlySet<string>;
}

/** What to compare when two batches may have to do with each other. */
export function footprintOf({ records }: Batch, { required }: ResourceKind): Footprint {
  const names = new Set<string>();
  const references = new Set<string>();
  for (const { resource = {} } of records) {
    if (typeof resource['externalId'] === 'string') {
      names.add(externalIdKey(resource['externalId']));
    }
    const name = resource[required];
    if (typeof name === 'string') {
      // A service may want it to be unique, whatever its case.
      names.add(`${required} ${name.toLowerCase()}`);
    }
    groupsIn(resource).forEach((externalId) => references.add(externalIdKey(externalId)));
  }
  return { names, references };
}

/** Whether the order in which two batches are created makes a difference. */
export function isEntangled(earlier: Footprint, later: Footprint): boolean {
  return (
    !earlier.names.isDisjointFrom(later.names) ||
    !earlier.names.isDisjointFrom(later.references) ||
    !earlier.references.isDisjointFrom(later.names)
  );
}

function groupsIn({ members }: Resource): string[] {
  const values = Array.isArray(members)
    ? members.map((member: { readonly value?: unknown } | null) => member?.value)
    : [];
  return values.flatMap((value) => /^group:scim:[^:]*:(.*)$/s.exec(String(value))?.[1] ?? []);
}

function externalIdKey(externalId: string): string {
  return `externalId ${externalId}`;
}
