import { parseNamespaceId, type TenantDraft } from '@palisade/domain';
import { InvalidRequestError } from '@palisade/platform';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { toTenantDraft } from '../../tenants/tenant.mapper.js';
import { asFields } from '../client/json-fields.js';
import { PrismTenantSpec } from './prism-tenant.dto.js';

/**
 * What the spec of a PrismTenant says. The API server has checked it against the schema that is installed, which may be
 * another one than ours; what only newer schemas know is left out.
 *
 * @throws {InvalidRequestError} {@link InvalidIdentifierError}
 */
export function toDraft(spec: unknown): TenantDraft {
  const fields = asFields(spec);
  if (fields === undefined) {
    throw new InvalidRequestError('spec', 'an object');
  }
  const body = plainToInstance(PrismTenantSpec, fields, { exposeUnsetFields: false });
  const [problem] = validateSync(body, { stopAtFirstError: true });
  if (problem !== undefined) {
    throw firstProblem(problem, 'spec');
  }
  return toTenantDraft({ ...body, namespace_patterns: body.namespaces.map(parseNamespaceId) });
}

function firstProblem({ property, constraints, children }: ValidationError, parent: string): InvalidRequestError {
  const path = `${parent}.${property}`;
  const [child] = children ?? [];
  const [message = ''] = Object.values(constraints ?? {});
  return child === undefined ? new InvalidRequestError(path, expectationOf(message)) : firstProblem(child, path);
}

/** `pool: expected a text`, `tier must be one of …` and `namespaces must contain …` without the name of the field. */
function expectationOf(message: string): string {
  const [, ofOurs, be, demand = 'another value'] = /^(?:.*?: expected (.+)|.*? must (be )?(.+))$/.exec(message) ?? [];
  return ofOurs ?? (be === undefined ? `a value to ${demand}` : demand);
}
