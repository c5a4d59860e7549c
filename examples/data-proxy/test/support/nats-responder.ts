import { connect, type NatsConnection } from '@nats-io/transport-node';
import { requireNatsUrl } from '../../../../test/support/test-services.js';

/** A service of a tenant's own beside the proxy: answers requests to a subject in capitals. */
export class NatsResponder implements AsyncDisposable {
  private constructor(private readonly connection: NatsConnection) {}

  /** @param subject as the server calls it */
  static async start(subject: string): Promise<NatsResponder> {
    const connection = await connect({ servers: requireNatsUrl() });
    connection.subscribe(subject, { callback: (_, message) => void message.respond(message.string().toUpperCase()) });
    await connection.flush();
    return new NatsResponder(connection);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.connection.close();
  }
}
