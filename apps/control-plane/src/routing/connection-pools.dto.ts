import { ApiPropertyOptional } from '@nestjs/swagger';
import { MayBeAbsent } from '@palisade/platform';
import { Type } from 'class-transformer';
import { IsInt, IsObject, Max, Min, ValidateNested } from 'class-validator';
import { applyDecorators } from '@nestjs/common';

const MAX_CONNECTIONS = 1_000_000;

function IsConnectionCount(description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ description, type: 'integer', minimum: 1, maximum: MAX_CONNECTIONS, example: 20 }),
    MayBeAbsent(),
    IsInt(),
    Min(1),
    Max(MAX_CONNECTIONS),
  );
}

/** Connections to one backend. */
export class BackendPoolBody {
  @IsConnectionCount('Of one namespace, at level `namespace`.')
  readonly connections_per_namespace?: number;

  @IsConnectionCount('Of all namespaces, at level `namespace`.')
  readonly max_total_connections?: number;

  @IsConnectionCount('Of all, at levels `none` and `session`.')
  readonly max_connections?: number;

  @IsConnectionCount('Of one session, at level `session`.')
  readonly per_session_limit?: number;
}

function IsBackendPool(description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ description, type: BackendPoolBody }),
    MayBeAbsent(),
    IsObject(),
    ValidateNested(),
    Type(() => BackendPoolBody),
  );
}

/** Connections by backend; also as they are answered. */
export class ConnectionPoolsBody {
  @IsBackendPool('To the relational database.')
  readonly postgres?: BackendPoolBody;

  @IsBackendPool('To the key-value store.')
  readonly redis?: BackendPoolBody;

  @IsBackendPool('To the message bus.')
  readonly nats?: BackendPoolBody;

  @IsBackendPool('To the streaming platform.')
  readonly kafka?: BackendPoolBody;
}
