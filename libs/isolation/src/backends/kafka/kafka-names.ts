import type { NamespaceId } from '@palisade/domain';
import { InvalidNameError } from '../../separation/invalid-name.error.js';
import type { NameTemplate } from '../../separation/name-template.js';

/** Of the cluster's name, the prefix included. */
const MAX_NAME_LENGTH = 249;

const LEGAL = /^[a-zA-Z0-9._-]+$/;

/** Whose names these are is Kafka's own matter. */
const RESERVED = '__';

/** The names of one namespace. What a caller gives is checked first, and put behind the namespace's prefix then. */
export class KafkaNames {
  readonly #template: NameTemplate;
  readonly #namespace: NamespaceId;

  constructor(template: NameTemplate, namespace: NamespaceId) {
    this.#template = template;
    this.#namespace = namespace;
  }

  /** @throws {InvalidNameError} */
  topic(name: string): string {
    return this.#apply('Kafka topic', name);
  }

  /** @throws {InvalidNameError} */
  group(name: string): string {
    return this.#apply('Kafka consumer group', name);
  }

  /** @throws {InvalidNameError} */
  transaction(name: string): string {
    return this.#apply('Kafka transaction', name);
  }

  /** What the names of the namespace begin with, and those of no other; empty when the cluster is its own. */
  get prefix(): string {
    return this.#template.prefix(this.#namespace);
  }

  #apply(kind: string, name: unknown): string {
    if (typeof name !== 'string') {
      throw new InvalidNameError(kind, typeof name, 'a text');
    }
    if (name.length > MAX_NAME_LENGTH || !LEGAL.test(name)) {
      throw new InvalidNameError(kind, name, `1 to ${MAX_NAME_LENGTH} letters, digits, ".", "_" and "-"`);
    }
    if (name.startsWith('.') || name.endsWith('.') || name.includes('..')) {
      throw new InvalidNameError(kind, name, 'no "." at either end, and no two together');
    }
    const full = this.#template.apply(this.#namespace, name);
    if (full.length > MAX_NAME_LENGTH) {
      const max = MAX_NAME_LENGTH - (full.length - name.length);
      throw new InvalidNameError(kind, name, `at most ${max} characters`);
    }
    if (full.startsWith(RESERVED)) {
      throw new InvalidNameError(kind, name, `no "${RESERVED}" at the beginning, which is Kafka's own`);
    }
    return full;
  }
}
