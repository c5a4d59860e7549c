import type { GroupId } from '@palisade/domain';
import type { GroupEntry } from './resource-row.js';

export interface GroupAbove {
  readonly id: GroupId;
  readonly display: string;
  /** Positions of the groups that it is a direct member of. */
  readonly parents: readonly number[];
}

/** Groups with all groups that contain them, in order of id; each is identified by its position in that order. */
export class GroupHierarchy {
  private readonly places: ReadonlyMap<GroupId, number>;
  /** For each position the last search that visited it, which is cheaper than a set for each search. */
  private readonly lastSearch: Uint32Array;
  private searches = 0;

  constructor(private readonly groups: readonly GroupAbove[]) {
    this.places = new Map(groups.map(({ id }, place) => [id, place]));
    this.lastSearch = new Uint32Array(groups.length);
  }

  /**
   * These groups and all that contain them, each once, in order of id. One that is not in the hierarchy is left out: it
   * was deleted after its id was read.
   */
  expand(directIds: readonly GroupId[]): GroupEntry[] {
    this.searches += 1;
    const direct = directIds.map((id) => this.places.get(id)).filter((place) => place !== undefined);
    const found: number[] = [];
    direct.forEach((place) => this.visit(place, found));
    // Iterating an array also comes to what is added meanwhile, so this looks at each group once.
    for (const place of found) {
      this.groups[place]?.parents.forEach((parent) => this.visit(parent, found));
    }
    return this.entriesOf(found, new Set(direct));
  }

  private visit(place: number, found: number[]): void {
    if (this.lastSearch[place] !== this.searches) {
      this.lastSearch[place] = this.searches;
      found.push(place);
    }
  }

  private entriesOf(places: number[], direct: ReadonlySet<number>): GroupEntry[] {
    return places
      .sort((a, b) => a - b)
      .flatMap((place): GroupEntry[] => {
        const group = this.groups[place];
        return group ? [[group.id, group.display, direct.has(place)]] : [];
      });
  }
}
