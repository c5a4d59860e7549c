import { messageOf } from '@palisade/domain';
import { connect, type Socket } from 'node:net';
import { isSilence } from '../load-balancer.errors.js';
import { NotRunningError } from '../load-balancer.errors.js';

/** More than a million entries of a map. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;
/** HAProxy silently drops commands of 16 kB or more. */
const MAX_COMMAND_BYTES = 12 * 1024;

/** The command line of a worker or of the master, one connection per command. */
export class HaproxySocket {
  constructor(
    readonly path: string,
    private readonly timeoutMs: number,
  ) {}

  /**
   * The answer, without trailing empty lines. Error messages of HAProxy are answers, too.
   *
   * @throws {NotRunningError} when no process listens, or the connection breaks
   */
  async ask(command: string): Promise<string> {
    const all: string[] = [];
    for await (const lines of this.read(command)) {
      all.push(...lines);
    }
    return all.join('\n').trim();
  }

  /** The lines of the answer, as they come. @throws {NotRunningError} when no process listens, or the connection breaks */
  async *read(command: string): AsyncGenerator<readonly string[]> {
    if (Buffer.byteLength(command) > MAX_COMMAND_BYTES) {
      throw new RangeError(`a command of ${Buffer.byteLength(command)} bytes is longer than ${MAX_COMMAND_BYTES}`);
    }
    const socket = connect({ path: this.path, allowHalfOpen: true });
    const timer = setTimeout(
      () => socket.destroy(new Error(`${this.path} did not answer within ${this.timeoutMs} ms`)),
      this.timeoutMs,
    );
    try {
      socket.setEncoding('latin1').end(`${command}\n`);
      yield* splitLines(socket);
    } catch (error) {
      throw isSilence(error) ? new NotRunningError(`${this.path}: ${messageOf(error)}`, { cause: error }) : error;
    } finally {
      clearTimeout(timer);
      socket.destroy();
    }
  }
}

async function* splitLines(socket: Socket): AsyncGenerator<readonly string[]> {
  let rest = '';
  let bytes = 0;
  for await (const chunk of socket as AsyncIterable<string>) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) {
      throw new Error(`an answer is longer than ${MAX_ANSWER_BYTES} bytes`);
    }
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield lines;
  }
  yield [rest];
}
