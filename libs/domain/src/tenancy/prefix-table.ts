import { randomBytes } from 'node:crypto';

const MAX_KEY_LENGTH = 63;
const INITIAL_CAPACITY = 16;
/** At most half of the places are taken, so that few are looked at in vain. */
const MAX_LOAD = 0.5;
const EMPTY = 0;

// Each process chooses its own, so that nobody can choose names that all hash alike.
const SEED = randomBytes(4).readUInt32LE();
const MULTIPLIER = randomBytes(4).readUInt32LE() | 1;

/** The hash of each prefix of one text, from the empty one at 0. Overwritten for each text, and used before the next one. */
export type PrefixHashes = Uint32Array;

const hashes: PrefixHashes = new Uint32Array(MAX_KEY_LENGTH + 1);

/** The hashes of all beginnings of a text of at most 63 characters, in one pass. */
export function hashPrefixes(text: string): PrefixHashes {
  let hash = SEED;
  hashes[0] = mix(hash);
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), MULTIPLIER);
    hash ^= hash >>> 15;
    hashes[at + 1] = mix(hash);
  }
  return hashes;
}

/** Never {@link EMPTY}. */
function mix(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (mixed ^ (mixed >>> 13)) >>> 0 || 1;
}

/**
 * A map from texts of at most 63 characters to values, for those who ask for many beginnings of one text: each costs a
 * look at a table of numbers, and no text is made or compared unless its hash is there. With 100,000 texts that table
 * still fits into a processor's cache, which a `Map` with its entries and keys does not.
 */
export class PrefixTable<T extends object> {
  /** Places in a row; a key stands at the first free one from where its hash points to. */
  private places = new Uint32Array(INITIAL_CAPACITY);
  /** Key and value of each place, side by side. */
  private entries: (string | T | undefined)[] = Array.from({ length: 2 * INITIAL_CAPACITY });
  private count = 0;

  get size(): number {
    return this.count;
  }

  get(key: string): T | undefined {
    return key.length > MAX_KEY_LENGTH ? undefined : this.at(hashPrefixes(key), key, key.length);
  }

  /** The value of the first `length` characters of the text whose hashes these are. */
  at(prefixHashes: PrefixHashes, text: string, length: number): T | undefined {
    const { places } = this;
    const wanted = prefixHashes[length] ?? EMPTY;
    const mask = places.length - 1;
    for (let place = wanted & mask; ; place = (place + 1) & mask) {
      const found = places[place];
      if (found === EMPTY) {
        return undefined;
      }
      if (found === wanted) {
        const key = this.entries[2 * place] as string;
        if (key.length === length && text.startsWith(key)) {
          return this.entries[2 * place + 1] as T;
        }
      }
    }
  }

  /** @throws {RangeError} when the key is longer than 63 characters */
  set(key: string, value: T): void {
    if (key.length > MAX_KEY_LENGTH) {
      throw new RangeError(`expected a key of at most ${MAX_KEY_LENGTH} characters, found ${key.length}`);
    }
    const hash = hashPrefixes(key)[key.length] ?? EMPTY;
    const place = this.placeOf(key, hash);
    if (this.places[place] === EMPTY) {
      this.count += 1;
    }
    this.put(place, hash, key, value);
    if (this.count > this.places.length * MAX_LOAD) {
      this.grow();
    }
  }

  /** Does nothing when the key is not there. */
  delete(key: string): void {
    if (key.length > MAX_KEY_LENGTH) {
      return;
    }
    let hole = this.placeOf(key, hashPrefixes(key)[key.length] ?? EMPTY);
    if (this.places[hole] === EMPTY) {
      return;
    }
    this.count -= 1;
    const mask = this.places.length - 1;
    // Whoever stands behind the hole and would not be found across it moves into it.
    for (let place = (hole + 1) & mask; this.places[place] !== EMPTY; place = (place + 1) & mask) {
      const hash = this.places[place] ?? EMPTY;
      const distance = (place - (hash & mask)) & mask;
      if (distance >= ((place - hole) & mask)) {
        this.put(hole, hash, this.entries[2 * place], this.entries[2 * place + 1]);
        hole = place;
      }
    }
    this.put(hole, EMPTY, undefined, undefined);
  }

  private put(place: number, hash: number, key: string | T | undefined, value: string | T | undefined): void {
    this.places[place] = hash;
    this.entries[2 * place] = key;
    this.entries[2 * place + 1] = value;
  }

  /** Where the key stands, or would. */
  private placeOf(key: string, hash: number): number {
    const mask = this.places.length - 1;
    let place = hash & mask;
    while (this.places[place] !== EMPTY && (this.places[place] !== hash || this.entries[2 * place] !== key)) {
      place = (place + 1) & mask;
    }
    return place;
  }

  private grow(): void {
    const { places, entries } = this;
    this.places = new Uint32Array(places.length * 2);
    this.entries = Array.from({ length: entries.length * 2 });
    for (const [place, hash] of places.entries()) {
      const key = entries[2 * place];
      if (hash !== EMPTY && typeof key === 'string') {
        this.put(this.placeOf(key, hash), hash, key, entries[2 * place + 1]);
      }
    }
  }
}
