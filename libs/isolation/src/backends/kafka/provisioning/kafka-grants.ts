import type { NamespaceId } from '@palisade/domain';
import type { KafkaQuotas } from './quotas.js';
import type { ScramMechanism } from './scram.js';

export interface KafkaTopicPlan {
  /** As the namespace calls it. */
  readonly name: string;
  /** Which of the tenant's. Default: the one that has the tenant's name. */
  readonly namespace?: NamespaceId;
  /** Absent: as the broker has it by default. */
  readonly partitions?: number;
  readonly replicas?: number;
  /** Such as `retention.ms`. */
  readonly config?: Readonly<Record<string, string>>;
}

/** What a tenant should have on a cluster. */
export interface KafkaGrants {
  /** The principal of its connections, such as `User:acme` for the owner of a certificate. Absent: a SCRAM user, which is made. */
  readonly principal?: string;
  /** The password of the SCRAM user, at least 16 characters. Absent: the user keeps the one that it has. */
  readonly password?: string;
  /** The mechanism of the SCRAM user. Default `SCRAM-SHA-512`. */
  readonly mechanism?: ScramMechanism;
  /** Default false: topics are made here only. */
  readonly mayCreateTopics?: boolean;
  /** Those that are missing are made; those that are there stay as they are. */
  readonly topics?: readonly KafkaTopicPlan[];
  readonly quotas?: KafkaQuotas;
}

export interface KafkaProvisioned {
  readonly principal: string;
  /** Undefined for a principal that was given, and for a user that keeps the password that it had. */
  readonly password: string | undefined;
  /** What was changed, each thing as a sentence; empty when all was as it should be. */
  readonly changes: readonly string[];
}
