import type { NestExpressApplication } from '@nestjs/platform-express';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type Method = (typeof METHODS)[number];

/** What Express keeps of a route. */
interface Layer {
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
}

/** Every route that an app has. */
export function routesOf(app: NestExpressApplication): [Method, string][] {
  const { router } = app.getHttpAdapter().getInstance() as { router: { stack: readonly Layer[] } };
  return router.stack.flatMap(({ route }) =>
    METHODS.filter((method) => route?.methods[method]).map((method): [Method, string] => [method, route?.path ?? '']),
  );
}
