import { parseProxyId } from '@palisade/domain';
import { PathParameter } from '@palisade/platform';

export const ProxyParam = PathParameter(
  'id',
  'Id of the proxy.',
  { minLength: 1, maxLength: 253, example: 'standard-1' },
  parseProxyId,
);
