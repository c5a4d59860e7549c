import type { NamespaceId } from '@palisade/domain';
import { parseNameTemplate, type NameTemplate } from '../../separation/name-template.js';
import { InvalidSettingsError } from '../../invalid-settings.error.js';

/** All namespaces share a cluster; topics, consumer groups and transactions carry the name of theirs. */
export interface TopicPrefixSeparation {
  readonly type: 'topic_prefix';
  /** Default `{tenant_id}.{topic}`. */
  readonly format?: string;
}

/** Each namespace has a cluster of its own, which the driver's `config` names; topics are called what callers call them. */
export interface PhysicalSeparation {
  readonly type: 'physical';
}

export type KafkaSeparation = TopicPrefixSeparation | PhysicalSeparation;

const DEFAULT_FORMAT = '{tenant_id}.{topic}';

/** What Kafka takes in the names of topics. */
const LEGAL = /^[a-zA-Z0-9._-]*$/;

/** Longer than any namespace is. */
const MAX_PREFIX_LENGTH = 128;

const PHYSICAL: NameTemplate = {
  apply: (_, name) => name,
  prefix: () => '',
  strip: (_, name) => name,
};

/**
 * How the cluster's names say whose they are.
 *
 * @throws {InvalidSettingsError} when the format is none, or Kafka would refuse the names
 */
export function createTemplate(separation: KafkaSeparation = { type: 'topic_prefix' }): NameTemplate {
  if (separation.type === 'physical') {
    return PHYSICAL;
  }
  const { format = DEFAULT_FORMAT } = separation;
  const template = parseNameTemplate(format, 'topic');
  const prefix = template.prefix('a' as NamespaceId);
  if (!LEGAL.test(prefix) || prefix.length > MAX_PREFIX_LENGTH || prefix.startsWith('__')) {
    const found = JSON.stringify(format.slice(0, 200));
    throw new InvalidSettingsError([
      `name template ${found}: expected letters, digits, ".", "_" and "-", at most ${MAX_PREFIX_LENGTH}, and no "__" at the beginning`,
    ]);
  }
  return template;
}
