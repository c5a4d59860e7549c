import { Client, type ClientConfig, type CustomTypesConfig, types } from 'pg';
import { traceStatement } from './tracing.js';

const names = new Map<string, string>();

/**
 * Registers a frequent statement, so that each connection parses and plans it only once; returns the text. Only for texts
 * that are fixed when the module loads: the server keeps a prepared statement as long as the connection lives, so a text that
 * depends on a caller (a filter, a sort) must not be registered.
 */
export function prepared(text: string): string {
  if (!names.has(text)) {
    names.set(text, `palisade_${names.size + 1}`);
  }
  return text;
}

/** The name that a registered statement is prepared under; undefined for any other text. */
export function statementName(text: string): string | undefined {
  return names.get(text);
}

/**
 * Runs registered statements as prepared ones; within a span, each statement gets a span of its own. When no answer comes in
 * time, although the server ends statements earlier, the path to it is dead: the socket is destroyed.
 */
export class PreparingClient extends Client {
  private sentAt: number | undefined;

  constructor(
    config: ClientConfig,
    private readonly answerTimeoutMs?: number,
  ) {
    super(config);
  }

  /** For how long the current statement has been waiting for its answer; 0 when there is none. */
  get unansweredMs(): number {
    return this.sentAt === undefined ? 0 : performance.now() - this.sentAt;
  }

  // `never` lets one body stand for every overload of the method.
  override query(first: unknown, ...rest: unknown[]): never {
    const name = typeof first === 'string' ? statementName(first) : undefined;
    const args = name === undefined ? [first, ...rest] : [{ name, text: first, values: rest[0] }];
    return traceStatement(this, first, () => this.watch(Reflect.apply(super.query, this, args)) as never);
  }

  private watch(result: unknown): unknown {
    if (!(result instanceof Promise)) {
      return result;
    }
    this.sentAt = performance.now();
    const timer =
      this.answerTimeoutMs === undefined
        ? undefined
        : setTimeout(() => this.connection.stream.destroy(), this.answerTimeoutMs).unref();
    const end = (): void => {
      clearTimeout(timer);
      this.sentAt = undefined;
    };
    result.then(end, end);
    return result;
  }
}

/** bigint and numeric as numbers: sequences and versions stay below 2^53, and other numerics come from JSON numbers. */
export const TYPE_PARSERS: CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === types.builtins.INT8 || oid === types.builtins.NUMERIC ? Number : types.getTypeParser(oid, format),
};
