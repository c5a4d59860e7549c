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
  constructor(private readonly state: MemoryState) {
    super();
  }

  override async append(records: readonly LogRecord[]): Promise<void> {
    this.state.requireOpen();
    this.state.log.append(records);
  }

  override async seal(): Promise<number> {
    this.state.requireOpen();
    return this.state.log.seal();
  }

  override async list(query: LogQuery): Promise<SealedRecord[]> {
    this.state.requireOpen();
    return this.state.log.list(query);
  }

  override async ends(): Promise<LogEnds> {
    this.state.requireOpen();
    return this.state.log.ends();
  }

  override async unsealed(): Promise<UnsealedRecords> {
    this.state.requireOpen();
    return this.state.log.unsealed();
  }

  override async removeBefore(before: Date, through?: number): Promise<number> {
    this.state.requireOpen();
    return this.state.log.removeBefore(before, through);
  }

  override async findReader(name: string): Promise<LogPoint | undefined> {
    this.state.requireOpen();
    return this.state.log.findReader(name);
  }

  override async moveReader(name: string, point: LogPoint): Promise<void> {
    this.state.requireOpen();
    this.state.log.moveReader(name, point);
  }
}
