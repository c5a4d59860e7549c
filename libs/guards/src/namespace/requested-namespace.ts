import type { Request } from 'express';
import { NamespaceAmbiguousError } from './namespace.errors.js';

/** Where a request may name its namespace; its identity never comes from there. */
export interface NamespaceRequestOptions {
  /** Default `x-palisade-namespace`. */
  readonly header?: string;
  /** Parameter of routes such as `/namespaces/:namespace/orders`. Default `namespace`. */
  readonly routeParameter?: string;
}

/**
 * The namespace that a request names, unchecked; undefined when it names none.
 *
 * @throws {NamespaceAmbiguousError} when the request repeats the header, or names two different namespaces
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
