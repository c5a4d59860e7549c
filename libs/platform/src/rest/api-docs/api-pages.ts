import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule, type OpenAPIObject, type SwaggerCustomOptions } from '@nestjs/swagger';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

const PATH = '/docs';
const DOCUMENT_PATHS = [`${PATH}-json`, `${PATH}-yaml`];

/** Tokens are typed into these pages: they run nothing, load nothing and send nothing but from and to this service. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE: SwaggerCustomOptions = {
  customCss: '.swagger-ui .topbar, .swagger-ui .response-col_links { display: none }',
  swaggerOptions: {
    // Otherwise a service on the internet is asked to validate the document.
    validatorUrl: 'none',
    persistAuthorization: false,
    displayOperationId: true,
    displayRequestDuration: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    filter: true,
    tryItOutEnabled: true,
  },
};

/**
 * The API pages at `/docs`, to which `/` leads, and their document at `/docs-json` and `/docs-yaml`; public, since they reveal
 * nothing that this repository does not.
 */
export function setupApiPages(app: NestExpressApplication, title: string, createDocument: () => OpenAPIObject): void {
  app.use(leadToPages);
  app.use(PATH, restrictContent);
  DOCUMENT_PATHS.forEach((path) => app.use(path, renderOnce()));
  SwaggerModule.setup(PATH, app, createDocument, { ...PAGE, customSiteTitle: title });
}

/** For whoever opens the address of the service in a browser. */
function leadToPages({ method, path }: Request, response: Response, next: NextFunction): void {
  if (method === 'GET' && path === '/') {
    response.redirect(PATH.slice(1));
  } else {
    next();
  }
}

function restrictContent(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
  next();
}

/** Keeps the first answer: rendering the document takes tens of milliseconds, and anybody may ask for it. */
function renderOnce(): RequestHandler {
  let rendered: { readonly type: string; readonly body: Buffer } | undefined;
  return (_request, response, next) => {
    if (rendered !== undefined) {
      response.type(rendered.type).send(rendered.body);
      return;
    }
    const send = response.send.bind(response);
    response.send = (body: unknown) => {
      if (response.statusCode === 200 && typeof body === 'string') {
        rendered = { type: String(response.getHeader('Content-Type')), body: Buffer.from(body) };
      }
      return send(body);
    };
    next();
  };
}
