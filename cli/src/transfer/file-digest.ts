import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** SHA-256 of the beginning of a file, of which more and more counts: tells whether what is behind us is still the same. */
export class FileDigest {
  private readonly hash = createHash('sha256');
  private end = 0;

  constructor(private readonly path: string) {}

  /** The digest of everything before an offset, which is not before that of the last call; of less when the file ends earlier. */
  async upTo(offset: number): Promise<string> {
    if (offset > this.end) {
      const added = createReadStream(this.path, { start: this.end, end: offset - 1 }) as AsyncIterable<Buffer>;
      for await (const chunk of added) {
        this.hash.update(chunk);
      }
      this.end = offset;
    }
    return this.hash.copy().digest('hex');
  }
}
