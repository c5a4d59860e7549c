/**
 * Where segments of the log go: each is written once, and never changed or removed from here. Every method throws
 * {@link SinkUnavailableError} while the place cannot be reached.
 */
export abstract class SegmentSink {
  /** For people; without credentials. */
  abstract readonly location: string;

  /** Names of all segments, in order. */
  abstract list(): Promise<string[]>;

  abstract read(name: string): Promise<string>;

  /**
   * Once this resolves the segment is there, complete and durable; before that it is there completely or not at all.
   *
   * @returns false when a segment of this name exists: it stays as it is
   */
  abstract create(name: string, text: string): Promise<boolean>;

  /** Closes connections. */
  abstract close(): void;
}
