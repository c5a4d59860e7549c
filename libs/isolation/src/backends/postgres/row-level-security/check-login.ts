import type { NamespaceId } from '@palisade/domain';
import type { Client } from 'pg';
import { RowLevelSecurityError } from '../errors/row-level-security.error.js';
import { roleOf, type RowLevelSecuritySeparation } from '../separation.js';
import { findRoleProblems } from './role-problems.js';

/**
 * Asks, for each new connection, what may have changed since the preflight, and what depends on credentials: that policies
 * bind the role and that it is the namespace's.
 *
 * @throws {RowLevelSecurityError}
 */
export async function checkLogin(
  client: Client,
  namespace: NamespaceId,
  separation: RowLevelSecuritySeparation,
): Promise<void> {
  const expectedRole = separation.mode === 'role' ? roleOf(namespace, separation.rolePrefix) : undefined;
  const problems = await findRoleProblems(client, separation.tables, expectedRole);
  if (problems.length > 0) {
    throw new RowLevelSecurityError(problems);
  }
}
