import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ApiNextCursor } from '@palisade/platform';

const TYPES = ['haproxy', 'nginx', 'envoy'];
const METHODS = ['none', 'maps', 'servers', 'reload'];
const METHOD_TEXT =
  '`maps` and `servers` are changes at runtime, `reload` starts new workers, `none` means that there was nothing to do. When several were needed, the one with the largest effect is named.';
const HASH_EXAMPLE = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

export class LoadBalancerVersionResponse {
  @ApiProperty({ format: 'uuid', example: '0199a3c4-7d9f-7000-8000-3c5200000000' })
  readonly id!: string;

  @ApiProperty({ description: 'The revision of the registry that it was made from.', type: 'integer', example: 42 })
  readonly version!: number;

  @ApiPropertyOptional({
    description: 'The epoch of the leader that made the version; it grows with each leader.',
    type: 'integer',
    example: 7,
  })
  readonly epoch?: number;

  @ApiProperty({
    description: 'SHA-256 of all rendered files; empty when rendering failed.',
    example: HASH_EXAMPLE,
  })
  readonly hash!: string;

  @ApiProperty({ enum: TYPES, example: 'haproxy' })
  readonly type!: string;

  @ApiProperty({
    description: 'Whether the load balancer behaves differently than before. A renewed certificate does not count.',
    example: true,
  })
  readonly changed!: boolean;

  @ApiProperty({ description: METHOD_TEXT, enum: METHODS, example: 'reload' })
  readonly method!: string;

  @ApiProperty({
    description:
      '`unchanged`: it was served already; with `reload` it was loaded again. `rejected`: nothing was changed. `rolled_back`: the earlier configuration was restored. `failed`: neither; see `reason`.',
    enum: ['applied', 'unchanged', 'rejected', 'rolled_back', 'failed'],
    example: 'applied',
  })
  readonly result!: string;

  @ApiPropertyOptional({
    description: 'Why it was not applied.',
    example: '/usr/sbin/haproxy ended with exit code 1: …',
  })
  readonly reason?: string;

  @ApiProperty({ description: 'Who requested the change.', example: 'ann@example.com' })
  readonly actor!: string;

  @ApiProperty({ description: 'When it began.', format: 'date-time', example: '2026-11-20T08:30:00.000Z' })
  readonly at!: string;

  @ApiProperty({ type: 'integer', example: 180 })
  readonly duration_ms!: number;
}

export class LoadBalancerVersionPage {
  @ApiProperty({ description: 'Newest first.', type: [LoadBalancerVersionResponse] })
  readonly items!: readonly LoadBalancerVersionResponse[];

  @ApiNextCursor()
  readonly next_cursor?: string;
}

export class FilePreviewResponse {
  @ApiProperty({ example: '/etc/palisade/haproxy.namespaces.map' })
  readonly path!: string;

  @ApiProperty({ enum: ['none', 'new', 'changed'], example: 'changed' })
  readonly change!: string;

  @ApiProperty({ type: 'integer', example: 3_145_728 })
  readonly bytes!: number;

  @ApiProperty({ description: 'SHA-256.', example: HASH_EXAMPLE })
  readonly hash!: string;

  @ApiProperty({ type: 'integer', example: 1 })
  readonly lines_added!: number;

  @ApiProperty({ type: 'integer', example: 0 })
  readonly lines_removed!: number;

  @ApiProperty({
    description: 'The first lines that are added (`+`) and removed (`-`), at most 50.',
    type: [String],
    example: ['+ /globex. premium/64'],
  })
  readonly sample!: readonly string[];
}

export class LoadBalancerPreviewResponse {
  @ApiProperty({ description: 'Revision of the registry.', type: 'integer', example: 43 })
  readonly version!: number;

  @ApiProperty({ description: 'The hash that the next version will have.', example: HASH_EXAMPLE })
  readonly hash!: string;

  @ApiProperty({ description: METHOD_TEXT, enum: METHODS, example: 'maps' })
  readonly method!: string;

  @ApiProperty({ type: [FilePreviewResponse] })
  readonly files!: readonly FilePreviewResponse[];
}

export class DriftResponse {
  @ApiProperty({ enum: ['file', 'process', 'map', 'server'], example: 'server' })
  readonly kind!: string;

  @ApiProperty({ description: 'For operators.', example: 'standard/proxy-1: weight' })
  readonly detail!: string;
}

export class DriftReportResponse {
  @ApiProperty({ format: 'date-time', example: '2026-11-20T08:30:00.000Z' })
  readonly at!: string;

  @ApiProperty({ description: 'Empty when there were no differences.', type: [DriftResponse] })
  readonly drifts!: readonly DriftResponse[];
}

export class UnresolvedServerResponse {
  @ApiProperty({ description: 'The proxy.', example: 'proxy-1' })
  readonly id!: string;

  @ApiProperty({ example: 'proxy-1.internal' })
  readonly host!: string;
}

export class LoadBalancerStatusResponse {
  @ApiProperty({ enum: TYPES, example: 'haproxy' })
  readonly type!: string;

  @ApiProperty({ description: 'Whether a change is waiting or being made.', example: false })
  readonly busy!: boolean;

  @ApiPropertyOptional({ description: 'Absent until the first change.', type: LoadBalancerVersionResponse })
  readonly last_version?: LoadBalancerVersionResponse;

  @ApiPropertyOptional({
    description: 'The last search for differences from the desired state.',
    type: DriftReportResponse,
  })
  readonly last_drift?: DriftReportResponse;

  @ApiProperty({
    description: 'Proxies that get no requests because their names have no address.',
    type: [UnresolvedServerResponse],
  })
  readonly unresolved!: readonly UnresolvedServerResponse[];
}
