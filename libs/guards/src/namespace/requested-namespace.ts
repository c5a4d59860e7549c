import type { Request } from 'express';
import { NamespaceAmbiguousError } from './errors/namespace-ambiguous.error.js';

/** Where a request may say which namespace it is for; never where its identity comes from. */
export interface NamespaceRequestOptions {
  /** Default `x-palisade-namespace`. */
  readonly header?: string;
  /** Of routes such as `/namespaces/:namespace/orders`. Default `namespace`. */
  readonly routeParameter?: string;
}

/**
 * The namespace that a request says it is for, unchecked; undefined when it says none.
 *
 * @throws {NamespaceAmbiguousError} when it says so twice, or two different ones
 */
export function requestedNamespace(
  request: Pick<Request, 'headersDistinct' | 'params'>,
  { header = 'x-palisade-namespace', routeParameter = 'namespace' }: NamespaceRequestOptions = {},
): string | undefined {
  const values = request.headersDistinct[header.toLowerCase()] ?? [];
  if (values.length > 1) {
    throw new NamespaceAmbiguousError(`the header ${header} is there ${values.length} times`);
  }
  const [named] = values;
  const routed = Object.hasOwn(request.params, routeParameter) ? request.params[routeParameter] : undefined;
  if (named !== undefined && routed !== undefined && named !== routed) {
    throw new NamespaceAmbiguousError(`the header ${header} and the path name different ones`);
  }
  return named ?? (Array.isArray(routed) ? routed.join('/') : routed);
}
