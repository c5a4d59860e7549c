import { STATUS_CODES } from 'node:http';
import { Controller, Header, HttpCode, HttpStatus, applyDecorators, type Type } from '@nestjs/common';
import {
  ApiBody,
  ApiOperation,
  ApiResponse,
  ApiSecurity,
  ApiTags,
  type ContentObject,
  type ExamplesObject,
} from '@nestjs/swagger';
import { ForAdmin, ForFullAdmin, type AdminScope } from '@palisade/guards';
import { problemResponses, type ProblemCode } from '../api-docs/problems.js';
import type { AdminTag } from '../api-docs/tags.js';

export interface AdminRouteOptions {
  /** Stable: generated clients name their methods by it. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** The request's body, with examples that succeed. */
  readonly body?: { readonly type: Type; readonly examples: ExamplesObject };
  /** Of the answer's body; without one there is no body. */
  readonly answer?: Type;
  /** Instead of `answer`, for a body in other media types. */
  readonly content?: ContentObject;
  /** 200 unless given, 204 without a body. */
  readonly status?: HttpStatus;
  /** Other statuses with the same body, each with the reason. */
  readonly also?: Readonly<Partial<Record<HttpStatus, string>>>;
  /** What the route may answer instead, besides what every route of the admin API may. */
  readonly problems?: readonly ProblemCode[];
}

/** A controller of the admin API. Its handlers need {@link AdminRoute} or {@link FullAdminRoute} to be reachable. */
export function AdminController(path: string, tag: AdminTag): ClassDecorator {
  return applyDecorators(Controller(`api/v1/${path}`), ApiTags(tag));
}

/** A handler for admins with the scope; the service behind it restricts admins of some namespaces to those. */
export function AdminRoute(scope: AdminScope, options: AdminRouteOptions): MethodDecorator {
  return applyDecorators(ForAdmin(scope), documented(options, scope, `Needs the scope \`${scope}\`.`));
}

/** A handler for admins of every namespace who have the scope. */
export function FullAdminRoute(scope: AdminScope, options: AdminRouteOptions): MethodDecorator {
  return applyDecorators(
    ForFullAdmin(scope),
    documented(options, scope, `Needs the scope \`${scope}\`, as an admin of every namespace.`),
  );
}

function documented(
  { id, summary, description, body, answer, content, status, also = {}, problems = [] }: AdminRouteOptions,
  scope: AdminScope,
  need: string,
): MethodDecorator {
  const success = status ?? (answer || content ? HttpStatus.OK : HttpStatus.NO_CONTENT);
  const answers = Object.entries({ [success]: STATUS_CODES[success], ...also });
  return applyDecorators(
    HttpCode(success),
    Header('Cache-Control', 'no-store'),
    ApiSecurity('admin', [scope]),
    ApiOperation({ operationId: id, summary, description: [description, need].filter(Boolean).join('\n\n') }),
    ...(body ? [ApiBody(body)] : []),
    ...answers.map(([code, reason]) =>
      ApiResponse({ status: Number(code), type: answer, content, description: reason }),
    ),
    ...Object.entries(problemResponses(...problems)).map(([code, response]) =>
      ApiResponse({ status: Number(code), ...response }),
    ),
  );
}
