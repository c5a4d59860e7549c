import { Choice, Flag, Integer, List, Nested, Text, Texts, Time, pageOf } from '@palisade/platform';

const TYPES = ['haproxy', 'nginx', 'envoy'];
const METHODS = ['none', 'maps', 'servers', 'reload'];
const METHOD_TEXT =
  '`maps` and `servers` are changes at runtime, `reload` starts new workers, `none` means that there was nothing to do. When several were needed, the one with the largest effect is named.';
const HASH_EXAMPLE = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

export class LoadBalancerVersionResponse {
  @Text('Id of the version.', { format: 'uuid', example: '0199a3c4-7d9f-7000-8000-3c5200000000' })
  readonly id!: string;

  @Integer('The revision of the registry that it was made from.', { example: 42 })
  readonly version!: number;

  @Integer('The epoch of the leader that made the version; it grows with each leader.', { example: 7, optional: true })
  readonly epoch?: number;

  @Text('SHA-256 of all rendered files; empty when rendering failed.', { example: HASH_EXAMPLE })
  readonly hash!: string;

  @Choice('The load balancer.', TYPES, { example: 'haproxy' })
  readonly type!: string;

  @Flag('Whether the load balancer behaves differently than before. A renewed certificate does not count.', {
    example: true,
  })
  readonly changed!: boolean;

  @Choice(METHOD_TEXT, METHODS, { example: 'reload' })
  readonly method!: string;

  @Choice(
    '`unchanged`: it was served already; with `reload` it was loaded again. `rejected`: nothing was changed. `rolled_back`: the earlier configuration was restored. `failed`: neither; see `reason`.',
    ['applied', 'unchanged', 'rejected', 'rolled_back', 'failed'],
    { example: 'applied' },
  )
  readonly result!: string;

  @Text('Why it was not applied.', { example: '/usr/sbin/haproxy ended with exit code 1: …', optional: true })
  readonly reason?: string;

  @Text('Who requested the change.', { example: 'ann@example.com' })
  readonly actor!: string;

  @Time('When it began.')
  readonly at!: string;

  @Integer('How long it took, in milliseconds.', { example: 180 })
  readonly duration_ms!: number;
}

export class LoadBalancerVersionPage extends pageOf(LoadBalancerVersionResponse, 'Newest first.') {}

export class FilePreviewResponse {
  @Text('Path of the file.', { example: '/etc/palisade/haproxy.namespaces.map' })
  readonly path!: string;

  @Choice('What happens to the file.', ['none', 'new', 'changed'], { example: 'changed' })
  readonly change!: string;

  @Integer('Its new size.', { example: 3_145_728 })
  readonly bytes!: number;

  @Text('SHA-256.', { example: HASH_EXAMPLE })
  readonly hash!: string;

  @Integer('Lines that are added.', { example: 1 })
  readonly lines_added!: number;

  @Integer('Lines that are removed.', { example: 0 })
  readonly lines_removed!: number;

  @Texts('The first lines that are added (`+`) and removed (`-`), at most 50.', {
    example: ['+ /globex. premium/64'],
  })
  readonly sample!: readonly string[];
}

export class LoadBalancerPreviewResponse {
  @Integer('Revision of the registry.', { example: 43 })
  readonly version!: number;

  @Text('The hash that the next version will have.', { example: HASH_EXAMPLE })
  readonly hash!: string;

  @Choice(METHOD_TEXT, METHODS, { example: 'maps' })
  readonly method!: string;

  @List('All files of the load balancer.', FilePreviewResponse)
  readonly files!: readonly FilePreviewResponse[];
}

export class DriftResponse {
  @Choice('Where the difference is.', ['file', 'process', 'map', 'server'], { example: 'server' })
  readonly kind!: string;

  @Text('For operators.', { example: 'standard/proxy-1: weight' })
  readonly detail!: string;
}

export class DriftReportResponse {
  @Time('When it was searched.')
  readonly at!: string;

  @List('Empty when there were no differences.', DriftResponse)
  readonly drifts!: readonly DriftResponse[];
}

export class UnresolvedServerResponse {
  @Text('The proxy.', { example: 'proxy-1' })
  readonly id!: string;

  @Text('Its name, which has no address.', { example: 'proxy-1.internal' })
  readonly host!: string;
}

export class LoadBalancerStatusResponse {
  @Choice('The load balancer.', TYPES, { example: 'haproxy' })
  readonly type!: string;

  @Flag('Whether a change is waiting or being made.', { example: false })
  readonly busy!: boolean;

  @Nested('Absent until the first change.', LoadBalancerVersionResponse, { optional: true })
  readonly last_version?: LoadBalancerVersionResponse;

  @Nested('The last search for differences from the desired state.', DriftReportResponse, { optional: true })
  readonly last_drift?: DriftReportResponse;

  @List('Proxies that get no requests because their names have no address.', UnresolvedServerResponse)
  readonly unresolved!: readonly UnresolvedServerResponse[];
}
