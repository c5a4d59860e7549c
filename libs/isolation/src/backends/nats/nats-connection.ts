/** A connection to a NATS server. All that can be done with it is to have {@link NatsDriver} make a client over it. */
export abstract class NatsConnection {
  protected readonly backend = 'nats';
}
