/**
 * Where segments of the chain go: write once, never changed or removed from here. Every method throws
 * {@link SinkUnavailableError} while the place cannot be reached.
 */
export abstract class SegmentSink {
  /** For people; without credentials. */
  abstract readonly location: string;

  /** Names of all segments, in order. */
  abstract list(): Promise<string[]>;

  abstract read(name: string): Promise<string>;

  /**
   * Once this resolves the segment is there, whole and for good; whatever happens before, it is there whole or not at all.
   *
   * @returns false when there is one of this name: it stays as it is
   */
  abstract create(name: string, text: string): Promise<boolean>;

  /** Lets go of connections. */
  abstract close(): void;
}
