/** Parameters whose values are names of the deployment's own making. Others, such as `id`, may name people. */
const SHOWN: ReadonlySet<string> = new Set(['tenant_id', 'namespace', 'name']);
/** An RFC 1123 label: what those values are unless a client has put something else there. */
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** The path of a request as far as it may leave the service: the route's template with tenants, namespaces and pools. */
export function scrubbedPath(route: string, parameters: Readonly<Record<string, unknown>>): string {
  return route.replaceAll(/:(\w+)/g, (template, name: string) => {
    const value = SHOWN.has(name) ? parameters[name] : undefined;
    return typeof value === 'string' && LABEL.test(value) ? value : template;
  });
}
