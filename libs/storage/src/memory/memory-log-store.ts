import {
  LogStore,
  type LogEnds,
  type LogPoint,
  type LogQuery,
  type LogRecord,
  type SealedRecord,
  type UnsealedRecords,
} from '@palisade/domain';
import type { MemoryState } from './memory-state.js';

export class MemoryLogStore extends LogStore {
  constructor(private readonly state: () => MemoryState) {
    super();
  }

  override async append(records: readonly LogRecord[]): Promise<void> {
    this.state().log.append(records);
  }

  override async seal(): Promise<number> {
    return this.state().log.seal();
  }

  override async list(query: LogQuery): Promise<SealedRecord[]> {
    return this.state().log.list(query);
  }

  override async ends(): Promise<LogEnds> {
    return this.state().log.ends();
  }

  override async unsealed(): Promise<UnsealedRecords> {
    return this.state().log.unsealed();
  }

  override async removeBefore(before: Date, through?: number): Promise<number> {
    return this.state().log.removeBefore(before, through);
  }

  override async readThrough(): Promise<number | undefined> {
    return this.state().log.readThrough();
  }

  override async findReader(name: string): Promise<LogPoint | undefined> {
    return this.state().log.findReader(name);
  }

  override async moveReader(name: string, point: LogPoint): Promise<void> {
    this.state().log.moveReader(name, point);
  }
}
