import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { parseProxyId } from '@palisade/domain';
import { STANDARD } from '../../test/support/routing-settings.js';
import type { Policies, PolicyEvent, PolicyPosition } from './policies.js';
import { PolicyStream } from './policy-stream.js';

/** A connection whose other end reads only while `isRead`. */
class Connection extends EventEmitter {
  isRead = true;
  isDestroyed = false;
  isEnded = false;
  readonly written: string[] = [];

  private readonly unread: (() => void)[] = [];

  write(chunk: Buffer, taken?: () => void): void {
    this.written.push(chunk.toString());
    this.unread.push(...(taken === undefined ? [] : [taken]));
    if (this.isRead) {
      this.read();
    }
  }

  read(): void {
    this.isRead = true;
    this.unread.splice(0).forEach((taken) => taken());
  }

  end(): void {
    this.isEnded = true;
  }

  destroy(): void {
    this.isDestroyed = true;
    this.emit('close');
  }
}

/** Says after each position what the last one is. */
class FakePolicies implements Pick<Policies, 'after'> {
  revision = 0;

  async after(_: string, sent: PolicyPosition | undefined): Promise<PolicyEvent | undefined> {
    const position = { configuration: 'c', revision: this.revision };
    return sent?.revision === this.revision
      ? undefined
      : { chunks: [Buffer.from(`${sent?.revision ?? 'nothing'} to ${this.revision}`)], position };
  }
}

describe(PolicyStream.name, () => {
  let connection: Connection;
  let policies: FakePolicies;
  let stream: PolicyStream;
  let running: Promise<void>;

  beforeEach(async () => {
    jest.useFakeTimers();
    connection = new Connection();
    policies = new FakePolicies();
    const options = { proxy: parseProxyId('a'), pool: STANDARD, authenticate: async () => undefined };
    stream = new PolicyStream(
      { ...options, response: connection as unknown as ServerResponse },
      policies as unknown as Policies,
    );
    running = stream.run();
    await jest.advanceTimersByTimeAsync(0);
  });

  afterEach(async () => {
    stream.end();
    await running;
    jest.useRealTimers();
  });

  async function change(): Promise<void> {
    policies.revision += 1;
    stream.wake();
    await jest.advanceTimersByTimeAsync(0);
  }

  it('sends what there is, then each change, and a comment after a second without any', async () => {
    await change();
    await jest.advanceTimersByTimeAsync(1000);
    expect(connection.written).toEqual(['nothing to 0', '0 to 1', ':\n\n']);
  });

  it('sends one change for all that happens while the other end does not read', async () => {
    connection.isRead = false;
    await change();
    await change();
    await change();
    expect(connection.written).toEqual(['nothing to 0', '0 to 1']);
    connection.read();
    await jest.advanceTimersByTimeAsync(0);
    expect(connection.written.at(-1)).toBe('1 to 3');
  });

  it('gives up an end that reads nothing for ten seconds', async () => {
    connection.isRead = false;
    await change();
    await jest.advanceTimersByTimeAsync(9999);
    expect(connection.isDestroyed).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    await running;
    expect([connection.isDestroyed, stream.isEnded]).toEqual([true, true]);
  });

  it('ends when more waits beside the policy than it keeps', async () => {
    connection.isRead = false;
    await change();
    for (let count = 0; count <= 100; count += 1) {
      stream.send(Buffer.from('access'));
    }
    await running;
    expect([connection.isEnded, connection.written.length]).toEqual([true, 2]);
  });
});
