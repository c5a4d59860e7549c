import { Agent, request } from 'node:http';

/**
 * One SCIM endpoint (`http://127.0.0.1:1234/scim/v2`) with its bearer token; connections are kept.
 */
export class ScimClient {
  #agent = new Agent({ keepAlive: true });

  /** @param {string} base @param {string} token */
  constructor(base, token) {
    this.base = base;
    this.token = token;
  }

  /**
   * @param {string} method
   * @param {string} path below the base
   * @param {object} [body]
   * @param {Record<string, string>} [headers]
   * @returns {Promise<any>} the parsed body; undefined when there is none
   * @throws {Error} unless the status is 2xx
   */
  async send(method, path, body, headers = {}) {
    const { status, text } = await this.#exchange(method, path, body, headers);
    if (status < 200 || status > 299) {
      throw new Error(`${method} ${this.base}${path} answered ${status}: ${text.slice(0, 500)}`);
    }
    return text === '' ? undefined : JSON.parse(text);
  }

  /** Closes the connections that were kept. */
  close() {
    this.#agent.destroy();
  }

  /**
   * @param {string} method @param {string} path @param {object | undefined} body @param {Record<string, string>} headers
   * @returns {Promise<{ status: number, text: string }>}
   */
  #exchange(method, path, body, headers) {
    const { promise, resolve, reject } = Promise.withResolvers();
    const payload = body && JSON.stringify(body);
    const outgoing = request(`${this.base}${path}`, {
      method,
      agent: this.#agent,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(payload && { 'content-type': 'application/scim+json', 'content-length': Buffer.byteLength(payload) }),
        ...headers,
      },
    });
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      const chunks = [];
      response.on('error', reject);
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString() }));
    });
    outgoing.end(payload);
    return promise;
  }
}

/** Path with query parameters. @param {string} path @param {Record<string, string | number>} parameters */
export function withQuery(path, parameters) {
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${path}?${query.join('&')}`;
}

/** Path of the list that holds exactly the user of this name. @param {string} userName */
export function userNamePath(userName) {
  return withQuery('/Users', { filter: `userName eq "${userName}"` });
}

/** @param {string} id */
export function userPath(id) {
  return `/Users/${encodeURIComponent(id)}`;
}
