import { Client, types, type CustomTypesConfig } from 'pg';
import { traceStatement } from '../tracing/trace-statement.js';
import { statementName } from './prepared-statements.js';

/** Runs registered statements as prepared ones, and all others as they are; within a span, each makes one of its own. */
export class PreparingClient extends Client {
  // `never` lets one body stand for every overload of the method.
  override query(first: unknown, ...rest: unknown[]): never {
    const name = typeof first === 'string' ? statementName(first) : undefined;
    const args = name === undefined ? [first, ...rest] : [{ name, text: first, values: rest[0] }];
    return traceStatement(this, first, () => Reflect.apply(super.query, this, args) as never);
  }
}

/** bigint and numeric as numbers: sequences and versions stay below 2^53, and other numerics come from JSON numbers. */
export const TYPE_PARSERS: CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === types.builtins.INT8 || oid === types.builtins.NUMERIC ? Number : types.getTypeParser(oid, format),
};
