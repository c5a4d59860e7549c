/** `@palisade/isolation/kafka`: what there is for Kafka. */
export { KafkaDriver, type KafkaDriverOptions } from './backends/kafka/kafka-driver.js';
export type { KafkaConnectOptions, KafkaLogin, KafkaTimings } from './backends/kafka/kafka-options.js';
export type {
  KafkaSeparation,
  PhysicalSeparation as KafkaPhysicalSeparation,
  TopicPrefixSeparation,
} from './backends/kafka/kafka-names.js';
export { ScopedKafka } from './backends/kafka/scoped-kafka.js';
export type { KafkaConnection, KafkaPosition } from './backends/kafka/kafka-connection.js';
export type { KafkaData, KafkaRecord, RecordLimits } from './backends/kafka/kafka-record.js';
export type { KafkaTransaction } from './backends/kafka/kafka-transaction.js';
export type { ConsumeOptions, KafkaConsumption } from './backends/kafka/kafka-consumption.js';
export type { KafkaMessage } from './backends/kafka/kafka-message.js';
export {
  KafkaProvisioner,
  type KafkaProvisionerOptions,
  type KafkaRemoval,
} from './backends/kafka/provisioning/kafka-provisioner.js';
export type { KafkaGrants, KafkaProvisioned, KafkaTopicPlan } from './backends/kafka/provisioning/kafka-grants.js';
export type { KafkaQuotas } from './backends/kafka/provisioning/quotas.js';
export type { ScramMechanism } from './backends/kafka/provisioning/scram.js';
export { InvalidRecordError, KafkaRejectedError, TooManyConsumersError } from './backends/kafka/kafka.errors.js';
