import { parseNamespaceId, parseTenantId } from '@palisade/domain';
import type { TenantNamespace } from '../../tenant-namespace.js';
import { InvalidSettingsError } from '../../invalid-settings.error.js';
import { InvalidNameError } from '../backend.errors.js';
import { type NameTemplate, parseNameTemplate } from '../name-template.js';

/** All namespaces share a cluster; topics, consumer groups and transactions carry the name of theirs. */
export interface TopicPrefixSeparation {
  readonly type: 'topic_prefix';
  /** Default `{tenant_id}.{namespace}.{topic}`. */
  readonly format?: string;
}

/** Each namespace has a cluster of its own, which the driver's `config` names; topics are called what callers call them. */
export interface PhysicalSeparation {
  readonly type: 'physical';
}

export type KafkaSeparation = TopicPrefixSeparation | PhysicalSeparation;

const DEFAULT_FORMAT = '{tenant_id}.{namespace}.{topic}';

/** The characters that Kafka allows in names. */
const LEGAL = /^[a-zA-Z0-9._-]+$/;

/** Of what the format has beside the tenant and the namespace. */
const MAX_PREFIX_LENGTH = 64;

const SHORT_OWNER: TenantNamespace = { tenantId: parseTenantId('a'), namespace: parseNamespaceId('a') };

const PHYSICAL: NameTemplate = {
  apply: (_, name) => name,
  prefix: () => '',
  tenantPrefix: () => '',
  strip: (_, name) => name,
};

/**
 * How the cluster's names say whose they are.
 *
 * @throws {InvalidSettingsError} when the format is invalid, or Kafka would reject the names
 */
export function createTemplate(separation: KafkaSeparation = { type: 'topic_prefix' }): NameTemplate {
  if (separation.type === 'physical') {
    return PHYSICAL;
  }
  const { format = DEFAULT_FORMAT } = separation;
  const template = parseNameTemplate(format, 'topic');
  const prefix = template.prefix(SHORT_OWNER);
  if (!LEGAL.test(prefix) || prefix.length > MAX_PREFIX_LENGTH || prefix.startsWith('__')) {
    const found = JSON.stringify(format.slice(0, 200));
    throw new InvalidSettingsError([
      `name template ${found}: expected letters, digits, ".", "_" and "-", at most ${MAX_PREFIX_LENGTH}, and no "__" at the beginning`,
    ]);
  }
  return template;
}

/** The length of a name on the cluster, prefix included. */
const MAX_NAME_LENGTH = 249;

/** Whose names these are is Kafka's own matter. */
const RESERVED = '__';

/** The names of one namespace. What a caller gives is checked first, and put behind the namespace's prefix then. */
export class KafkaNames {
  readonly #template: NameTemplate;
  readonly #owner: TenantNamespace;

  constructor(template: NameTemplate, owner: TenantNamespace) {
    this.#template = template;
    this.#owner = owner;
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
    return this.#template.prefix(this.#owner);
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
    const full = this.#template.apply(this.#owner, name);
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
