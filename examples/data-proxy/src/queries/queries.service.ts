import { Inject, Injectable } from '@nestjs/common';
import { Isolation, SessionRequiredError } from '@palisade/isolation';
import { PostgresDriver, type PostgresResult, type ScopedPostgres } from '@palisade/isolation/postgres';
import { DatabaseError } from 'pg';
import type { Call } from '../http/call.js';
import { STATEMENTS, type NamedStatement, type StatementsByName } from './named-statement.js';
import { readValues } from './read-values.js';
import { StatementNotFoundError, StatementRejectedError } from './queries.errors.js';

/** SQLSTATE classes that blame the values: data exceptions and violated constraints. */
const VALUE_CLASSES = ['22', '23'];

/** Runs named statements on the rows of the caller's namespace. */
@Injectable()
export class QueriesService {
  constructor(
    private readonly isolation: Isolation,
    @Inject(STATEMENTS) private readonly statements: StatementsByName,
  ) {}

  /**
   * Runs a statement in the open transaction of the caller's session, or else in a transaction of its own.
   *
   * @throws {StatementNotFoundError} {@link InvalidValuesError} {@link StatementRejectedError}
   */
  async run(call: Call, name: string, given: Readonly<Record<string, unknown>>): Promise<PostgresResult<unknown>> {
    const statement = this.#get(name);
    const values = readValues(statement, given);
    const { piiAccessed = false, needs } = statement;
    try {
      return await this.#do(
        needs === undefined ? call : needing(needs, call),
        { action: 'postgres.query', resource: name, piiAccessed },
        (postgres) => postgres.query(statement.text, values),
      );
    } catch (error) {
      throw isAboutValues(error) ? new StatementRejectedError(error.code ?? '', { cause: error }) : error;
    }
  }

  /**
   * Begins a transaction that the following requests of the session continue.
   *
   * @throws {SessionRequiredError} without a session: later requests could not find the connection again
   */
  async begin(call: Call): Promise<void> {
    if (call.caller.session === undefined) {
      throw new SessionRequiredError(call.caller.namespace);
    }
    await this.#do(call, { action: 'postgres.begin' }, (postgres) => postgres.begin());
  }

  commit(call: Call): Promise<void> {
    return this.#do(call, { action: 'postgres.commit' }, (postgres) => postgres.commit());
  }

  rollback(call: Call): Promise<void> {
    return this.#do(call, { action: 'postgres.rollback' }, (postgres) => postgres.rollback());
  }

  #do<T>(
    { caller, signal }: Call,
    options: { readonly action: string; readonly resource?: string; readonly piiAccessed?: boolean },
    work: (postgres: ScopedPostgres) => Promise<T>,
  ): Promise<T> {
    return this.isolation.run(caller, 'postgres', PostgresDriver, work, { signal, ...options });
  }

  #get(name: string): NamedStatement {
    const statement = Object.hasOwn(this.statements, name) ? this.statements[name] : undefined;
    if (statement === undefined) {
      throw new StatementNotFoundError(name);
    }
    return statement;
  }
}

/** The call with what its user needs for a statement, where that is not what others need. */
function needing(relation: 'read', call: Call): Call {
  const { access, ...caller } = call.caller;
  return { ...call, caller: { ...caller, ...(access && { access: { ...access, relation } }) } };
}

function isAboutValues(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && VALUE_CLASSES.some((sqlClass) => error.code?.startsWith(sqlClass));
}
