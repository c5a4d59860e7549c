import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';

/** The API page at `/docs`, its document at `/docs-json`; public, as they tell nothing that this repository does not. */
export function setupApiDocs(app: NestExpressApplication): void {
  const description = new DocumentBuilder()
    .setTitle('Palisade control plane')
    .setDescription('Tenants, routing, proxy pools and the load balancer, below /api/v1.')
    .setVersion('1')
    .addBearerAuth({ type: 'http', description: 'A token of an admin' }, 'admin')
    .build();
  SwaggerModule.setup('docs', app, () => SwaggerModule.createDocument(app, description));
}
