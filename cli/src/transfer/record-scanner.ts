const LINE_FEED = 0x0a;
const COMMA = 0x2c;
const QUOTE = 0x22;

/** Where in a record a byte is: at the beginning of a field, in one, between quotes, or behind the quote that may end them. */
type Place = 'start' | 'plain' | 'quoted' | 'closed';

/**
 * Finds where records end, byte by byte. Line ends between double quotes belong to the record when it is of CSV, and there
 * only quotes that begin a field count: a stray one spoils its record and no other.
 */
export class RecordScanner {
  private place: Place = 'start';

  constructor(private readonly hasQuotes: boolean) {}

  /** Whether a line end would belong to the record. */
  get isQuoted(): boolean {
    return this.place === 'quoted';
  }

  /** Whether the record ends with this byte. */
  take(byte: number): boolean {
    if (byte === LINE_FEED && this.place !== 'quoted') {
      this.place = 'start';
      return true;
    }
    if (this.hasQuotes) {
      this.place = this.next(byte);
    }
    return false;
  }

  private next(byte: number): Place {
    switch (this.place) {
      case 'quoted':
        return byte === QUOTE ? 'closed' : 'quoted';
      case 'closed':
        // RFC 4180 §2.7: two quotes stand for one, and what they are in goes on.
        return byte === QUOTE ? 'quoted' : this.outside(byte);
      case 'start':
        return byte === QUOTE ? 'quoted' : this.outside(byte);
      default:
        return this.outside(byte);
    }
  }

  private outside(byte: number): Place {
    return byte === COMMA ? 'start' : 'plain';
  }
}
