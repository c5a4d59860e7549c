import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { PRODUCT_VERSION } from '../../product-version.js';
import { addCommonProblems, commonProblems } from './common-problems.js';
import { closeRequestBodies, tidyParameters } from './documents.js';

export interface ApiDescription extends Pick<
  NonNullable<OpenAPIObject['components']>,
  'securitySchemes' | 'responses' | 'schemas'
> {
  readonly title: string;
  readonly introduction: string;
  /** The groups of operations in the order in which they are shown, each with a sentence. */
  readonly tags: Readonly<Record<string, string>>;
  /** Adds responses to operations before the common problems fill in those that are still missing. */
  readonly addResponses?: (document: OpenAPIObject) => void;
}

/** The OpenAPI document of every route that the app has. */
export function describeApi(
  app: INestApplication,
  { title, introduction, tags, addResponses, ...components }: ApiDescription,
): OpenAPIObject {
  const description = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(title)
    .setDescription(introduction)
    .setVersion(PRODUCT_VERSION)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .build();
  const document = SwaggerModule.createDocument(app, {
    ...description,
    tags: Object.entries(tags).map(([name, text]) => ({ name, description: text })),
    components: { ...components, responses: { ...components.responses, ...commonProblems() } },
  });
  addResponses?.(document);
  addCommonProblems(document);
  tidyParameters(document);
  closeRequestBodies(document);
  return document;
}
