import { parseBytes, parseCores } from '@palisade/domain';
import { Integer, Text } from '@palisade/platform';

const MAX_BYTES = 2 ** 46;

/** What one namespace may use of one proxy; in requests and answers alike. */
export class ResourceLimitsBody {
  @Text('Cores that one namespace may use.', {
    maxLength: 12,
    pattern: '^[0-9]{1,6}(\\.[0-9]{1,3})?m?$',
    isValid: (text) => parseCores(text) !== undefined,
    expected: 'cores, such as "2", "0.5" or "500m", up to 1024',
    example: '0.5',
    optional: true,
  })
  readonly cpu?: string;

  @Text('Memory that a proxy may hold for one namespace.', {
    maxLength: 24,
    pattern: '^[0-9]{1,15}(\\.[0-9]{1,3})? ?([KkMGT]i?)?B?$',
    isValid: (text) => (parseBytes(text) ?? Infinity) <= MAX_BYTES,
    expected: 'an amount of memory such as "512Mi", "4Gi" or "4G", up to 64Ti',
    example: '512Mi',
    optional: true,
  })
  readonly memory?: string;

  @Integer('Requests per second of one namespace; a burst may be as large.', {
    minimum: 1,
    maximum: 1_000_000,
    example: 200,
    optional: true,
  })
  readonly max_rps?: number;
}
