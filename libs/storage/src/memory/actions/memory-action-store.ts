import {
  ActionStore,
  type ActionQuery,
  type ActionRecord,
  type ChainEnds,
  type ChainedActionRecord,
} from '@palisade/domain';
import type { MemoryState } from '../memory-state.js';

export class MemoryActionStore extends ActionStore {
  constructor(private readonly state: MemoryState) {
    super();
  }

  override async append(records: readonly ActionRecord[]): Promise<void> {
    this.state.requireOpen();
    this.state.actions.append(records);
  }

  override async list(query: ActionQuery): Promise<ChainedActionRecord[]> {
    this.state.requireOpen();
    return this.state.actions.list(query);
  }

  override async ends(): Promise<ChainEnds> {
    this.state.requireOpen();
    return this.state.actions.ends();
  }

  override async removeBefore(before: Date, through?: number): Promise<number> {
    this.state.requireOpen();
    return this.state.actions.removeBefore(before, through);
  }
}
