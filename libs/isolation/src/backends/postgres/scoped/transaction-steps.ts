import { TransactionFailedError } from '../postgres.errors.js';
import type { TransactionSteps } from './statement-scope.js';
import type { TenantConnection } from './tenant-connection.js';

/** A transaction of the server; it begins with its first statement. */
export function wholeTransaction(connection: TenantConnection): TransactionSteps {
  const rollback = () => rollBack(connection, 'rollback', 'none');
  return {
    begin: async () => {},
    commit: async () => {
      if (connection.transaction === 'open') {
        await commit(connection);
      } else {
        await requireUndone(connection, rollback);
      }
    },
    rollback,
  };
}

/** A part of an open transaction that can be undone without the rest. */
export function savepoint(connection: TenantConnection, depth: number): TransactionSteps {
  const name = `palisade_${depth}`;
  const rollback = () => rollBack(connection, `rollback to savepoint ${name}`, 'open');
  return {
    begin: async () => {
      if (connection.transaction === 'failed') {
        throw new TransactionFailedError('a statement in it had failed before');
      }
      if (connection.transaction === 'none') {
        await connection.control('begin');
      }
      await connection.control(`savepoint ${name}`);
    },
    commit: async () => {
      if (connection.transaction === 'open') {
        await connection.control(`release savepoint ${name}`);
      } else {
        await requireUndone(connection, rollback);
      }
    },
    rollback,
  };
}

/** @throws {TransactionFailedError} when the server has rolled back instead */
async function commit(connection: TenantConnection): Promise<void> {
  if ((await connection.control('commit')) !== 'COMMIT') {
    throw new TransactionFailedError('nothing of it took effect');
  }
}

/** Rolls back what cannot be committed; nothing has to be when nothing was begun. */
async function requireUndone(connection: TenantConnection, rollback: () => Promise<void>): Promise<void> {
  if (connection.transaction === 'failed') {
    await rollback();
    throw new TransactionFailedError('a statement in it had failed, so nothing of it took effect');
  }
}

async function rollBack(connection: TenantConnection, statement: string, expected: 'none' | 'open'): Promise<void> {
  if (connection.transaction === 'none') {
    return;
  }
  try {
    await connection.control(statement);
  } catch {
    // Whatever the reason, it was not rolled back.
    connection.cut();
    return;
  }
  if (connection.transaction !== expected) {
    connection.cut();
  }
}
