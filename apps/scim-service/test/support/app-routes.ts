import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer, Reflector } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { RouteAccessOf, type RouteAccess } from '@palisade/guards';

/** What Express keeps of a route. */
interface Layer {
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
}

/** `get /path/{parameter}` of each route that Express has for one method. Those for all methods reject them. */
export function expressRoutes(app: NestExpressApplication): string[] {
  const { router } = app.getHttpAdapter().getInstance() as { router: { stack: readonly Layer[] } };
  return router.stack.flatMap(({ route }) => {
    const [method, ...others] = Object.keys(route?.methods ?? {});
    return route === undefined || method === undefined || others.length > 0 ? [] : [nameOf(method, route.path)];
  });
}

/** Whom the guard admits to each route, from the metadata that it reads itself. */
export function guardedRoutes(app: NestExpressApplication): Map<string, RouteAccess | undefined> {
  const reflector = app.get(Reflector);
  const scanner = new MetadataScanner();
  const routes = new Map<string, RouteAccess | undefined>();
  for (const { controllers } of app.get(ModulesContainer).values()) {
    for (const { metatype } of controllers.values()) {
      const controller = metatype as new () => Record<string, () => unknown>;
      for (const name of scanner.getAllMethodNames(controller.prototype as object)) {
        const handler = (controller.prototype as Record<string, () => unknown>)[name];
        const method = handler && RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod];
        if (handler !== undefined && method !== undefined) {
          const path = [controller, handler].map((target) => Reflect.getMetadata(PATH_METADATA, target)).join('/');
          const access = reflector.getAllAndOverride(RouteAccessOf, [handler, controller]);
          routes.set(nameOf(method.toLowerCase(), `/${path}`), access);
        }
      }
    }
  }
  return routes;
}

function nameOf(method: string, path: string): string {
  const template = path.replaceAll(/\/+/g, '/').replaceAll(/:(\w+)/g, '{$1}');
  return `${method} ${template.replace(/(.)\/$/, '$1')}`;
}
