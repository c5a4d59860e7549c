import { parseNamespaceId, type TenantDraft } from '@palisade/domain';
import { InvalidRequestError } from '@palisade/platform';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError, ArrayMaxSize, ArrayMinSize, IsArray, IsString } from 'class-validator';
import { OmitType } from '@nestjs/swagger';
import { toTenantDraft } from '../../tenants/tenant.mapper.js';
import { asFields } from '../api/objects.js';
import { TenantBody } from '../../tenants/tenants.dto.js';

/**
 * Reads the spec of a PrismTenant. The API server has checked it against the installed schema, which may differ from ours;
 * fields of newer schemas are ignored.
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

const MAX_NAMESPACES = 1000;

/** The spec of a PrismTenant: as in the API, but with names of namespaces instead of patterns. */
export class PrismTenantSpec extends OmitType(TenantBody, ['namespace_pattern', 'namespace_patterns']) {
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_NAMESPACES)
  @IsString({ each: true })
  readonly namespaces!: readonly string[];
}
