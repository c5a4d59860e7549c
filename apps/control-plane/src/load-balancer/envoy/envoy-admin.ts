import { request } from 'node:http';
import { isSilence } from '../load-balancer.errors.js';
import { NotRunningError } from '../load-balancer.errors.js';

const MAX_ANSWER_CHARACTERS = 16 * 1024 * 1024;

/** Envoy's administration interface, on a socket of the file system. */
export class EnvoyAdmin {
  constructor(
    private readonly path: string,
    private readonly timeoutMs: number,
  ) {}

  /** The version that each source has taken last, by its name. @throws {NotRunningError} when nobody listens */
  async versions(): Promise<ReadonlyMap<string, string>> {
    const answer = await this.get('/stats?filter=version_text');
    return new Map(
      [...answer.matchAll(/^(.+)\.version_text: "(.*)"$/gm)].map(([, name = '', version = '']) => [name, version]),
    );
  }

  private get(path: string): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const signal = AbortSignal.timeout(this.timeoutMs);
    const asked = request({ socketPath: this.path, path, host: 'envoy', signal, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk;
        if (body.length > MAX_ANSWER_CHARACTERS) {
          asked.destroy(new Error(`an answer is longer than ${MAX_ANSWER_CHARACTERS} characters`));
        }
      });
      response.once('end', () => resolve(body));
      response.once('error', reject);
    });
    asked.once('error', (error) => {
      reject(isSilence(error) ? new NotRunningError(`${this.path}: ${error.message}`, { cause: error }) : error);
    });
    asked.end();
    return promise;
  }
}
