import { closeSync, createReadStream, openSync, writeSync } from 'node:fs';
import { once } from 'node:events';

/** A statement whose rows travel by the COPY protocol; `client.query(statement)` begins it. */
class CopyStatement {
  #ended = Promise.withResolvers();

  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.ended = this.#ended.promise;
  }

  /** @param {any} connection */
  submit(connection) {
    connection.query(this.text);
  }

  handleCommandComplete() {}

  handleReadyForQuery() {
    this.#ended.resolve(undefined);
  }

  /** @param {Error} error */
  handleError(error) {
    this.#ended.reject(error);
  }
}

class CopyOut extends CopyStatement {
  /** @param {string} text @param {number} file */
  constructor(text, file) {
    super(text);
    this.file = file;
  }

  /** @param {{ chunk: Buffer }} message */
  handleCopyData({ chunk }) {
    writeSync(this.file, chunk);
  }
}

class CopyIn extends CopyStatement {
  /** @param {string} text @param {string} path */
  constructor(text, path) {
    super(text);
    this.path = path;
  }

  /** @param {any} connection */
  handleCopyInResponse(connection) {
    this.#feed(connection).catch((error) => connection.sendCopyFail(String(error)));
  }

  /** @param {any} connection */
  async #feed(connection) {
    for await (const chunk of createReadStream(this.path, { highWaterMark: 2 ** 20 })) {
      connection.sendCopyFromChunk(chunk);
      if (connection.stream.writableNeedDrain) {
        await once(connection.stream, 'drain');
      }
    }
    connection.endCopyFrom();
  }
}

/**
 * Writes rows to a file as COPY has them.
 *
 * @param {import('pg').Client} client @param {string} query @param {string} path
 */
export async function copyOut(client, query, path) {
  const file = openSync(path, 'w');
  try {
    await run(client, new CopyOut(`copy (${query}) to stdout`, file));
  } finally {
    closeSync(file);
  }
}

/** Reads rows of a file into a table. @param {import('pg').Client} client @param {string} into @param {string} path */
export async function copyIn(client, into, path) {
  await run(client, new CopyIn(`copy ${into} from stdin`, path));
}

/** @param {import('pg').Client} client @param {CopyStatement} statement */
async function run(client, statement) {
  client.query(/** @type {any} */ (statement));
  await statement.ended;
}
