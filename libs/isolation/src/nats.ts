/** `@palisade/isolation/nats`: what there is for NATS. */
export { NatsDriver, type NatsDriverOptions } from './backends/nats/nats-driver.js';
export type { NatsConnection } from './backends/nats/nats-link.js';
export type { NatsConnectOptions } from './backends/nats/nats-options.js';
export {
  type NatsSubscribeOptions,
  type NatsSubscription,
  type PublishOptions,
  type RequestOptions,
  ScopedNats,
} from './backends/nats/scoped-nats.js';
export type { NatsHeaders, NatsMessage, NatsPayload } from './backends/nats/nats-message.js';
export type { NatsInput } from './backends/nats/nats-scope.js';
export type { ScopedJetStream, StreamPosition, StreamPublishOptions } from './backends/nats/scoped-jetstream.js';
export type { JetStreamMessage, PullOptions } from './backends/nats/jetstream-message.js';
export type { ConsumerSettings, StreamSettings, StreamState } from './backends/nats/jetstream-settings.js';
export {
  type AppliedUsers,
  NatsProvisioner,
  type NatsProvisionerOptions,
} from './backends/nats/provisioning/nats-provisioner.js';
export type {
  NatsIdentity,
  NatsStorageLimits,
  NatsTenant,
  NatsUserFile,
} from './backends/nats/provisioning/render-users.js';
export type { NatsParty } from './backends/nats/provisioning/find-leaks.js';
export { createNatsKey, type NatsKey, natsKeyFrom } from './backends/nats/provisioning/nats-key.js';
export { NoRespondersError, ProvisioningFailedError } from './backends/nats/nats.errors.js';
