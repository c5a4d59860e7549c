import type { NamespaceId } from '@palisade/domain';
import type { BackendDriver, ScopeContext } from '../../src/backends/backend-driver.js';
import { FakeDriver, type FakeConnection } from './fake-driver.js';

/** A client over a connection to nothing, which shows what it was given. */
export class FakeClient implements AsyncDisposable {
  isDisposed = false;

  constructor(
    readonly connection: FakeConnection,
    readonly namespace: NamespaceId,
    readonly context: ScopeContext,
    private readonly dispose: () => Promise<void>,
  ) {}

  async [Symbol.asyncDispose](): Promise<void> {
    this.isDisposed = true;
    await this.dispose();
  }
}

/** A fake driver with clients, which cannot be made, or do not end, when told so. */
export class ScopedDriver extends FakeDriver implements BackendDriver<FakeConnection, FakeClient> {
  scopeFailure: unknown = undefined;
  disposeClient: () => Promise<void> = async () => {};

  scope(connection: FakeConnection, namespace: NamespaceId, context: ScopeContext): FakeClient {
    if (this.scopeFailure !== undefined) {
      throw this.scopeFailure;
    }
    return new FakeClient(connection, namespace, context, () => this.disposeClient());
  }
}
