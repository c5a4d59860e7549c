import { candidateIds, resourceTypeOf, type ProviderId, type ResourceId, type ResourceType } from '@palisade/domain';
import { MembershipGraph } from './membership-graph.js';
import { type ResourceRecord, ResourceTable } from './resource-table.js';

/** The users, groups and memberships of one provider. */
export class ProviderDirectory {
  readonly memberships = new MembershipGraph();
  private readonly tables: Readonly<Record<ResourceType, ResourceTable>> = {
    User: new ResourceTable(),
    Group: new ResourceTable(),
  };

  constructor(readonly provider: ProviderId) {}

  get isEmpty(): boolean {
    return this.tables.User.size === 0 && this.tables.Group.size === 0;
  }

  table(type: ResourceType): ResourceTable {
    return this.tables[type];
  }

  findById(id: ResourceId): ResourceRecord | undefined {
    return this.tables[resourceTypeOf(id)].findById(id);
  }

  /** Looks a full identifier or external id up, by identifier first, then by current `externalId`. */
  resolve(type: ResourceType, reference: string): ResourceRecord | undefined {
    const table = this.tables[type];
    const candidates = candidateIds(type, this.provider, reference);
    for (const id of candidates) {
      const record = table.findById(id);
      if (record) {
        return record;
      }
    }
    return candidates.length > 0 ? table.findByExternalId(reference) : undefined;
  }

  remove(record: ResourceRecord): void {
    this.memberships.removeAllOf(record.id);
    this.tables[record.type].remove(record);
  }
}
