import { STATUS_CODES } from 'node:http';
import { Controller, Header, HttpCode, HttpStatus, UseInterceptors, applyDecorators, type Type } from '@nestjs/common';
import {
  ApiBody,
  ApiOperation,
  ApiResponse,
  ApiSecurity,
  ApiTags,
  type ContentObject,
  type ExamplesObject,
} from '@nestjs/swagger';
import { ForAdmin, ForFullAdmin, ForFullAdminOrProxy, type AdminScope } from '@palisade/guards';
import { AnswerInterceptor } from './answer.js';
import { COMMON_PROBLEMS } from './api-docs/common-problems.js';
import { ProblemCatalogue, type ProblemTable } from './api-docs/problem-catalogue.js';
import { RequiredBodyInterceptor } from './required-body.interceptor.js';

export interface AdminRouteOptions<Code extends string> {
  /** Stable: generated clients name their methods by it. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** The request's body, with examples that succeed. Unless it is optional, a request without one is rejected. */
  readonly body?: { readonly type: Type; readonly examples: ExamplesObject; readonly isOptional?: boolean };
  /** The class of the answer's body; without one there is no body. */
  readonly answer?: Type;
  /** Instead of `answer`, for a body in other media types. */
  readonly content?: ContentObject;
  /** 200 unless given, 204 without a body. */
  readonly status?: HttpStatus;
  /** Other statuses with the same body, each with the reason. */
  readonly also?: Readonly<Partial<Record<HttpStatus, string>>>;
  /** What the route may answer instead, besides what every route of the admin API may. */
  readonly problems?: readonly Code[];
}

/** The decorators of an admin API: each says at once who is admitted, what is answered and what the API pages show. */
export interface AdminRoutes<Code extends string> {
  /** A controller below `/api/v1`, in this group of the API pages. Its handlers need one of the decorators below to be reachable. */
  readonly AdminController: (path: string, tag: string) => ClassDecorator;
  /** A handler for admins with the scope; the service behind it restricts admins of some namespaces to those. */
  readonly AdminRoute: (scope: AdminScope, options: AdminRouteOptions<Code>) => MethodDecorator;
  /** A handler for admins of every namespace who have the scope. */
  readonly FullAdminRoute: (scope: AdminScope, options: AdminRouteOptions<Code>) => MethodDecorator;
  /** A handler for the same admins, and for proxies; the service behind it keeps each proxy to itself. */
  readonly ProxyRoute: (scope: AdminScope, options: AdminRouteOptions<Code>) => MethodDecorator;
}

/** @param problems those that routes of this feature may answer besides the ones that any admin route may */
export function adminRoutes<Table extends ProblemTable>(
  problems: Table,
): AdminRoutes<keyof (Table & typeof COMMON_PROBLEMS) & string> {
  const catalogue = new ProblemCatalogue<ProblemTable>({ ...COMMON_PROBLEMS, ...problems });
  const documented = (scope: AdminScope, options: AdminRouteOptions<string>, need: string) =>
    applyDecorators(
      describeRoute(scope, options, need),
      ...Object.entries(catalogue.responses(...(options.problems ?? []))).map(([status, response]) =>
        ApiResponse({ status: Number(status), ...response }),
      ),
    );
  return {
    AdminController: (path, tag) => applyDecorators(Controller(`api/v1/${path}`), ApiTags(tag)),
    AdminRoute: (scope, options) =>
      applyDecorators(ForAdmin(scope), documented(scope, options, `Needs the scope \`${scope}\`.`)),
    FullAdminRoute: (scope, options) =>
      applyDecorators(
        ForFullAdmin(scope),
        documented(scope, options, `Needs the scope \`${scope}\`, as an admin of every namespace.`),
      ),
    ProxyRoute: (scope, options) =>
      applyDecorators(
        ForFullAdminOrProxy(scope),
        documented(
          scope,
          options,
          `Needs the scope \`${scope}\`, as an admin of every namespace, or the credential of the proxy itself.`,
        ),
      ),
  };
}

function describeRoute(
  scope: AdminScope,
  { id, summary, description, body, answer, content, status, also = {} }: AdminRouteOptions<string>,
  need: string,
): MethodDecorator {
  const success = status ?? (answer || content ? HttpStatus.OK : HttpStatus.NO_CONTENT);
  const answers = Object.entries({ [success]: STATUS_CODES[success], ...also });
  return applyDecorators(
    HttpCode(success),
    Header('Cache-Control', 'no-store'),
    UseInterceptors(AnswerInterceptor),
    ApiSecurity('admin', [scope]),
    ApiOperation({ operationId: id, summary, description: [description, need].filter(Boolean).join('\n\n') }),
    ...(body ? describeBody(body) : []),
    ...answers.map(([code, reason]) =>
      ApiResponse({ status: Number(code), type: answer, content, description: reason }),
    ),
  );
}

function describeBody({ isOptional = false, ...body }: NonNullable<AdminRouteOptions<string>['body']>) {
  return [
    ApiBody({ ...body, required: !isOptional }),
    ...(isOptional ? [] : [UseInterceptors(RequiredBodyInterceptor)]),
  ];
}
